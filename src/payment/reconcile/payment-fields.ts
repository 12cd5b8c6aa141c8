import {parseRowCondition, type RowFields} from '../../language/where/row-condition.js'
import {countDigits} from '../drift/money.js'
import type {ShopPayment} from '../drift/payment-facts.js'

/** The fields of a payment for `--where`. */
export const PAYMENT_FIELDS: RowFields<ShopPayment> = {
  transaction: {type: 'id', read: ({live}) => live.id},
  order: {type: 'id', read: ({orderId}) => orderId},
  orderNumber: {type: 'text', read: ({orderNumber}) => orderNumber},
  orderState: {type: 'text', read: ({orderState}) => orderState},
  state: {type: 'text', read: ({live}) => live.state},
  amount: {type: 'number', read: ({units, currency}) => units / 10 ** countDigits(currency)},
  currency: {type: 'text', read: ({currency}) => currency},
  salesChannel: {type: 'id', read: ({salesChannelId}) => salesChannelId},
  providerOrder: {type: 'text', read: ({live}) => live.providerOrderId},
  createdAt: {type: 'time', read: ({live}) => live.createdAt},
}

/** Fields by which a list of payments can be sorted. */
export const PAYMENTS_SORTED_BY = [
  ...(['createdAt', 'amount', 'currency', 'orderNumber', 'state', 'orderState'] as const),
]

/**
 * Reads a condition on payments.
 *
 * @throws StorectlError `usage.where`
 */
export function parsePaymentCondition(text: string): (payment: ShopPayment) => boolean {
  return parseRowCondition(text, PAYMENT_FIELDS, 'a payment')
}
