import type {Entity, Field, FieldKind} from '../../shopware/entity.js'
import {deriveFixedId, SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../shopware/ids.js'
import type {FulfillmentOrder} from '../../wire/schemas/fulfillment-order.js'
import {BASE_IDS, deriveCountryId, deriveInitialStateId, deriveTagId} from '../runtime/base-data.js'
import type {Json} from './operation.js'

/** One id for each entity, so that the row that one example creates can be changed and deleted by the next ones. */
export const deriveExampleId = (entity: string): string => deriveFixedId('example', entity)

/** An example's values for `POST`, and for `PATCH`. */
interface ExampleThing {
  readonly made: Json
  readonly changed: Json
}

const MOMENT = '2026-03-01T08:00:00.000+00:00'
const ROUNDING = {decimals: 2, interval: 0.01, roundForNet: true}
const PRICE = {unitPrice: 59.5, totalPrice: 119, quantity: 2}
const SECRET = 'an example, not a secret'

const NAME = {firstName: 'Ada', lastName: 'Byron'}
const ADDRESS = {
  ...NAME,
  street: 'St James Square 12',
  city: 'London',
  zipcode: 'SW1Y 4JH',
  countryId: deriveCountryId('GB'),
}

/** A line item, delivery and so on besides those in the example order. */
const inOrder = {orderId: deriveExampleId('order')}

/** The payment of the example order, also used in the example notification. */
export const EXAMPLE_TRANSACTION_ID = deriveExampleId('payment of the order')

function buildExampleDelivery(): Json {
  return {
    stateId: deriveInitialStateId('order_delivery'),
    shippingOrderAddressId: deriveExampleId('address of the order'),
    shippingMethodId: BASE_IDS.shippingMethod,
    trackingCodes: [],
    shippingDateEarliest: MOMENT,
    shippingDateLatest: MOMENT,
  }
}

function buildExampleOrder(): Json {
  return {
    orderNumber: 'EXAMPLE-1',
    orderDateTime: MOMENT,
    stateId: deriveInitialStateId('order'),
    salesChannelId: BASE_IDS.salesChannel,
    currencyId: SYSTEM_CURRENCY_ID,
    currencyFactor: 1,
    languageId: SYSTEM_LANGUAGE_ID,
    price: {totalPrice: 119, netPrice: 100, positionPrice: 119, taxStatus: 'gross'},
    shippingCosts: {unitPrice: 0, totalPrice: 0, quantity: 1},
    itemRounding: ROUNDING,
    totalRounding: ROUNDING,
    billingAddressId: deriveExampleId('address of the order'),
    addresses: [{id: deriveExampleId('address of the order'), ...ADDRESS}],
    orderCustomer: {...NAME, email: 'ada@example.test', customerNumber: 'EXAMPLE-1'},
    lineItems: [
      {
        id: deriveExampleId('line item of the order'),
        identifier: 'loom',
        label: 'A loom',
        quantity: 2,
        price: PRICE,
      },
    ],
    deliveries: [{id: deriveExampleId('delivery of the order'), ...buildExampleDelivery()}],
    transactions: [
      {
        id: EXAMPLE_TRANSACTION_ID,
        stateId: deriveInitialStateId('order_transaction'),
        paymentMethodId: BASE_IDS.payPal,
        amount: {totalPrice: 119, quantity: 1},
      },
    ],
  }
}

/**
 * Examples of rows that can be written in a new shop, by entity. Parts of an order belong to the example order, an
 * address to the example customer, which has to be created first.
 */
export const EXAMPLE_THINGS: Readonly<Record<string, ExampleThing>> = {
  customer: {
    made: {
      ...NAME,
      customerNumber: 'EXAMPLE-1',
      email: 'ada@example.test',
      groupId: BASE_IDS.customerGroup,
      salesChannelId: BASE_IDS.salesChannel,
      languageId: SYSTEM_LANGUAGE_ID,
      defaultPaymentMethodId: BASE_IDS.payPal,
      defaultBillingAddressId: deriveExampleId('address of the customer'),
      defaultShippingAddressId: deriveExampleId('address of the customer'),
      addresses: [{id: deriveExampleId('address of the customer'), ...ADDRESS}],
      tags: [{id: deriveTagId('VIP')}],
    },
    changed: {company: 'Analytical Engines'},
  },
  customer_address: {
    made: {customerId: deriveExampleId('customer'), ...ADDRESS, street: 'Ockham Park 1', city: 'Ockham'},
    changed: {phoneNumber: '+44 20 7946 0000'},
  },
  customer_group: {made: {name: 'Wholesale', displayGross: false}, changed: {name: 'Resellers'}},
  order: {made: buildExampleOrder(), changed: {customerComment: 'Please ring twice.'}},
  order_address: {made: {...inOrder, ...ADDRESS}, changed: {company: 'Analytical Engines'}},
  order_customer: {
    made: {...inOrder, ...NAME, email: 'ada@example.test', customerNumber: 'EXAMPLE-1'},
    changed: {company: 'Analytical Engines'},
  },
  order_line_item: {
    made: {...inOrder, identifier: 'cards', label: 'Punched cards', quantity: 2, price: PRICE},
    changed: {label: 'Punched cards, blue'},
  },
  order_delivery: {
    made: {...inOrder, ...buildExampleDelivery()},
    changed: {trackingCodes: ['1Z999AA10123456784']},
  },
  order_delivery_position: {
    made: {
      orderDeliveryId: deriveExampleId('delivery of the order'),
      orderLineItemId: deriveExampleId('line item of the order'),
      price: PRICE,
    },
    changed: {customFields: {shelf: 'B7'}},
  },
  order_transaction: {
    made: {
      ...inOrder,
      stateId: deriveInitialStateId('order_transaction'),
      paymentMethodId: BASE_IDS.invoice,
      amount: {totalPrice: 119, quantity: 1},
    },
    changed: {customFields: {terms: '30 days'}},
  },
  order_transaction_capture: {
    made: {
      orderTransactionId: EXAMPLE_TRANSACTION_ID,
      stateId: deriveInitialStateId('order_transaction'),
      amount: {totalPrice: 119, quantity: 1},
    },
    changed: {externalReference: '27M47624FP291604U'},
  },
  sales_channel: {
    made: {
      name: 'Market stall',
      typeId: BASE_IDS.salesChannelType,
      languageId: SYSTEM_LANGUAGE_ID,
      currencyId: SYSTEM_CURRENCY_ID,
      paymentMethodId: BASE_IDS.payPal,
      shippingMethodId: BASE_IDS.shippingMethod,
      countryId: deriveCountryId('DE'),
      customerGroupId: BASE_IDS.customerGroup,
      accessKey: 'SWSCEXAMPLEEXAMPLEEXAMPLE1',
    },
    changed: {active: false},
  },
  tag: {made: {name: 'Wholesale'}, changed: {name: 'Reseller'}},
  user: {
    made: {
      ...NAME,
      username: 'ada',
      password: SECRET,
      email: 'ada@example.test',
      localeId: BASE_IDS.locale,
    },
    changed: {title: 'Countess'},
  },
  user_access_key: {
    made: {userId: deriveExampleId('user'), accessKey: 'SWUAEXAMPLEEXAMPLEEXAMPLE1', secretAccessKey: SECRET},
    changed: {customFields: {usedBy: 'the nightly export'}},
  },
  integration: {
    made: {label: 'Nightly export', accessKey: 'SWIAEXAMPLEEXAMPLEEXAMPLE1', secretAccessKey: SECRET},
    changed: {label: 'Weekly export'},
  },
  acl_role: {
    made: {name: 'Support', privileges: ['customer:read', 'customer_address:read']},
    changed: {privileges: ['customer:read', 'customer_address:read', 'order:read']},
  },
}

const VALUES: Readonly<Record<Exclude<FieldKind, 'id'>, unknown>> = {
  text: 'text',
  int: 1,
  float: 1.5,
  bool: true,
  'date-time': '2026-03-01T08:00:00.000+00:00',
  date: '1815-12-10T00:00:00.000+00:00',
  'custom-fields': {},
  json: {},
  list: [],
}

/** A row in plain JSON, with the values of the write example; without associations. */
export function buildExampleRow({name, fields}: Entity): Json {
  const made = EXAMPLE_THINGS[name]?.made ?? {}
  const shown = fields
    .filter(({hidden}) => !hidden)
    .map(field => [field.name, made[field.name] ?? buildExampleValue(field)])
  return {...Object.fromEntries(shown), id: deriveExampleId(name), apiAlias: name}
}

function buildExampleValue({name, kind, constant}: Field): unknown {
  if (constant !== undefined) return constant
  return kind === 'id' ? deriveFixedId('example', name) : VALUES[kind]
}

/** A real notification of the provider, of a type that the shop accepts and ignores. */
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

/** A real notification of the provider about the payment of the example order. @see protocol.md §4.4 */
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

/** An order that any shop accepts. Submitting it again gives the same response. */
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
