import type {FulfillmentOrder} from '../../wire/fulfillment-order/fulfillment-order.js'
import {EXAMPLE_TRANSACTION_ID} from './example-entities.js'

/** A real notification of the provider's, of a type that the shop takes and does nothing about. */
export const DISPUTE_RESOLVED = {
  id: 'WH-6SA34813406280445-6M160383LS6155516',
  create_time: '2018-06-21T13:57:08.000Z',
  resource_type: 'dispute',
  event_type: 'CUSTOMER.DISPUTE.RESOLVED',
  summary: 'A dispute was resolved with case # PP-000-042-663-135',
  resource: {
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    dispute_channel: 'INTERNAL',
    create_time: '2018-06-21T13:35:44.000Z',
    dispute_id: 'PP-000-042-663-135',
    dispute_life_cycle_stage: 'CHARGEBACK',
    update_time: '2018-06-21T13:55:58.000Z',
    status: 'RESOLVED',
  },
  event_version: '1.0',
}

/** A real notification of the provider's, about the payment of the example order. @see protocol.md §4.4 */
export const CAPTURE_COMPLETED = {
  id: 'WH-58D329510W468432D-8HN650336L201105X',
  create_time: '2019-02-14T21:50:07.940Z',
  resource_type: 'capture',
  event_type: 'PAYMENT.CAPTURE.COMPLETED',
  summary: 'Payment completed for $ 2.51 USD',
  resource: {
    id: '27M47624FP291604U',
    amount: {currency_code: 'USD', value: '2.51'},
    custom_id: JSON.stringify({orderTransactionId: EXAMPLE_TRANSACTION_ID}),
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    seller_receivable_breakdown: {
      gross_amount: {currency_code: 'USD', value: '2.51'},
      paypal_fee: {currency_code: 'USD', value: '0.37'},
      net_amount: {currency_code: 'USD', value: '2.14'},
    },
    create_time: '2019-02-14T21:49:58Z',
    update_time: '2019-02-14T21:49:58Z',
    status: 'COMPLETED',
  },
  event_version: '1.0',
  resource_version: '2.0',
}

/** An order that any shop takes. The same one again is answered as before. */
export const EXAMPLE_ORDER: FulfillmentOrder = {
  reference: 'EXAMPLE-1',
  orderNumber: '10042',
  lines: [
    {sku: 'SW-1001', quantity: 2, unitPrice: {amount: '12.90', currency: 'EUR'}},
    {sku: 'SW-2002', quantity: 1},
  ],
  shipTo: {
    name: 'Ada Byron',
    street: 'Weg 12',
    postalCode: '04109',
    city: 'Leipzig',
    country: 'DE',
    email: 'ada@example.test',
  },
  shippingMethod: 'express',
  note: 'Leave it with the neighbours.',
}
