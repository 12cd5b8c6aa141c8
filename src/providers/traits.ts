/** Why a notification names no transaction that could be looked up. */
export type LookupFault =
  | 'wrong-resource'
  | 'no-custom-id'
  | 'no-transaction-id'
  | 'invalid-transaction-id'
  | 'no-parent-payment'
  | 'no-route'

/** Which transaction a notification is about, as the notification itself says it. */
export type TransactionKey =
  | {readonly by: 'id'; readonly id: string}
  | {readonly by: 'parent-payment'; readonly payment: string}
  | {readonly by: 'provider-order'; readonly order: string}
  | {readonly by: 'nothing'}
  | {readonly by: 'fault'; readonly fault: LookupFault}

/** What decides about an event, so that its body need not be read again. Plain JSON. */
export interface Traits {
  /** Name of its provider; absent for the default one. */
  readonly provider?: string
  /** The transaction it names, as its receiver looks for it. */
  readonly key: TransactionKey
  /** The key as one word: `id:…`, `payment:…`, `order:…`; `null` where nothing is named. */
  readonly keyText: string | null
  readonly finalCapture?: boolean
  /** What was refunded in all; `null` where the body has a breakdown without it. */
  readonly refunded?: {readonly value?: string; readonly currency?: string} | null
  /** Id of the authorization that the event is about. */
  readonly resourceId?: string
  /** What the resource is worth: the members of its `amount`, in the words of either version. */
  readonly amount?: {readonly value: string; readonly currency: string}
  /** The shop's order number, which it gives the provider as the invoice's. */
  readonly invoice?: string
  /** The text with which the receiver refuses the body whatever the state (500). */
  readonly fault?: string
}

/** The key as one word. */
export function formatTransactionKey(key: TransactionKey): string | null {
  if (key.by === 'id') return `id:${key.id}`
  if (key.by === 'parent-payment') return `payment:${key.payment}`
  return key.by === 'provider-order' ? `order:${key.order}` : null
}

/** What a receiver reads of the transaction. */
export interface TransactionFacts {
  /** Technical name of its present state. */
  readonly state: string
  /** In the order's currency. */
  readonly amountTotal: number
  /** Paid by invoice through the provider: a capture then only fetches bank details. */
  readonly payUponInvoice: boolean
}

/** Reads the caller's own reference of a payment: the id of its transaction, or JSON that holds it. Digits of an id are in lower case, or it is none. */
export function parseCustomId(customId: string | undefined): TransactionKey {
  if (customId === undefined) return {by: 'fault', fault: 'no-custom-id'}
  const id = readTransactionId(customId)
  if (id === undefined) return {by: 'fault', fault: 'no-transaction-id'}
  return isId(id) ? {by: 'id', id} : {by: 'fault', fault: 'invalid-transaction-id'}
}

/** What is no JSON object or list is the id itself. */
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
