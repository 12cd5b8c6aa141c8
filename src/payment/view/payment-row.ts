import type {PaymentRow} from '../../contract/payment-rows.js'
import type {View} from '../../output/view.js'
import {toMoney} from '../drift/money.js'
import type {ShopPayment} from '../drift/payment-facts.js'

/** How a list of payments is shown. */
export const PAYMENTS: View = {
  noun: ['payment', 'payments'],
  id: 'transaction',
  columns: [
    {path: 'transaction'},
    {path: 'orderNumber', header: 'ORDER'},
    {path: 'state'},
    {path: 'amount', kind: 'money'},
    {path: 'createdAt', header: 'CREATED', kind: 'time', ageHeader: 'AGE'},
    {path: 'providerOrder'},
  ],
}

/** One payment of the shop, as printed. Keys are stable. */
export function toPaymentRow({live, ...payment}: ShopPayment): PaymentRow {
  const {orderId, orderNumber, orderState, salesChannelId, units, currency, earlier, doubt} = payment
  return {
    ...{transaction: live.id, orderNumber, order: orderId, state: live.state, orderState},
    ...{amount: doubt === undefined ? toMoney(units, currency) : null, salesChannel: salesChannelId},
    ...{providerOrder: live.providerOrderId, attempts: earlier.length + 1},
    createdAt: live.createdAt.toISOString(),
  }
}
