/** Why no transaction can be looked up for a notification. */
export type LookupFault =
  | 'wrong-resource'
  | 'no-custom-id'
  | 'no-transaction-id'
  | 'invalid-transaction-id'
  | 'no-parent-payment'
  | 'no-route'

/** Which transaction a notification is about, according to the notification. */
export type TransactionKey =
  | {readonly by: 'id'; readonly id: string}
  | {readonly by: 'parent-payment'; readonly payment: string}
  | {readonly by: 'provider-order'; readonly order: string}
  | {readonly by: 'nothing'}
  | {readonly by: 'fault'; readonly fault: LookupFault}

/** The parts of an event that determine its effect, so that its body need not be read again. Plain JSON. */
export interface Traits {
  /** Name of its provider; absent for the default one. */
  readonly provider?: string
  /** The transaction, as its receiver looks it up. */
  readonly key: TransactionKey
  /** The key as one word: `id:…`, `payment:…`, `order:…`; `null` where there is none. */
  readonly keyText: string | null
  readonly finalCapture?: boolean
  /** Total refunded amount; `null` where the body has a breakdown without it. */
  readonly refunded?: {readonly value?: string; readonly currency?: string} | null
  /** Id of the authorization that the event is about. */
  readonly resourceId?: string
  /** The resource's `amount`, with the members of either version. */
  readonly amount?: {readonly value: string; readonly currency: string}
  /** The shop's order number, which it sends to the provider as the invoice number. */
  readonly invoice?: string
  /** The text of the receiver's 500 for this body, in any state. */
  readonly fault?: string
}

/** The key as one word. */
export function formatTransactionKey(key: TransactionKey): string | null {
  if (key.by === 'id') return `id:${key.id}`
  if (key.by === 'parent-payment') return `payment:${key.payment}`
  return key.by === 'provider-order' ? `order:${key.order}` : null
}

/** The facts that a receiver reads about the transaction. */
export interface TransactionFacts {
  /** Technical name of its present state. */
  readonly state: string
  /** In the order's currency. */
  readonly amountTotal: number
  /** Paid by invoice through the provider: a capture then only fetches bank details. */
  readonly payUponInvoice: boolean
}

/** Parses the caller's reference of a payment: its transaction's id in lower-case digits, or JSON with it. */
export function parseCustomId(customId: string | undefined): TransactionKey {
  if (customId === undefined) return {by: 'fault', fault: 'no-custom-id'}
  const id = readTransactionId(customId)
  if (id === undefined) return {by: 'fault', fault: 'no-transaction-id'}
  return isId(id) ? {by: 'id', id} : {by: 'fault', fault: 'invalid-transaction-id'}
}

/** Anything but a JSON object or list is the id itself. */
function readTransactionId(customId: string): unknown {
  if (!/^\s*[[{]/.test(customId)) return customId
  try {
    return (JSON.parse(customId) as {orderTransactionId?: unknown}).orderTransactionId ?? undefined
  } catch {
    return customId
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
}
