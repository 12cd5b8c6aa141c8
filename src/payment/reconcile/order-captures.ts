import type {Money} from '../amount-totals.js'
import {formatUnits} from '../drift/money.js'
import type {ProviderApi} from './provider-api.js'
import {fetchProviderOrder} from './provider-order.js'

/**
 * The money that was captured of one order at the provider for a transaction of the shop, also what was refunded since.
 *
 * @returns `undefined` where the provider does not know the order, or answers about another one
 * @throws StorectlError as `fetchProviderOrder`
 */
export async function listOrderCaptures(
  {orderId, id}: {readonly orderId: string; readonly id: string},
  provider: ProviderApi,
): Promise<Money[] | undefined> {
  const {isKnown, doubts, movements} = await fetchProviderOrder({orderId, transactionIds: [id]}, provider)
  if (!isKnown || (doubts?.length ?? 0) > 0) return undefined
  return movements
    .filter(
      ({kind, status, transactionId}) => kind === 'capture' && status === 'done' && transactionId === id,
    )
    .map(({units, currency}) => ({value: formatUnits(units, currency), currency}))
}
