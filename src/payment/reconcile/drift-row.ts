import type {DriftRow} from '../../contract/payment-rows.js'
import type {Money} from '../../language/amount-totals.js'
import type {View} from '../../output/view.js'
import type {Drift} from '../drift/drift.js'
import {toMoney} from '../drift/money.js'
import type {PaymentFacts} from '../drift/payment-facts.js'
import {sumMovements} from '../drift/sum-movements.js'

/** One payment that differs, with what is known about it. */
export interface FoundDrift {
  readonly facts: PaymentFacts
  readonly drift: Drift
}

export const DRIFT_VIEW: View = {
  noun: ['payment', 'payments'],
  id: 'transaction',
  columns: [
    {path: 'kind', priority: 1},
    {path: 'orderNumber', header: 'ORDER', priority: 2},
    {path: 'transaction', priority: 10},
    {path: 'state', priority: 5},
    {path: 'amount', header: 'SHOP', kind: 'money', priority: 3},
    {path: 'providerAmount', header: 'PROVIDER', kind: 'money', priority: 4},
    {path: 'createdAt', header: 'CREATED', kind: 'time', ageHeader: 'AGE', priority: 8},
    {path: 'repair', priority: 9},
    {path: 'detail', priority: 7},
  ],
}

/** The amount due; `null` if it cannot be read, or the shop has no such payment. */
export function readShopAmount(shop: PaymentFacts['shop']): Money | null {
  return shop && shop.doubt === undefined ? toMoney(shop.units, shop.currency) : null
}

/** The amount captured and not given back; without a capture, 0 in the shop's currency. */
function readProviderAmount({shop, provider}: PaymentFacts): Money | null {
  const {captured, refunded, captures, currencies} = sumMovements(provider.movements)
  const currency = captures[0]?.currency ?? shop?.currency
  const isReadable =
    currency !== undefined && currency !== '' && (provider.doubts ?? []).length === 0 && currencies.size < 2
  return isReadable ? toMoney(captured - refunded, currency) : null
}

/** @param repair the planned one */
export function toDriftRow({facts, drift}: FoundDrift, repair?: string): DriftRow {
  const {shop, provider} = facts
  const {kind, transaction, expected, detail} = drift
  const [first] = provider.movements
  const createdAt = transaction?.createdAt ?? first?.at
  return {
    ...{
      kind,
      orderNumber: shop?.orderNumber ?? first?.invoiceId ?? null,
      transaction: transaction?.id ?? null,
    },
    ...{order: shop?.orderId ?? null, state: transaction?.state ?? null, expected: expected ?? null},
    amount: readShopAmount(shop),
    providerAmount: readProviderAmount(facts),
    orderState: shop?.orderState ?? null,
    salesChannel: shop?.salesChannelId ?? null,
    providerOrder: transaction?.providerOrderId ?? first?.orderId ?? null,
    movements: [...new Set(provider.movements.map(({id}) => id))],
    createdAt: createdAt?.toISOString() ?? null,
    ...(repair === undefined ? {} : {repair}),
    detail,
  }
}
