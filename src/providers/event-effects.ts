import {type FindEffect, readTypeEffect} from './effects.js'
import {findPaypalEffect} from './paypal/event-effects.js'
import {PAYPAL} from './paypal/paypal.js'
import {findProvider} from './providers.js'

/** Effects in code, by the name of the provider. */
const EFFECTS: ReadonlyMap<string, FindEffect> = new Map([[PAYPAL.name, findPaypalEffect]])

/** What an event may come to for a payment: by code where its provider has some, else by its type. */
export const findEffect: FindEffect = (event, payment, versions) => {
  const {name, types} = findProvider(event.traits.provider)
  const own = EFFECTS.get(name)
  if (own) return own(event, payment, versions)
  const effect = types[event.type]?.effect ?? 'nothing'
  return readTypeEffect(effect === 'rules' ? 'nothing' : effect, payment)
}
