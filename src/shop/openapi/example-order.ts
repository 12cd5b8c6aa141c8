import type {FulfillmentOrder} from '../../wire/fulfillment-order/fulfillment-order.js'

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
