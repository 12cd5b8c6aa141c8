import type {Money} from '../../language/amount-totals.js'
import type {View} from '../../output/view.js'
import type {Drift, DriftKind} from '../drift/drift.js'
import {toMoney} from '../drift/money.js'
import type {PaymentFacts} from '../drift/payment-facts.js'
import {sumMovements} from '../drift/sum-movements.js'

/** One payment that differs, with what is known about it. */
export interface FoundDrift {
  readonly facts: PaymentFacts
  readonly drift: Drift
}

/** One payment that differs, as printed. Keys are stable. */
export interface DriftRow {
  readonly kind: DriftKind
  readonly orderNumber: string | null
  /** Of the order transaction that it is about; `null` if the shop has none. */
  readonly transaction: string | null
  readonly order: string | null
  /** State in the shop. */
  readonly state: string | null
  /** State that matches the provider's side; `null` if no state does. */
  readonly expected: string | null
  /** The amount due; `null` if it cannot be read, or the shop has no such payment. */
  readonly amount: Money | null
  /** The provider's amount: captured and not given back; `null` if it cannot be read. */
  readonly providerAmount: Money | null
  readonly orderState: string | null
  readonly salesChannel: string | null
  readonly providerOrder: string | null
  /** The provider's captures and refunds. */
  readonly movements: readonly string[]
  /** ISO 8601, UTC; when the payment was begun, or the money moved. */
  readonly createdAt: string | null
  /** The planned repair; absent without a plan. */
  readonly repair?: string
  readonly detail: string
  readonly [key: string]: unknown
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
