import {
  bool,
  customFields,
  date,
  dateTime,
  entity,
  float,
  id,
  int,
  json,
  list,
  rankedWhole,
  text,
  toMany,
  toOne,
  version,
} from '../describe.js'

/** One line of an order. @see protocol.md §5.2 */
export const orderLineItem = entity('order_line_item', {
  versioned: true,
  fields: [
    id('orderId', {indexed: true}),
    version('orderVersionId'),
    id('productId'),
    id('parentId'),
    id('coverId'),
    text('identifier'),
    id('referencedId'),
    int('quantity'),
    text('label'),
    json('payload'),
    bool('good'),
    bool('removable'),
    bool('stackable'),
    int('position'),
    json('price'),
    float('unitPrice'),
    float('totalPrice'),
    text('description'),
    text('type'),
    customFields(),
    list('states'),
  ],
  associations: [toOne('order', 'order')],
  writing: {
    required: ['orderId', 'identifier', 'quantity', 'label', 'price'],
    longest: {description: Number.POSITIVE_INFINITY},
    defaults: {good: true, removable: true, stackable: true, position: 1, states: []},
    computed: {unitPrice: 'price.unitPrice', totalPrice: 'price.totalPrice'},
    owners: ['orderId'],
    loose: ['parentId'],
  },
})

/** A delivery of an order. @see protocol.md §5.2 */
export const orderDelivery = entity('order_delivery', {
  versioned: true,
  fields: [
    id('orderId', {indexed: true}),
    version('orderVersionId'),
    id('shippingOrderAddressId'),
    version('shippingOrderAddressVersionId'),
    id('shippingMethodId'),
    id('stateId'),
    list('trackingCodes'),
    dateTime('shippingDateEarliest'),
    dateTime('shippingDateLatest'),
    json('shippingCosts'),
    customFields(),
  ],
  associations: [
    toOne('stateMachineState', 'state_machine_state', 'stateId'),
    toOne('order', 'order'),
    toOne('shippingOrderAddress', 'order_address'),
    toOne('shippingMethod', 'shipping_method'),
    toMany('positions', 'order_delivery_position', 'orderDeliveryId'),
  ],
  writing: {
    required: [
      'orderId',
      'shippingOrderAddressId',
      'shippingMethodId',
      'stateId',
      'shippingDateEarliest',
      'shippingDateLatest',
    ],
    onlyNew: ['stateId'],
    defaults: {trackingCodes: []},
    owners: ['orderId'],
  },
})

/** How many of a line item are in a delivery. */
export const orderDeliveryPosition = entity('order_delivery_position', {
  versioned: true,
  fields: [
    id('orderDeliveryId', {indexed: true}),
    version('orderDeliveryVersionId'),
    id('orderLineItemId'),
    version('orderLineItemVersionId'),
    json('price'),
    float('unitPrice'),
    float('totalPrice'),
    int('quantity'),
    customFields(),
  ],
  associations: [toOne('orderDelivery', 'order_delivery'), toOne('orderLineItem', 'order_line_item')],
  writing: {
    required: ['orderDeliveryId', 'orderLineItemId'],
    computed: {unitPrice: 'price.unitPrice', totalPrice: 'price.totalPrice', quantity: 'price.quantity'},
    owners: ['orderDeliveryId', 'orderLineItemId'],
  },
})

/**
 * Goods to be sent, as a caller submitted them. References are compared exactly, because they are the caller's keys.
 *
 * @see fulfillment-order.md
 */
export const fulfillmentOrder = entity('fulfillment_order', {
  fields: [
    text('reference', {...rankedWhole(500), unique: true}),
    text('orderNumber', {...rankedWhole(500), indexed: true}),
    dateTime('orderDate'),
    text('status'),
    json('lines'),
    json('shipTo'),
    text('shippingMethod'),
    date('shipNotBefore'),
    bool('hold'),
    text('fillPolicy'),
    text('note'),
    customFields(),
    text('contentHash', {hidden: true}),
    text('idempotencyKey', {hidden: true, indexed: true}),
  ],
})

/** A payment of an order; the payment provider's notifications move its state. @see protocol.md §4.4, §4.5 */
export const orderTransaction = entity('order_transaction', {
  versioned: true,
  indexedCustomFields: ['swag_paypal_order_id', 'swag_paypal_transaction_id'],
  fields: [
    id('orderId', {indexed: true}),
    version('orderVersionId'),
    id('paymentMethodId'),
    json('amount'),
    json('validationData'),
    id('stateId'),
    customFields(),
    dateTime('createdAt', {indexed: true}),
    dateTime('updatedAt'),
  ],
  associations: [
    toOne('stateMachineState', 'state_machine_state', 'stateId'),
    toOne('order', 'order'),
    toOne('paymentMethod', 'payment_method'),
    toMany('captures', 'order_transaction_capture', 'orderTransactionId'),
  ],
  writing: {
    required: ['orderId', 'paymentMethodId', 'amount', 'stateId'],
    onlyNew: ['stateId'],
    owners: ['orderId'],
  },
})

/** A capture of a payment. */
export const orderTransactionCapture = entity('order_transaction_capture', {
  versioned: true,
  fields: [
    id('orderTransactionId', {indexed: true}),
    version('orderTransactionVersionId'),
    id('stateId'),
    text('externalReference'),
    json('amount'),
    list('references'),
    customFields(),
  ],
  associations: [
    toOne('stateMachineState', 'state_machine_state', 'stateId'),
    toOne('transaction', 'order_transaction', 'orderTransactionId'),
  ],
  writing: {
    required: ['orderTransactionId', 'stateId', 'amount'],
    onlyNew: ['stateId'],
    owners: ['orderTransactionId'],
  },
})
