import {suggestNearest} from '../../language/nearest-word.js'
import {checkCondition} from '../../language/where/comparison.js'
import {type FieldValue, meetsCondition} from '../../language/where/evaluate.js'
import type {FieldType} from '../../language/where/value.js'
import {parseWhere} from '../../language/where/where.js'
import {countDigits} from '../drift/money.js'
import type {ShopPayment} from '../drift/payment-facts.js'

/** What `--where` may ask of a payment. */
export const PAYMENT_FIELDS: Readonly<
  Record<string, {type: FieldType; read: (payment: ShopPayment) => FieldValue}>
> = {
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

/**
 * Reads a condition on payments.
 *
 * @throws StorectlError `usage.where`
 * @see docs/where.md
 */
export function parsePaymentCondition(text: string): (payment: ShopPayment) => boolean {
  const condition = checkCondition(parseWhere(text), text, {find: findField})
  return payment => meetsCondition(condition, field => PAYMENT_FIELDS[field]?.read(payment) ?? null)
}

function findField(path: string) {
  const field = Object.hasOwn(PAYMENT_FIELDS, path) ? PAYMENT_FIELDS[path] : undefined
  if (field) return field
  const names = Object.keys(PAYMENT_FIELDS)
  const hint = `${suggestNearest(path, names)} Fields: ${names.join(', ')}`
  return {problem: `unknown field "${path}" in a payment.${hint}`, at: 0}
}
