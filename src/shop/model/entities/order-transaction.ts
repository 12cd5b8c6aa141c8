import {customFields, entity, id, json, list, text, toMany, toOne, version} from '../describe.js'

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

/** Money that was taken with a payment. */
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
