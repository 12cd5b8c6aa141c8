import {expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {expectErrors, plainEntry, shopEntry} from '../envelopes.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion, foreignKeysOf} from '../versions.js'
import {once} from './once.js'

const row = conformance()

const JSON_API = {Accept: 'application/vnd.api+json'}
const LIVE_VERSION = '0fa91ce3e96a4bc2be4bd9ce752c3425'

/** An association: its name in a path, what is found there, and whether the thing of the table has some. */
type Way = readonly [path: string, type: string, has?: 'none']

/** Everything that is searched, by the name in its path, with ways that lead on. */
const ENTITIES: Readonly<Record<string, readonly Way[]>> = {
  customer: [
    ['group', 'customer_group'],
    ['sales-channel', 'sales_channel'],
    ['language', 'language'],
    ['last-payment-method', 'payment_method'],
    ['default-billing-address', 'customer_address'],
    ['default-shipping-address', 'customer_address'],
    ['salutation', 'salutation'],
    ['addresses', 'customer_address'],
    ['order-customers', 'order_customer'],
    ['tags', 'tag'],
    ['promotions', 'promotion', 'none'],
    ['product-reviews', 'product_review', 'none'],
    ['recovery-customer', 'customer_recovery', 'none'],
    ['requested-group', 'customer_group'],
    ['bound-sales-channel', 'sales_channel'],
    ['wishlists', 'customer_wishlist', 'none'],
    ['created-by', 'user', 'none'],
    ['updated-by', 'user', 'none'],
    ...byVersion<Way[]>([['default-payment-method', 'payment_method']], {'6.7': []}),
  ],
  'customer-address': [
    ['customer', 'customer'],
    ['country', 'country'],
    ['country-state', 'country_state', 'none'],
    ['salutation', 'salutation'],
  ],
  'customer-group': [['customers', 'customer']],
  order: [
    ['state-machine-state', 'state_machine_state'],
    ['order-customer', 'order_customer'],
    ['currency', 'currency'],
    ['language', 'language'],
    ['sales-channel', 'sales_channel'],
    ['addresses', 'order_address'],
    ['billing-address', 'order_address'],
    ['deliveries', 'order_delivery'],
    ['line-items', 'order_line_item'],
    ['transactions', 'order_transaction'],
  ],
  'order-customer': [
    ['order', 'order'],
    ['customer', 'customer'],
    // The customer of an order is written without one, and stays so.
    ['salutation', 'salutation', 'none'],
  ],
  'order-address': [
    ['country', 'country'],
    ['country-state', 'country_state', 'none'],
    ['salutation', 'salutation'],
    ['order', 'order'],
  ],
  'order-line-item': [['order', 'order']],
  'order-delivery': [
    ['state-machine-state', 'state_machine_state'],
    ['order', 'order'],
    ['shipping-order-address', 'order_address'],
    ['shipping-method', 'shipping_method'],
    ['positions', 'order_delivery_position'],
  ],
  'order-delivery-position': [
    ['order-delivery', 'order_delivery'],
    ['order-line-item', 'order_line_item'],
  ],
  'order-transaction': [
    ['state-machine-state', 'state_machine_state'],
    ['order', 'order'],
    ['payment-method', 'payment_method'],
    ['captures', 'order_transaction_capture', 'none'],
  ],
  'state-machine': [['states', 'state_machine_state']],
  'state-machine-state': [
    ['state-machine', 'state_machine'],
    ['orders', 'order', 'none'],
    ['order-transactions', 'order_transaction', 'none'],
    ['order-deliveries', 'order_delivery'],
  ],
  'state-machine-history': [
    ['state-machine', 'state_machine'],
    ['from-state-machine-state', 'state_machine_state'],
    ['to-state-machine-state', 'state_machine_state'],
    ['user', 'user', 'none'],
  ],
  'sales-channel': [
    ['language', 'language'],
    ['currency', 'currency'],
    ['payment-method', 'payment_method'],
    ['shipping-method', 'shipping_method'],
    ['country', 'country'],
    ['customer-group', 'customer_group'],
    ['customers', 'customer'],
    ['orders', 'order'],
  ],
  language: [
    ['customers', 'customer'],
    ['orders', 'order'],
  ],
  currency: [['orders', 'order']],
  salutation: [
    ['customers', 'customer'],
    ['customer-addresses', 'customer_address'],
  ],
  country: [
    ['customer-addresses', 'customer_address'],
    ['order-addresses', 'order_address'],
  ],
  'payment-method': [
    ['customers', 'customer'],
    ['order-transactions', 'order_transaction'],
  ],
  'shipping-method': [['order-deliveries', 'order_delivery']],
  tag: [['customers', 'customer']],
  user: [],
}

/** One thing of each kind, by the name in its path. */
const thingsOf = once(async (shop): Promise<Record<string, string>> => {
  const ids = await shop.make.ids()
  const [tag] = (await shop.make.rows('tag', [{name: `tag ${shop.run}`}])) as [Made]
  const {salutationId} = ids
  const billing = await shop.make.address({salutationId})
  const customer = await shop.make.customer({
    defaultBillingAddress: billing,
    defaultShippingAddressId: billing.id,
    tags: [{id: tag.id}],
    salutationId,
    lastPaymentMethodId: ids.paymentMethodId,
    requestedGroupId: ids.customerGroupId,
    boundSalesChannelId: ids.salesChannelId,
  })
  const orderCustomer = {
    id: shop.newId(),
    customerId: customer.id,
    email: 'ada@example.test',
    firstName: 'Ada',
    lastName: 'Byron',
  }
  const order = await shop.make.order({orderCustomer})
  const first = (name: string) => (order[name] as [Made])[0].id
  const delivery = first('deliveries')
  const shipped = await shop.post(`/api/_action/order_delivery/${delivery}/state/ship`, {sendMail: false})
  const person = await shop.make.person([])
  const [position] = ((order.deliveries as Values[])[0] as {positions: Made[]}).positions as [Made]
  const state = await onlyOne(shop, 'state-machine-state', 'id', ids.orderStateId)
  return {
    customer: customer.id,
    'customer-address': billing.id,
    'customer-group': ids.customerGroupId,
    order: order.id,
    'order-customer': orderCustomer.id,
    'order-address': order.billingAddressId as string,
    'order-line-item': first('lineItems'),
    'order-delivery': delivery,
    'order-delivery-position': position.id,
    'order-transaction': first('transactions'),
    'state-machine': state.stateMachineId as string,
    // A state of deliveries, which no order is ever in.
    'state-machine-state': shipped.json().id,
    'state-machine-history': (await onlyOne(shop, 'state-machine-history', 'referencedId', delivery)).id,
    'sales-channel': ids.salesChannelId,
    language: ids.languageId,
    currency: ids.currencyId,
    salutation: salutationId,
    country: ids.countryId,
    'payment-method': ids.paymentMethodId,
    'shipping-method': ids.shippingMethodId,
    tag: tag.id,
    user: person.id,
  }
})

async function onlyOne(shop: Target, path: string, field: string, value: string): Promise<Made> {
  const {data} = (await shop.search(path, {filter: [{type: 'equals', field, value}], limit: 1})).json()
  return data[0]
}

const underscored = (path: string) => path.replaceAll('-', '_')

/** That both forms of an answer tell of things of one kind. @returns their ids */
async function expectBothForms(
  shop: Target,
  path: string,
  criteria: Values,
  type: string,
): Promise<string[]> {
  const plain = await shop.post(path, criteria)
  expect([plain.status, plain.headers['content-type']]).toEqual([200, 'application/json'])
  const {total, data} = plain.json()
  expect(Object.keys(plain.json())).toEqual(['total', 'data', 'aggregations'])
  expect(total).toBe(data.length)
  const linked = await shop.post(path, criteria, JSON_API)
  expect([linked.status, linked.headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
  const document = linked.json()
  expect(Object.keys(document)).toEqual(['data', 'included', 'links', 'meta', 'aggregations'])
  expect(document.data.map(({id}: Made) => id)).toEqual(data.map(({id}: Made) => id))
  data.forEach((one: Values, index: number) => {
    expectPlain(one, type)
    expectResource(shop, document.data[index], type)
  })
  return data.map(({id}: Made) => id)
}

function expectPlain(one: Values, type: string): void {
  const {id, _uniqueIdentifier, apiAlias, translated, createdAt} = one
  const extensions = (one.extensions ?? {}) as {foreignKeys?: unknown}
  expect([_uniqueIdentifier, apiAlias]).toEqual([id, type])
  expect(extensions.foreignKeys).toEqual(foreignKeysOf(type).foreignKeys)
  expect(typeof translated).toBe('object')
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  const around = Object.keys(one).filter(name => name !== 'extensions')
  expect(around.slice(0, 5)).toEqual([
    '_uniqueIdentifier',
    'versionId',
    'translated',
    'createdAt',
    'updatedAt',
  ])
  expect(Object.keys(one).slice(-2)).toEqual(['id', 'apiAlias'])
}

function expectResource(shop: Target, one: Values, type: string): void {
  const {id, links, attributes, relationships, meta} = one as Values & {
    attributes: Values
    relationships: object
  }
  const self = `${shop.url}/api/${type.replaceAll('_', '-')}/${id}`
  expect(Object.keys(one)).toEqual(['id', 'type', 'attributes', 'links', 'relationships', 'meta'])
  expect([one.type, links, meta]).toEqual([type, {self}, byVersion(null, {'6.7': [] as never})])
  expect(Object.entries(attributes).at(-1)).toEqual(['apiAlias', `${type}_foreign_keys_extension`])
  for (const [name, {data, links: related}] of Object.entries(relationships)) {
    if (name === 'extensions') {
      expect(data).toEqual({type: 'extension', id})
      continue
    }
    const path = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    expect(related).toEqual({related: `${self}/${path}`})
  }
}

row.each<[string]>(
  Object.keys(ENTITIES).map(path => [`POST /api/search/${path}`, path]),
  async (shop, path) => {
    const id = (await thingsOf(shop))[path] as string
    const criteria = {filter: [{type: 'equals', field: 'id', value: id}]}
    expect(await expectBothForms(shop, `/api/search/${path}`, criteria, underscored(path))).toEqual([id])
  },
)

row.each<[string]>(
  Object.keys(ENTITIES).map(path => [`POST /api/search-ids/${path}`, path]),
  async (shop, path) => {
    const id = (await thingsOf(shop))[path] as string
    const criteria = {filter: [{type: 'equals', field: 'id', value: id}], 'total-count-mode': 1, limit: 5}
    for (const Accept of ['application/json', 'application/vnd.api+json']) {
      const reply = await shop.post(`/api/search-ids/${path}`, criteria, {Accept})
      expect([reply.status, reply.text]).toEqual([200, JSON.stringify({total: 1, data: [id]})])
      expect(reply.headers['content-type']).toBe('application/json')
    }
  },
)

row.each<[string, string, string, boolean]>(
  Object.entries(ENTITIES).flatMap(([path, ways]) =>
    ways.map(
      ([name, type, has]) =>
        [`POST /api/search/${path}/{id}/${name}`, path, name, type, has !== 'none'] as [
          string,
          string,
          string,
          string,
          boolean,
        ],
    ),
  ),
  async (shop, path, name, type, has) => {
    const id = (await thingsOf(shop))[path] as string
    const found = await expectBothForms(shop, `/api/search/${path}/${id}/${name}`, {limit: 3}, type)
    expect(found.length > 0).toBe(has)
  },
)

row('a listing of an association has what hangs on that one thing alone', async shop => {
  const {customer, 'customer-address': address, tag, order, 'order-line-item': line} = await thingsOf(shop)
  await shop.make.customer()
  const ids = async (path: string) => (await shop.post(path, {})).json().data.map((one: Made) => one.id)
  expect(await ids(`/api/search/customer/${customer}/addresses`)).toEqual([address])
  expect(await ids(`/api/search/customer/${customer}/tags`)).toEqual([tag])
  expect(await ids(`/api/search/tag/${tag}/customers`)).toEqual([customer])
  expect(await ids(`/api/search/order/${order}/line-items`)).toEqual([line])
  expect(await ids(`/api/search/customer/${shop.newId()}/addresses`)).toEqual([])
})

row.bundledOnly('POST /api/search/fulfillment-order, search-ids', async shop => {
  const reference = `${shop.run}-1`
  const shipTo = {name: 'Ada Byron', street: 'Row 12', city: 'Leipzig', postalCode: '04109', country: 'DE'}
  const submitted = {reference, lines: [{sku: 'TEA-1', quantity: 2}], shipTo}
  const {id} = (await shop.post('/api/fulfillment/order', submitted)).json()
  const criteria = {filter: [{type: 'equals', field: 'reference', value: reference}]}
  const found = await expectBothForms(shop, '/api/search/fulfillment-order', criteria, 'fulfillment_order')
  expect(found).toEqual([id])
  const reply = await shop.post('/api/search-ids/fulfillment-order', criteria)
  expect(reply.text).toBe(JSON.stringify({total: 1, data: [id]}))
})

row.bundledOnly.each<[string]>(
  [
    'acl-role',
    'country-state',
    'customer-recovery',
    'customer-wishlist',
    'integration',
    'order-transaction-capture',
    'product-review',
    'promotion',
  ].map(path => [`POST /api/search/${path}, search-ids, whatever there is`, path]),
  async (shop, path) => {
    const ids = await expectBothForms(shop, `/api/search/${path}`, {limit: 3}, underscored(path))
    const reply = await shop.post(`/api/search-ids/${path}`, {limit: 3})
    expect(reply.text).toBe(JSON.stringify({total: ids.length, data: ids}))
  },
)

row.each<[string]>(
  [
    'order',
    'order-customer',
    'order-address',
    'order-line-item',
    'order-delivery',
    'order-delivery-position',
    'order-transaction',
  ].map(path => [`§5.2 ${path} is versioned, its version the live one`, path]),
  async (shop, path) => {
    const id = (await thingsOf(shop))[path] as string
    expect((await shop.search(path, {ids: [id]})).json().data[0].versionId).toBe(LIVE_VERSION)
    const [{attributes}] = (await shop.search(path, {ids: [id]}, JSON_API)).json().data
    expect(attributes.versionId).toBe(LIVE_VERSION)
  },
)

row.each<[string]>(
  ['customer', 'customer-address', 'customer-group', 'tag'].map(path => [
    `§7 ${path} is not versioned`,
    path,
  ]),
  async (shop, path) => {
    const id = (await thingsOf(shop))[path] as string
    expect((await shop.search(path, {ids: [id]})).json().data[0].versionId).toBeNull()
  },
)

row.bundledOnly.each<[string]>(
  ['product', 'media', 'webhook-event-log'].map(name => [
    `a search of ${name}, which the bundled shop does not have, finds nothing`,
    name,
  ]),
  async (shop, name) => {
    const {status, text} = await shop.search(name, {limit: 1, 'total-count-mode': 1})
    expect([status, text]).toEqual([200, '{"total":0,"data":[],"aggregations":[]}'])
  },
)

row('§6.1 a way to many things finds them by criteria of their own', async shop => {
  const customer = await shop.make.customer()
  const {id: customerId} = customer
  const [first] = await shop.make.rows('customer_address', [
    {...(await shop.make.address({city: 'Bonn'})), customerId},
    {...(await shop.make.address({city: 'Köln'})), customerId},
  ])
  const path = `/api/search/customer/${customerId}/addresses`
  const cities = async (criteria: Values, end = '') =>
    (await shop.post(path + end, criteria)).json().data.map(({city}: Values) => city)
  expect(await cities({sort: 'city'})).toEqual(['Bonn', 'Köln', 'London'])
  expect(await cities({filter: {city: 'koln'}}, '/')).toEqual(['Köln'])
  expect(await cities({sort: '-city', limit: 1, page: 3})).toEqual(['Bonn'])
  const count = {name: 'n', type: 'count', field: 'id'}
  const {aggregations, data} = (await shop.post(path, {aggregations: [count]})).json()
  expect([aggregations.n.count, Object.keys(data[0].extensions)]).toEqual([
    3,
    expect.arrayContaining(['search']),
  ])
  const other = await shop.make.customer()
  const others = (await shop.post(`/api/search/customer/${other.id}/addresses`, {ids: [first?.id]})).json()
  expect(others.data).toEqual([])
})

row('§6.1 a way that ends where it cannot lead, at a customer of another, is empty', async shop => {
  const [one, {id: customerId}] = [await shop.make.customer(), await shop.make.customer()]
  const address = {...(await shop.make.address()), customerId}
  const [{id}] = (await shop.make.rows('customer_address', [address])) as [Made]
  const reply = await shop.post(`/api/search/customer/${one.id}/addresses/${id}/customer`, {})
  expect(reply.text).toBe('{"total":0,"data":[],"aggregations":[]}')
})

row.each<[string, string]>(
  [
    ['a way over an association that is not there', 'foo-bar', 'fooBar'],
    ['a way over a field', 'first-name', 'firstName'],
  ].map(([title, path, name]) => [`§6.1 ${title}`, path as string, name as string]),
  async (shop, path, name) => {
    const {customer} = await thingsOf(shop)
    const detail = `Resource at path "customer.${name}" is not an existing relation.`
    const code = 'FRAMEWORK__NOT_EXISTING_RELATION_EXCEPTION'
    const entry = shopEntry(404, code, detail, {path: `customer.${name}`})
    expectErrors(await shop.post(`/api/search/customer/${customer}/${path}`, {}), 404, entry)
  },
)

row.bundledOnly('§6.1 a way may be spelled as the member is, and hidden ones lead nowhere', async shop => {
  const {customer, 'customer-address': address} = await thingsOf(shop)
  const at = (name: string) => shop.post(`/api/search/customer/${customer}/${name}`, {})
  expect((await at('defaultBillingAddress')).json().data.map(({id}: Made) => id)).toEqual([address])
  expect((await at('active-billing-address')).status).toBe(404)
})

row('§6.1 what is no route needs no token, and a way by another method is 405', async shop => {
  const {customer} = await thingsOf(shop)
  for (const path of ['customer/123/addresses', `customer/${customer}`, `foo/${customer}/addresses`]) {
    const detail = `No route found for "POST ${shop.url}/api/search/${path}"`
    const reply = await shop.call({method: 'POST', path: `/api/search/${path}`})
    expectErrors(reply, 404, plainEntry(404, detail))
  }
  const path = `/api/search/customer/${customer}/addresses`
  expect((await shop.call({method: 'POST', path})).status).toBe(401)
  const detail = `No route found for "GET ${shop.url}${path}": Method Not Allowed (Allow: POST)`
  expectErrors(await shop.call({path}), 405, plainEntry(405, detail))
})

row('§6.1 a way over /extensions/{name}', async shop => {
  const {customer, tag} = await thingsOf(shop)
  const reply = await shop.post(`/api/search/customer/${customer}/extensions/tags`, {})
  if (shop.isBundled) expect(reply.json().data.map((one: Made) => one.id)).toEqual([tag])
  else expect(reply.json().errors?.[0].detail ?? '').not.toMatch(/^No route found/)
})

row('§1.6 ids in paths are 32 lower-case hex, others are no route', async shop => {
  const {customer} = await thingsOf(shop)
  for (const id of [customer?.toUpperCase(), customer?.slice(1), 'x']) {
    const reply = await shop.post(`/api/search/customer/${id}/addresses`, {})
    expect([reply.status, reply.json().errors[0].code]).toEqual([404, '0'])
    expect(reply.json().errors[0].detail).toMatch(/^No route found for /)
  }
})
