import {
  bool,
  customFields,
  dateTime,
  entity,
  float,
  id,
  int,
  json,
  manyToMany,
  ranked,
  rankedWhole,
  text,
  toMany,
  toOne,
  version,
} from '../describe.js'

/** Small tables that customers and orders refer to, set up once. */

export const customerGroup = entity('customer_group', {
  fields: [text('name', {translated: true, ...ranked(500)}), bool('displayGross'), customFields()],
  associations: [toMany('customers', 'customer', 'groupId')],
  writing: {required: ['name'], defaults: {displayGross: true}},
})

export const salesChannel = entity('sales_channel', {
  fields: [
    id('typeId'),
    id('languageId'),
    id('currencyId'),
    id('paymentMethodId'),
    id('shippingMethodId'),
    id('countryId'),
    id('customerGroupId'),
    text('name', {translated: true, ...ranked(500)}),
    text('accessKey', {indexed: true}),
    bool('active'),
    customFields(),
  ],
  associations: [
    toOne('language', 'language'),
    toOne('currency', 'currency'),
    toOne('paymentMethod', 'payment_method'),
    toOne('shippingMethod', 'shipping_method'),
    toOne('country', 'country'),
    toOne('customerGroup', 'customer_group'),
    toMany('customers', 'customer', 'salesChannelId'),
    toMany('orders', 'order', 'salesChannelId'),
  ],
  writing: {
    required: [
      'typeId',
      'languageId',
      'currencyId',
      'paymentMethodId',
      'shippingMethodId',
      'countryId',
      'customerGroupId',
      'name',
      'accessKey',
    ],
    defaults: {active: true},
  },
})

export const language = entity('language', {
  fields: [
    id('parentId'),
    id('localeId'),
    id('translationCodeId'),
    text('name', ranked(500)),
    customFields(),
  ],
  associations: [
    toOne('locale', 'locale'),
    toMany('customers', 'customer', 'languageId'),
    toMany('orders', 'order', 'languageId'),
  ],
})

export const locale = entity('locale', {
  fields: [
    text('code', {indexed: true}),
    text('name', {translated: true}),
    text('territory', {translated: true}),
    customFields(),
  ],
  associations: [toMany('languages', 'language', 'localeId'), toMany('users', 'user', 'localeId')],
})

export const salutation = entity('salutation', {
  fields: [
    text('salutationKey', {indexed: true}),
    text('displayName', {translated: true, ...ranked(500)}),
    text('letterName', {translated: true}),
    customFields(),
  ],
  associations: [
    toMany('customers', 'customer', 'salutationId'),
    toMany('customerAddresses', 'customer_address', 'salutationId'),
    toMany('orderCustomers', 'order_customer', 'salutationId'),
    toMany('orderAddresses', 'order_address', 'salutationId'),
  ],
})

export const country = entity('country', {
  fields: [
    text('name', {translated: true, ...ranked(500)}),
    text('iso', {...rankedWhole(250), indexed: true}),
    int('position'),
    bool('active'),
    bool('shippingAvailable'),
    text('iso3', ranked(250)),
    customFields(),
  ],
  associations: [
    toMany('states', 'country_state', 'countryId'),
    toMany('customerAddresses', 'customer_address', 'countryId'),
    toMany('orderAddresses', 'order_address', 'countryId'),
  ],
})

export const countryState = entity('country_state', {
  fields: [
    id('countryId', {indexed: true}),
    text('shortCode', ranked(500)),
    text('name', {translated: true, ...ranked(500)}),
    int('position'),
    bool('active'),
    customFields(),
  ],
  associations: [toOne('country', 'country')],
})

export const currency = entity('currency', {
  fields: [
    float('factor'),
    text('symbol', ranked(500)),
    text('isoCode', {...ranked(500), indexed: true}),
    text('shortName', {translated: true, ...ranked(500)}),
    text('name', {translated: true, ...ranked(500)}),
    int('position'),
    customFields(),
    json('itemRounding'),
    json('totalRounding'),
  ],
  associations: [toMany('orders', 'order', 'currencyId')],
})

export const paymentMethod = entity('payment_method', {
  fields: [
    text('name', {translated: true, ...ranked(500)}),
    text('distinguishableName', {translated: true}),
    text('description', {translated: true}),
    int('position'),
    bool('active'),
    bool('afterOrderEnabled'),
    text('technicalName', {indexed: true}),
    text('handlerIdentifier'),
    customFields(),
  ],
  associations: [
    toMany('customers', 'customer', 'defaultPaymentMethodId'),
    toMany('orderTransactions', 'order_transaction', 'paymentMethodId'),
  ],
})

export const shippingMethod = entity('shipping_method', {
  fields: [
    text('name', {translated: true, ...ranked(500)}),
    bool('active'),
    int('position'),
    text('description', {translated: true}),
    text('technicalName', {indexed: true}),
    customFields(),
  ],
  associations: [toMany('orderDeliveries', 'order_delivery', 'shippingMethodId')],
})

export const tag = entity('tag', {
  fields: [text('name', {...ranked(500), indexed: true})],
  associations: [
    manyToMany('customers', 'customer', {
      table: 'customer_tag',
      column: 'tag_id',
      targetColumn: 'customer_id',
    }),
  ],
  writing: {required: ['name']},
})

/** Other entities around customers; the bundled shop knows them, but has no rows. */

export const promotion = entity('promotion', {
  fields: [text('name', {translated: true}), bool('active'), text('code'), customFields()],
})

export const productReview = entity('product_review', {
  fields: [
    id('customerId', {indexed: true}),
    id('salesChannelId'),
    text('title'),
    text('content'),
    float('points'),
    bool('status'),
    customFields(),
  ],
  associations: [toOne('customer', 'customer'), toOne('salesChannel', 'sales_channel')],
})

export const customerRecovery = entity('customer_recovery', {
  fields: [text('hash', {hidden: true}), id('customerId', {indexed: true})],
  associations: [toOne('customer', 'customer')],
})

export const customerWishlist = entity('customer_wishlist', {
  fields: [id('customerId', {indexed: true}), id('salesChannelId'), customFields()],
  associations: [toOne('customer', 'customer'), toOne('salesChannel', 'sales_channel')],
})

/** Installed plugins. */
export const plugin = entity('plugin', {
  fields: [
    text('baseClass'),
    text('name', {indexed: true}),
    text('composerName'),
    bool('active'),
    bool('managedByComposer'),
    text('path'),
    text('author'),
    text('copyright'),
    text('license'),
    text('version'),
    text('upgradeVersion'),
    dateTime('installedAt'),
    dateTime('upgradedAt'),
    text('label', {translated: true}),
    text('description', {translated: true}),
    customFields(),
  ],
})

/** State machines for orders, deliveries and payments. @see protocol.md §4.5, §5.3 */
export const stateMachine = entity('state_machine', {
  fields: [
    text('technicalName', {indexed: true}),
    text('name', {translated: true}),
    id('initialStateId'),
    customFields(),
  ],
  associations: [toMany('states', 'state_machine_state', 'stateMachineId')],
})

export const stateMachineState = entity('state_machine_state', {
  fields: [
    text('technicalName', {indexed: true}),
    text('name', {translated: true, ...ranked(500)}),
    id('stateMachineId', {indexed: true}),
    customFields(),
  ],
  associations: [
    toOne('stateMachine', 'state_machine'),
    toMany('orders', 'order', 'stateId'),
    toMany('orderTransactions', 'order_transaction', 'stateId'),
    toMany('orderDeliveries', 'order_delivery', 'stateId'),
  ],
})

/** The history of state changes. */
export const stateMachineHistory = entity('state_machine_history', {
  fields: [
    id('referencedId', {indexed: true}),
    version('referencedVersionId'),
    id('stateMachineId'),
    text('entityName'),
    id('fromStateId'),
    id('toStateId'),
    text('transitionActionName'),
    id('userId'),
    id('integrationId'),
    dateTime('createdAt'),
    dateTime('updatedAt'),
  ],
  associations: [
    toOne('stateMachine', 'state_machine'),
    toOne('fromStateMachineState', 'state_machine_state', 'fromStateId'),
    toOne('toStateMachineState', 'state_machine_state', 'toStateId'),
    toOne('user', 'user'),
  ],
})
