import {
  bool,
  customFields,
  dateTime,
  entity,
  float,
  id,
  int,
  json,
  list,
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

/** A parcel of an order. @see protocol.md §5.2 */
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
      'trackingCodes',
      'shippingDateEarliest',
      'shippingDateLatest',
    ],
    onlyNew: ['stateId'],
    owners: ['orderId'],
  },
})

/** How many of a line item lie in a parcel. */
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
