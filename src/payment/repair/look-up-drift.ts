import {findDrift} from '../drift/find-drift.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import {listKeys} from '../reconcile/movement-index.js'
import type {ProviderApi} from '../reconcile/provider-api.js'
import {fetchProviderPayment} from '../reconcile/provider-order.js'
import {findPaymentsById, type PaymentShop} from '../reconcile/shop-payments.js'

export interface LookUpDeps {
  readonly shop: PaymentShop
  readonly provider: ProviderApi
  readonly now: Date
  /** What the provider holds back for less than this is no drift, milliseconds. */
  readonly pendingAfterMs: number
}

/**
 * How one payment differs at this moment, asked of both sides. No signal cuts it short: a run ends what it began.
 *
 * @param transaction id of any of its attempts
 * @returns `undefined` where the shop knows no such transaction
 * @throws StorectlError as the clients of both sides do
 */
export async function lookUpPayment(
  transaction: string,
  {shop, provider, now, pendingAfterMs}: LookUpDeps,
): Promise<(Pick<FoundDrift, 'facts'> & Partial<FoundDrift>) | undefined> {
  const [payment] = await findPaymentsById([transaction], shop)
  if (!payment) return undefined
  const facts = {shop: payment, provider: await fetchProviderPayment(listKeys([payment]).orderIds, provider)}
  const drift = findDrift(facts, {now, pendingAfterMs})
  return drift ? {facts, drift} : {facts}
}
