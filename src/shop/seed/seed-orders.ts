import {SYSTEM_CURRENCY_ID} from '../../shopware/ids.js'
import {BASE_IDS, deriveStateId} from '../runtime/base-data.js'
import {GOODS} from './name-lists.js'
import {drawCustomer, formatCustomerNumber} from './seed-customers.js'
import {deriveOrderTime, deriveSeededId, SeededRandom} from './seeded-random.js'

type Values = Record<string, unknown>

/** An order with its parts, by entity. */
export type SeededOrder = Record<
  'order' | 'order_customer' | 'order_address' | 'order_line_item' | 'order_delivery' | 'order_transaction',
  Values[]
>

/** The payment of a seeded order; enough to create notifications about it. */
export interface SeededTransaction {
  id: string
  orderId: string
  orderNumber: string
  /** Technical name. */
  state: string
  /** Gross, in euros. */
  amountTotal: number
  /** The order's id at the payment provider. */
  providerOrderId: string
  /** The payment's id in the provider's v1 API, `PAYID-…`. */
  providerPaymentId: string
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const VAT = 0.19
const PHYSICAL = ['is-physical']

/** Frequency of each state, in percent. */
const STATES: readonly (readonly [state: string, share: number])[] = [
  ['open', 34],
  ['paid', 28],
  ['authorized', 8],
  ['in_progress', 6],
  ['cancelled', 6],
  ['failed', 5],
  ['paid_partially', 4],
  ['refunded', 4],
  ['refunded_partially', 3],
  ['reminded', 1],
  ['unconfirmed', 1],
]

/** Cached, because these hashed ids are needed a million times. */
const TRANSACTION_STATE_IDS = new Map(
  STATES.map(([state]) => [state, deriveStateId('order_transaction.state', state)]),
)
const DELIVERY_STATE_IDS = ['open', 'open', 'shipped', 'shipped_partially'].map(state =>
  deriveStateId('order_delivery.state', state),
)
const ORDER_STATE_IDS = ['open', 'open', 'in_progress', 'completed', 'cancelled'].map(state =>
  deriveStateId('order.state', state),
)
const CANCELLED_ID = deriveStateId('order.state', 'cancelled')

const NO_PRICE = buildPrice(0, 0, 1)

/** The payment at a position, from 0: always the same for a seed, whatever else was seeded. */
export function drawTransaction(seed: number, ordinal: number): SeededTransaction {
  const random = new SeededRandom(seed, 'order_transaction', ordinal)
  return {
    id: deriveSeededId(seed, 'order_transaction', ordinal),
    orderId: deriveSeededId(seed, 'order', ordinal),
    orderNumber: formatCustomerNumber(seed, ordinal),
    state: formatOrderState(random.drawBelow(100)),
    amountTotal: sumLines(drawLines(seed, ordinal)) / 100,
    providerOrderId: random.drawText(ALPHANUMERIC, 17),
    providerPaymentId: `PAYID-${random.drawText(ALPHANUMERIC, 24)}`,
  }
}

/** The random draws for an order, in order. */
interface Drawn {
  /** The customer's position. */
  buyer: number
  deepLinkCode: string
  stateId: string
  /** For further draws. */
  random: SeededRandom
}

function drawOrder(seed: number, ordinal: number, customers: number): Drawn {
  const random = new SeededRandom(seed, 'order', ordinal)
  const buyer = random.drawBelow(customers)
  const deepLinkCode = random.drawText(ALPHANUMERIC, 32)
  return {buyer, deepLinkCode, stateId: random.pick(ORDER_STATE_IDS), random}
}

/** The parts of the order at a position that count for its customer's totals. */
export function orderDraw(
  seed: number,
  ordinal: number,
  customers: number,
): {buyer: number; totalCents: number; isCancelled: boolean} {
  const {buyer, stateId} = drawOrder(seed, ordinal, customers)
  return {buyer, totalCents: sumLines(drawLines(seed, ordinal)), isCancelled: stateId === CANCELLED_ID}
}

/**
 * The order at a position. Rows of one entity have the same members in the same order.
 *
 * @param customers how many customers there are to choose from
 */
export function buildOrder(seed: number, ordinal: number, customers: number): SeededOrder {
  const {buyer, random, deepLinkCode, stateId} = drawOrder(seed, ordinal, customers)
  const {customer, address} = drawCustomer(seed, buyer)
  const transaction = drawTransaction(seed, ordinal)
  const createdAt = deriveOrderTime(ordinal)
  const addressId = deriveSeededId(seed, 'order_address', ordinal)
  const {orderId} = transaction
  return {
    order: [orderValues(transaction, addressId, customer, {deepLinkCode, stateId, createdAt})],
    order_customer: [
      {
        id: deriveSeededId(seed, 'order_customer', ordinal),
        orderId,
        createdAt,
        customerId: customer.id,
        email: customer.email,
        firstName: customer.firstName,
        lastName: customer.lastName,
        company: customer.company,
        title: customer.title,
        customerNumber: customer.customerNumber,
        salutationId: customer.salutationId,
      },
    ],
    order_address: [buildAddressValues(addressId, orderId, address, createdAt)],
    order_line_item: drawLines(seed, ordinal).map((line, index) =>
      buildLineValues(line, index, orderId, createdAt),
    ),
    order_delivery: [
      {
        id: deriveSeededId(seed, 'order_delivery', ordinal),
        orderId,
        createdAt,
        shippingOrderAddressId: addressId,
        shippingMethodId: BASE_IDS.shippingMethod,
        stateId: random.pick(DELIVERY_STATE_IDS),
        trackingCodes: random.drawOnceIn(3) ? [random.drawText('0123456789', 14)] : [],
        shippingDateEarliest: createdAt,
        shippingDateLatest: createdAt,
        shippingCosts: NO_PRICE,
      },
    ],
    order_transaction: [buildTransactionValues(transaction, createdAt)],
  }
}

function orderValues(
  {orderId, orderNumber, amountTotal}: SeededTransaction,
  billingAddressId: string,
  customer: Values,
  {deepLinkCode, stateId, createdAt}: Pick<Drawn, 'deepLinkCode' | 'stateId'> & {readonly createdAt: Date},
): Values {
  return {
    id: orderId,
    orderNumber,
    billingAddressId,
    currencyId: SYSTEM_CURRENCY_ID,
    languageId: customer.languageId,
    salesChannelId: BASE_IDS.salesChannel,
    orderDateTime: createdAt,
    orderDate: createdAt.toISOString().slice(0, 10),
    price: buildPrice(amountTotal, amountTotal, 1),
    amountTotal,
    amountNet: convertToCents(amountTotal / (1 + VAT)),
    positionPrice: amountTotal,
    taxStatus: 'gross',
    shippingCosts: NO_PRICE,
    shippingTotal: 0,
    currencyFactor: 1,
    deepLinkCode,
    stateId,
    createdAt,
  }
}

/** An order has its own copy of the address. */
function buildAddressValues(id: string, orderId: string, address: Values, createdAt: Date): Values {
  return {
    id,
    orderId,
    createdAt,
    countryId: address.countryId,
    street: address.street,
    zipcode: address.zipcode,
    city: address.city,
    phoneNumber: address.phoneNumber,
    additionalAddressLine1: address.additionalAddressLine1,
    salutationId: address.salutationId,
    firstName: address.firstName,
    lastName: address.lastName,
    company: address.company,
  }
}

function buildTransactionValues(
  {id, orderId, state, amountTotal, providerOrderId, providerPaymentId}: SeededTransaction,
  createdAt: Date,
): Values {
  return {
    id,
    orderId,
    createdAt,
    paymentMethodId: BASE_IDS.payPal,
    amount: buildPrice(amountTotal, amountTotal, 1),
    stateId: TRANSACTION_STATE_IDS.get(state),
    customFields: {
      swag_paypal_order_id: providerOrderId,
      swag_paypal_transaction_id: providerPaymentId,
    },
  }
}

interface Line {
  id: string
  sku: string
  label: string
  quantity: number
  /** Cents. */
  unit: number
  /** Cents. */
  total: number
}

/** Cents. */
function sumLines(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.total, 0)
}

function drawLines(seed: number, ordinal: number): Line[] {
  const random = new SeededRandom(seed, 'order_line_item', ordinal)
  const count = 1 + (random.drawOnceIn(3) ? 1 : 0)
  return Array.from({length: count}, (_, index) => {
    const [sku, label, unitPrice] = random.pick(GOODS)
    const quantity = 1 + random.drawBelow(4)
    const unit = Math.round(unitPrice * 100)
    return {
      id: deriveSeededId(seed, 'order_line_item', ordinal * 2 + index),
      sku,
      label,
      quantity,
      unit,
      total: unit * quantity,
    }
  })
}

function buildLineValues(line: Line, index: number, orderId: string, createdAt: Date): Values {
  const {id, sku, label, quantity, unit, total} = line
  return {
    id,
    orderId,
    createdAt,
    identifier: id,
    quantity,
    label,
    payload: {productNumber: sku},
    good: true,
    removable: true,
    stackable: true,
    position: index + 1,
    price: buildPrice(unit / 100, total / 100, quantity),
    unitPrice: unit / 100,
    totalPrice: total / 100,
    type: 'product',
    states: PHYSICAL,
  }
}

/** As JSON text, because there are six in an order. @param unit gross, in euros, as `total` */
function buildPrice(unit: number, total: number, quantity: number): string {
  const tax = convertToCents(total - total / (1 + VAT))
  const taxes = `[{"tax":${tax},"taxRate":19,"price":${total}}]`
  return `{"unitPrice":${unit},"totalPrice":${total},"quantity":${quantity},"calculatedTaxes":${taxes},"taxRules":[{"taxRate":19,"percentage":100}]}`
}

function convertToCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

function formatOrderState(share: number): string {
  let left = share
  for (const [state, portion] of STATES) {
    left -= portion
    if (left < 0) return state
  }
  return 'open'
}
