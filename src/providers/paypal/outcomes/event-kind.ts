import type {ShopVersions, VersionRange} from '../../../shopware/versions/version-range.js'
import {isInRange} from '../../../shopware/versions/versions.js'
import type {ForecastPayment} from '../../effects.js'
import type {Traits} from '../../traits.js'
import {deriveEffect, type EffectMembers, type MissingMember} from '../notification/handler-effects.js'
import type {WebhookHandler} from '../notification/handlers.js'
import type {EventKind} from './outcome-table.js'

/** The kind of an event for a payment, or the member that the shop requires and the body lacks. */
export type KindResult = EventKind | {readonly missing: MissingMember}

/** Plugins without a rule of their own for captures of payments upon invoice. @see shop-6.5.md 2.2 */
const NO_INVOICE_RULE: readonly VersionRange[] = [
  {from: '0.1', below: '8.2'},
  {from: '9.0', below: '9.2'},
]

/** @see protocol.md §4.4 */
export function classifyEvent(
  {rule, eventType}: WebhookHandler,
  traits: Traits,
  payment: ForecastPayment,
  {plugin}: Pick<ShopVersions, 'plugin'>,
): KindResult {
  switch (rule) {
    case 'capture':
      return classifyCapture(traits, payment, plugin)
    case 'cancel':
      return classifyCancellation(eventType, traits, payment)
    case 'refund':
      return classifyRefund(traits, payment)
    case 'sale-paid':
      return 'sale-completed'
    case 'sale-refund':
      return 'sale-refunded'
    default:
      return 'token'
  }
}

function classifyCapture(
  {finalCapture}: Traits,
  {payUponInvoice, hasInstructions}: ForecastPayment,
  plugin: string | null,
): KindResult {
  if (payUponInvoice && !NO_INVOICE_RULE.some(range => isInRange(plugin, range)))
    return hasInstructions ? 'invoice-capture-again' : 'invoice-capture'
  if (finalCapture === undefined) return {missing: 'finalCapture'}
  return finalCapture ? 'capture-final' : 'capture-part'
}

function classifyCancellation(
  eventType: string,
  {key, resourceId}: Traits,
  payment: ForecastPayment,
): EventKind {
  if (eventType.includes('.SALE.')) return 'sale-denied'
  if (eventType.includes('.CAPTURE.')) return 'capture-denied'
  if (key.by === 'parent-payment') return 'authorization-voided-v1'
  const isOther =
    resourceId !== undefined && payment.resourceId !== undefined && resourceId !== payment.resourceId
  return isOther ? 'other-authorization-voided' : 'authorization-voided-v2'
}

/** For a refunded payment the shop reads no further members of a refund. */
function classifyRefund(traits: Traits, payment: ForecastPayment): KindResult {
  const effect = deriveEffect('refund', selectMembers(traits), {...payment, state: 'paid'})
  if (effect.kind === 'missing') {
    return payment.state === 'refunded' ? 'refund-part' : {missing: effect.member}
  }
  return effect.actions.includes('refund') ? 'refund-whole' : 'refund-part'
}

function selectMembers({refunded}: Traits): EffectMembers {
  if (refunded === undefined) return {}
  return {
    breakdown: {
      totalRefunded: refunded === null ? undefined : {value: refunded.value, currency: refunded.currency},
    },
  }
}
