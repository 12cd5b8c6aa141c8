import type {MappedEvent} from '../../wire/notification/mapping.js'
import type {ProviderMovementRow} from '../store/schema/webhook-tables.js'

/**
 * What a notification says of the provider's own books: money captured, or given back of a v1 sale. Refunds of
 * captures say their total themselves and need no book.
 */
export function movementOf(
  {type, resource}: MappedEvent,
  transactionId: string,
): ProviderMovementRow | undefined {
  if (resource.kind === 'capture' && type === 'PAYMENT.CAPTURE.COMPLETED') {
    const final = resource.finalCapture ? 1 : 0
    return movement(resource, {kind: 'capture', transaction_id: transactionId, sale_id: null, final})
  }
  if (resource.kind === 'v1' && type === 'PAYMENT.SALE.REFUNDED') {
    const sale_id = resource.saleId ?? null
    return movement(resource, {kind: 'sale-refund', transaction_id: transactionId, sale_id, final: 0})
  }
  return undefined
}

function movement(
  {id, amount}: {id: string | undefined; amount: {value: string | undefined} | undefined},
  rest: Omit<ProviderMovementRow, 'id' | 'amount'>,
): ProviderMovementRow | undefined {
  const value = amount?.value
  if (id === undefined || value === undefined || !Number.isFinite(Number(value))) return undefined
  return {id, amount: value, ...rest}
}
