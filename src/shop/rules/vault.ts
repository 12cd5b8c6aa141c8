import type {WebhookHandler} from '../../wire/notification/handlers.js'
import type {MappedEvent} from '../../wire/notification/mapping.js'
import type {Handling} from './apply-notification.js'
import type {Ending} from './delivery-record.js'
import {accepted} from './outcome.js'

/** Keeps or forgets a stored way to pay. One that nobody here ordered with is nothing to the shop. @see protocol.md §4.4 */
export async function applyToVault(
  {resource}: MappedEvent,
  {rule}: WebhookHandler,
  {db, store, now}: Handling,
): Promise<Ending> {
  if (resource.kind !== 'payment-token' || !resource.id) return accepted('names no payment token')
  if (rule === 'token-delete') {
    const wasThere = await store.vaultTokens.deleteVaultToken(db, resource.id)
    return accepted(wasThere ? 'payment token deleted' : 'the payment token is not known here')
  }
  if (!resource.orderId) return accepted('names no order')
  const transaction = await store.orderTransactions.findByProviderOrder(db, resource.orderId)
  if (!transaction) return accepted('no order transaction has that order at the provider')
  await store.vaultTokens.saveVaultToken(db, {
    token_id: resource.id,
    transaction_id: transaction.id,
    provider_customer_id: resource.customerId ?? null,
    created_at: now.toISOString(),
  })
  return accepted('payment token saved', transaction.id)
}
