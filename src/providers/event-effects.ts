import {type FindCapture, type FindEffect, readTypeEffect} from './effects.js'
import {findPaypalCapture, findPaypalEffect} from './paypal/event-effects.js'
import {PAYPAL} from './paypal/paypal.js'
import {findProvider} from './providers.js'

/** Effects in code, by the name of the provider. */
const EFFECTS: ReadonlyMap<string, FindEffect> = new Map([[PAYPAL.name, findPaypalEffect]])

const CAPTURES: ReadonlyMap<string, FindCapture> = new Map([[PAYPAL.name, findPaypalCapture]])

/** Which capture of its payment an event reports: from the provider's code where there is any, else from its type. */
export const findCapture: FindCapture = event => {
  const {name, types} = findProvider(event.traits.provider)
  const own = CAPTURES.get(name)
  if (own) return own(event)
  const effect = types[event.type]?.effect
  const to = typeof effect === 'object' ? effect.to : undefined
  if (to === 'paid') return 'final'
  return to === 'paid_partially' ? 'part' : undefined
}

/** The effect of an event on a payment: from the provider's code where there is any, else from its type. */
export const findEffect: FindEffect = (event, payment, versions) => {
  const {name, types} = findProvider(event.traits.provider)
  const own = EFFECTS.get(name)
  if (own) return own(event, payment, versions)
  const effect = types[event.type]?.effect ?? 'nothing'
  return readTypeEffect(effect === 'rules' ? 'nothing' : effect, payment)
}
