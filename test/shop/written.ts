import {BASE_IDS, deriveCountryId, deriveInitialStateId} from '../../src/shop/runtime/base-data.js'
import {SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../src/shopware/ids.js'
import {idOf} from './people.js'

/** Members of something that is written through the interface. */
export type Row = Record<string, unknown>

/** An address as it is sent. */
export const address = (values: Row = {}) => ({
  firstName: 'Ada',
  lastName: 'Byron',
  street: 'St James Square 12',
  city: 'London',
  zipcode: 'SW1Y',
  countryId: deriveCountryId('GB'),
  ...values,
})
/** A customer as it is sent, with an address. */
export const customer = (number: number, values: Row = {}): Row => ({
  id: idOf(number),
  groupId: BASE_IDS.customerGroup,
  salesChannelId: BASE_IDS.salesChannel,
  languageId: SYSTEM_LANGUAGE_ID,
  defaultPaymentMethodId: BASE_IDS.payPal,
  customerNumber: `C-${number}`,
  firstName: 'Ada',
  lastName: 'Byron',
  email: `ada${number}@example.test`,
  defaultBillingAddress: address({id: idOf(number, 'b111')}),
  defaultShippingAddressId: idOf(number, 'b111'),
  ...values,
})

const PRICE = {totalPrice: 119, netPrice: 100, positionPrice: 119, taxStatus: 'gross', rawTotal: 119}
const ROUNDING = {decimals: 2, interval: 0.01, roundForNet: true}
export const MOMENT = '2026-03-01T08:00:00.000+00:00'
/** An order as it is sent, with all of its parts; ids end with the number. */
export const order = (number: number, values: Row = {}): Row => ({
  id: idOf(number, 'cc11'),
  orderNumber: `O-${number}`,
  salesChannelId: BASE_IDS.salesChannel,
  currencyId: SYSTEM_CURRENCY_ID,
  languageId: SYSTEM_LANGUAGE_ID,
  currencyFactor: 1,
  stateId: deriveInitialStateId('order'),
  orderDateTime: '2026-03-01T07:30:00+02:00',
  price: PRICE,
  shippingCosts: {totalPrice: 4.9, unitPrice: 4.9, quantity: 1},
  itemRounding: ROUNDING,
  totalRounding: ROUNDING,
  billingAddressId: idOf(number, 'ad11'),
  addresses: [address({id: idOf(number, 'ad11')})],
  orderCustomer: {email: 'ada@example.test', firstName: 'Ada', lastName: 'Byron', customerNumber: 'C-1'},
  lineItems: [
    {
      id: idOf(number, '1111'),
      identifier: 'one',
      label: 'A loom',
      quantity: 2,
      price: {unitPrice: 59.5, totalPrice: 119, quantity: 2},
    },
  ],
  deliveries: [
    {
      id: idOf(number, 'de11'),
      shippingOrderAddressId: idOf(number, 'ad11'),
      shippingMethodId: BASE_IDS.shippingMethod,
      stateId: deriveInitialStateId('order_delivery'),
      trackingCodes: [],
      shippingDateEarliest: MOMENT,
      shippingDateLatest: MOMENT,
      positions: [
        {
          id: idOf(number, '5511'),
          orderLineItemId: idOf(number, '1111'),
          price: {unitPrice: 59.5, totalPrice: 119, quantity: 2},
        },
      ],
    },
  ],
  transactions: [
    {
      id: idOf(number, '7711'),
      paymentMethodId: BASE_IDS.payPal,
      stateId: deriveInitialStateId('order_transaction'),
      amount: {totalPrice: 119, quantity: 1},
    },
  ],
  ...values,
})
