import {MappingError} from '../../wire/notification/assign-fields.js'
import type {MissingMember} from '../../wire/notification/handler-effects.js'
import {
  findTransactionKey,
  type TransactionKey,
  type WebhookHandler,
} from '../../wire/notification/handlers.js'
import {type MappedResource, mapNotification} from '../../wire/notification/mapping.js'

/** What decides about an event, so that its body need not be read again. Plain JSON. */
export interface Traits {
  /** The transaction it names, as its handler looks for it. */
  readonly key: TransactionKey
  /** The key as one word: `id:…`, `payment:…`, `order:…`; `null` where nothing is named. */
  readonly keyText: string | null
  readonly finalCapture?: boolean
  /** What was refunded in all; `null` where the body has a breakdown without it. */
  readonly refunded?: {readonly value?: string; readonly currency?: string} | null
  /** The text with which the receiver refuses the body whatever the state (500). */
  readonly fault?: string
}

const NO_KEY: TransactionKey = {by: 'nothing'}

/**
 * Reads what decides about an event out of its decoded body.
 *
 * @param handler `undefined` for a type that nothing handles
 * @see protocol.md §4.3, §4.4
 */
export function readTraits(handler: WebhookHandler | undefined, body: object): Traits {
  try {
    const {resource} = mapNotification(body)
    const key = handler ? findTransactionKey(handler, resource) : NO_KEY
    return {key, keyText: formatTransactionKey(key), ...selectMembers(resource)}
  } catch (error) {
    if (error instanceof MappingError) return {key: NO_KEY, keyText: null, fault: error.message}
    throw error
  }
}

function formatTransactionKey(key: TransactionKey): string | null {
  if (key.by === 'id') return `id:${key.id}`
  if (key.by === 'parent-payment') return `payment:${key.payment}`
  return key.by === 'provider-order' ? `order:${key.order}` : null
}

function selectMembers(resource: MappedResource): Pick<Traits, 'finalCapture' | 'refunded'> {
  if (!('breakdown' in resource)) return {}
  const {finalCapture, breakdown} = resource
  return {
    ...(finalCapture === undefined ? {} : {finalCapture}),
    ...(breakdown === undefined ? {} : {refunded: toPlainAmount(breakdown.totalRefunded)}),
  }
}

function toPlainAmount(
  amount: {readonly value: string | undefined; readonly currency: string | undefined} | undefined,
): (Traits['refunded'] & object) | null {
  if (amount === undefined) return null
  const {value, currency} = amount
  return {...(value === undefined ? {} : {value}), ...(currency === undefined ? {} : {currency})}
}

/** Members of the body whose absence the receiver answers with 500. */
export const MISSING_WORDS: Readonly<Record<MissingMember, string>> = {
  finalCapture: 'resource.final_capture',
  sellerPayableBreakdown: 'resource.seller_payable_breakdown',
  totalRefundedAmount: 'resource.seller_payable_breakdown.total_refunded_amount',
  value: 'resource.seller_payable_breakdown.total_refunded_amount.value',
}
