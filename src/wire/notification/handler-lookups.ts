import type {ResourceKind, WebhookHandler} from './handlers.js'

/** Why a notification names no transaction that could be looked up. */
export type LookupFault =
  | 'wrong-resource'
  | 'no-custom-id'
  | 'no-transaction-id'
  | 'invalid-transaction-id'
  | 'no-parent-payment'

/** Which transaction a notification is about, as its own body says it. */
export type TransactionKey =
  | {readonly by: 'id'; readonly id: string}
  | {readonly by: 'parent-payment'; readonly payment: string}
  | {readonly by: 'provider-order'; readonly order: string}
  | {readonly by: 'nothing'}
  | {readonly by: 'fault'; readonly fault: LookupFault}

/** The members that lead to a transaction. */
export interface LookupMembers {
  readonly kind: ResourceKind
  readonly customId?: string | undefined
  readonly parentPayment?: string | undefined
  readonly orderId?: string | undefined
}

/**
 * The transaction a handler would look for.
 *
 * v2 resources name it in `custom_id`: the bare id, or JSON with `orderTransactionId`. v1 resources name the
 * payment. Vault notifications name the provider's order, or nothing.
 *
 * @returns `fault` where the shop refuses the notification (400) without looking anything up
 * @see protocol.md §4.4
 */
export function findTransactionKey(handler: WebhookHandler, resource: LookupMembers): TransactionKey {
  if (!handler.resources.includes(resource.kind)) return {by: 'fault', fault: 'wrong-resource'}
  if (resource.kind === 'payment-token') {
    return resource.orderId ? {by: 'provider-order', order: resource.orderId} : {by: 'nothing'}
  }
  if (resource.kind === 'v1') {
    const payment = resource.parentPayment
    return payment === undefined ? {by: 'fault', fault: 'no-parent-payment'} : {by: 'parent-payment', payment}
  }
  return parseCustomId(resource.customId)
}

/** Reads `custom_id` alone, whatever the notification is. Ids come back in lower case. */
export function parseCustomId(customId: string | undefined): TransactionKey {
  if (customId === undefined) return {by: 'fault', fault: 'no-custom-id'}
  const id = readTransactionId(customId)
  if (id === undefined) return {by: 'fault', fault: 'no-transaction-id'}
  return isId(id) ? {by: 'id', id: id.toLowerCase()} : {by: 'fault', fault: 'invalid-transaction-id'}
}

/** What is no JSON object is the id itself. */
function readTransactionId(customId: string): unknown {
  if (!customId.trimStart().startsWith('{')) return customId
  try {
    return (JSON.parse(customId) as {orderTransactionId?: unknown}).orderTransactionId ?? undefined
  } catch {
    return customId
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{32}$/i.test(id)
}
