import {expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion, EDITION} from '../versions.js'
import {ACTIVE_ADDRESSES, CUSTOMER_ATTRIBUTES, HIDDEN, RELATIONSHIPS} from './members.js'
import {once} from './once.js'

const row = conformance()

const JSON_API = {Accept: 'application/vnd.api+json'}

/** One customer as both forms tell of it. */
async function told(
  shop: Target,
  id: string,
  associations: Values = {},
): Promise<{plain: Values; attributes: Values}> {
  const plain = (await shop.search('customer', {ids: [id], associations})).json().data[0]
  const {attributes} = (await shop.search('customer', {ids: [id]}, JSON_API)).json().data[0]
  return {plain, attributes}
}

const writableOf = once(shop => shop.make.customer())

const MOMENT = '2024-02-29T12:34:56.789+00:00'
const LONG = 'x'.repeat(255)

/** Each field that may be written, with values and what they are told as where that differs. */
const WRITTEN: Readonly<Record<string, readonly (readonly [written: unknown, told?: unknown])[]>> = {
  firstName: [['Grace'], [LONG], ['佐藤']],
  lastName: [['Hopper'], [LONG]],
  company: [['Acme'], [LONG], [null]],
  email: [['grace@example.test']],
  title: [['Dr.'], ['x'.repeat(100)], [null]],
  vatIds: [[['DE1', 'GB2']], [[]], [null]],
  affiliateCode: [['a-1'], [null]],
  campaignCode: [['c-1'], [null]],
  active: [[false], [true]],
  doubleOptInRegistration: [[true], [false]],
  doubleOptInEmailSentDate: [[MOMENT], [null]],
  doubleOptInConfirmDate: [[MOMENT], [null]],
  hash: [['h-1'], [null]],
  guest: [[true], [false]],
  firstLogin: [[MOMENT], [null]],
  lastLogin: [[MOMENT], [null]],
  birthday: [['1815-12-10', '1815-12-10T00:00:00.000+00:00'], [null]],
  customFields: [[{color: 'green', size: 5, tall: true, of: [1, 2]}], [null]],
  accountType: [['business'], ['private']],
}

row.each<[string]>(
  Object.keys(WRITTEN).map(name => [`§7.1 ${name}: written and told`, name]),
  async (shop, name) => {
    const {id} = await writableOf(shop)
    for (const [value, toldAs = value] of WRITTEN[name] ?? []) {
      const reply = await shop.send('PATCH', `/api/customer/${id}`, {[name]: value})
      expect([reply.status, reply.text]).toEqual([204, ''])
      const {plain, attributes} = await told(shop, id)
      expect([plain[name], attributes[name]]).toEqual([toldAs, toldAs])
    }
  },
)

row('§7.1 customerNumber: written and told', async shop => {
  const {id} = await writableOf(shop)
  const customerNumber = `${shop.run}-x`
  await shop.send('PATCH', `/api/customer/${id}`, {customerNumber})
  const {plain, attributes} = await told(shop, id)
  expect([plain.customerNumber, attributes.customerNumber]).toEqual([customerNumber, customerNumber])
})

/** Fields that hold an id, and of what. */
const IDS = {
  groupId: 'customerGroupId',
  salesChannelId: 'salesChannelId',
  languageId: 'languageId',
  ...byVersion({defaultPaymentMethodId: 'paymentMethodId'} as const, {'6.7': {} as never}),
  lastPaymentMethodId: 'paymentMethodId',
  salutationId: 'salutationId',
  requestedGroupId: 'customerGroupId',
  boundSalesChannelId: 'salesChannelId',
} as const

row.each<[keyof typeof IDS]>(
  Object.keys(IDS).map(name => [`§7.1 ${name}: written and told`, name as keyof typeof IDS]),
  async (shop, name) => {
    const {id} = await writableOf(shop)
    const value = (await shop.make.ids())[IDS[name]]
    expect((await shop.send('PATCH', `/api/customer/${id}`, {[name]: value})).status).toBe(204)
    const {plain, attributes} = await told(shop, id)
    expect([plain[name], attributes[name]]).toEqual([value, value])
  },
)

row('§7.1 defaultBillingAddressId, defaultShippingAddressId: written and told', async shop => {
  const {id} = await writableOf(shop)
  const address = await shop.make.address({customerId: id})
  expect((await shop.post('/api/customer-address', address)).status).toBe(204)
  const both = {defaultBillingAddressId: address.id, defaultShippingAddressId: address.id}
  expect((await shop.send('PATCH', `/api/customer/${id}`, both)).status).toBe(204)
  const {plain, attributes} = await told(shop, id)
  expect(plain).toMatchObject(both)
  expect(attributes).toMatchObject(both)
})

row('§7.1 remoteAddress: an anonymised IP', async shop => {
  const {id} = await writableOf(shop)
  for (const [sent, kept] of [
    ['203.0.113.77', '203.0.113.0'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:8d3::'],
  ]) {
    expect((await shop.send('PATCH', `/api/customer/${id}`, {remoteAddress: sent})).status).toBe(204)
    expect((await told(shop, id)).plain.remoteAddress).toBe(kept)
  }
})

row('§7.1 id: generated when absent, a UUIDv7 without dashes', async shop => {
  const {id: _, ...values} = await shop.make.customer()
  const {defaultBillingAddress: __, ...rest} = values as Values
  const billing = await shop.make.address()
  const number = `${shop.run}-generated`
  const reply = await shop.post('/api/customer', {
    ...rest,
    customerNumber: number,
    defaultBillingAddress: billing,
    defaultShippingAddressId: billing.id,
  })
  expect([reply.status, reply.text]).toEqual([204, ''])
  const filter = [{type: 'equals', field: 'customerNumber', value: number}]
  const [found] = (await shop.search('customer', {filter})).json().data
  shop.make.remember('customer', found.id)
  expect(found.id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  expect(reply.headers.location).toBe(`${shop.url}/api/customer/${found.id}`)
})

row(
  '§7.1 active, guest, doubleOptInRegistration, accountType: what they are when nothing is said',
  async shop => {
    const {id} = await shop.make.customer()
    expect((await told(shop, id)).plain).toMatchObject({
      active: true,
      guest: false,
      doubleOptInRegistration: false,
      accountType: 'private',
    })
  },
)

row('§7.1 autoIncrement, orderCount, reviewCount, orderTotalAmount: what the database gives', async shop => {
  const [first, second] = [await shop.make.customer(), await shop.make.customer()]
  const [one, other] = [(await told(shop, first.id)).plain, (await told(shop, second.id)).plain]
  expect(Number.isInteger(one.autoIncrement)).toBe(true)
  expect(other.autoIncrement as number).toBeGreaterThan(one.autoIncrement as number)
  expect(one).toMatchObject({orderCount: 0, reviewCount: 0, orderTotalAmount: 0, lastOrderDate: null})
})

row('§7.1 createdAt when it was made, updatedAt null until the first update', async shop => {
  const {id} = await shop.make.customer()
  const {plain: before} = await told(shop, id)
  expect(before.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  expect(before.updatedAt).toBeNull()
  await shop.send('PATCH', `/api/customer/${id}`, {firstName: 'Grace'})
  const {plain: after} = await told(shop, id)
  expect(after.createdAt).toBe(before.createdAt)
  expect(after.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
})

row('§7.1 tagIds: a list of ids, computed', async shop => {
  const [tag] = (await shop.make.rows('tag', [{name: `tag ${shop.run}`}])) as [Made]
  const {id} = await shop.make.customer({tags: [{id: tag.id}]})
  const {plain, attributes} = await told(shop, id)
  expect([plain.tagIds, attributes.tagIds]).toEqual([[tag.id], [tag.id]])
})

row('§7.1 createdById, updatedById: set by API scope, of a user', async shop => {
  const person = await shop.make.person([], {admin: true})
  const headers = {Authorization: `Bearer ${await person.token()}`}
  const values = await shop.make.customer()
  const {defaultBillingAddress: _, ...rest} = values as Values
  const billing = await shop.make.address()
  const id = shop.newId()
  const made = {
    ...rest,
    id,
    customerNumber: `${shop.run}-by`,
    defaultBillingAddress: billing,
    defaultShippingAddressId: billing.id,
  }
  expect((await shop.post('/api/customer', made, headers)).status).toBe(204)
  shop.make.remember('customer', id)
  expect((await told(shop, id)).plain).toMatchObject({createdById: person.id, updatedById: null})
  expect((await shop.send('PATCH', `/api/customer/${values.id}`, {title: 'Dr.'}, headers)).status).toBe(204)
  expect((await told(shop, values.id)).plain).toMatchObject({createdById: null, updatedById: person.id})
  const {plain} = await told(shop, values.id, {updatedBy: {}})
  expect(plain.updatedBy).toMatchObject({id: person.id, username: person.username, apiAlias: 'user'})
})

const READ_ONLY: Values = {
  newsletterSalesChannelIds: {x: '0192b7a1c2d37e4f8a9b0c1d2e3f4a5c'},
  autoIncrement: 5,
  lastOrderDate: MOMENT,
  orderCount: 5,
  reviewCount: 5,
  orderTotalAmount: 5.5,
  tagIds: ['0192b7a1c2d37e4f8a9b0c1d2e3f4a5c'],
}

row.each<[string]>(
  Object.keys(READ_ONLY).map(name => [`§7.1 ${name}: read only, a write is 403 or 400`, name]),
  async (shop, name) => {
    const {id} = await writableOf(shop)
    const reply = await shop.send('PATCH', `/api/customer/${id}`, {[name]: READ_ONLY[name]})
    expect([400, 403]).toContain(reply.status)
    expect(reply.json().errors.length).toBe(1)
  },
)

row.each<[string]>(
  [
    'groupId',
    'salesChannelId',
    ...byVersion(['defaultPaymentMethodId'], {'6.7': []}),
    'customerNumber',
    'firstName',
    'lastName',
    'email',
  ].map(name => [`§7.1 ${name}: required`, name]),
  async (shop, name) => {
    const billing = await shop.make.address()
    const {defaultBillingAddress: _, ...values} = (await writableOf(shop)) as Values
    const whole = {
      ...values,
      id: shop.newId(),
      defaultBillingAddress: billing,
      defaultShippingAddressId: billing.id,
    }
    const reply = await shop.post('/api/customer', {...whole, [name]: undefined})
    expect(reply.status).toBe(400)
    expect(reply.json().errors[0].source.pointer).toBe(`/0/${name}`)
    expect((await shop.send('PATCH', `/api/customer/${values.id}`, {[name]: null})).status).toBe(400)
  },
)

row('§7.1 defaultBillingAddressId: required', async shop => {
  const {defaultBillingAddress: _, ...values} = (await writableOf(shop)) as Values
  const reply = await shop.post('/api/customer', {...values, id: shop.newId()})
  expect(reply.status).toBe(400)
})

row.each<[string, unknown]>(
  [
    ['customerNumber: longer than 255', 'customerNumber', `${LONG}x`],
    ['firstName: longer than 255', 'firstName', `${LONG}x`],
    ['lastName: longer than 255', 'lastName', `${LONG}x`],
    ['company: longer than 255', 'company', `${LONG}x`],
    ['password: shorter than a customer may have it', 'password', 'x'],
    ['email: no e-mail', 'email', 'nobody'],
    ['firstName: no string', 'firstName', 5],
    ['active: no bool', 'active', 'maybe'],
    ['groupId: no uuid', 'groupId', 'x'],
  ].map(([title, name, value]) => [`§7.1 ${title}, refused`, name as string, value]),
  async (shop, name, value) => {
    const {id} = await writableOf(shop)
    const reply = await shop.send('PATCH', `/api/customer/${id}`, {[name]: value})
    expect([reply.status, reply.json().errors[0].source.pointer]).toEqual([400, `/0/${name}`])
  },
)

row('real-shop.md 3: a customer without a salutation has the one called not_specified', async shop => {
  const {id} = await shop.make.customer()
  const {salutationId} = await shop.make.ids()
  const keyOf = async () => {
    const criteria = {ids: [id], associations: {salutation: {}}}
    return (await shop.search('customer', criteria)).json().data[0].salutation.salutationKey
  }
  expect(await keyOf()).toBe('not_specified')
  await shop.send('PATCH', `/api/customer/${id}`, {salutationId})
  await shop.send('PATCH', `/api/customer/${id}`, {salutationId: null})
  expect(await keyOf()).toBe('not_specified')
})

row(
  'real-shop.md 3: addresses of customers, and customers of orders, stay without a salutation',
  async shop => {
    const {id} = await addressOf(shop)
    const order = await shop.make.order()
    const found = async (entity: string, field: string, value: unknown) =>
      (await shop.search(entity, {filter: [{type: 'equals', field, value}]})).json().data[0].salutationId
    expect(await found('customer-address', 'id', id)).toBeNull()
    expect(await found('order-customer', 'orderId', order.id)).toBeNull()
    expect(await found('order-address', 'orderId', order.id)).not.toBeNull()
  },
)

row('§7.1 title: longer than 100, refused', async shop => {
  const {id} = await writableOf(shop)
  expectTooLong(await shop.send('PATCH', `/api/customer/${id}`, {title: 'x'.repeat(101)}), 'title')
})

/** 6.5 leaves lengths below the usual one to the database. */
function expectTooLong(reply: Reply, name: string): void {
  const [{code, source}] = reply.json().errors
  if (EDITION.checksLengths) expect([reply.status, source.pointer]).toEqual([400, `/0/${name}`])
  else expect([reply.status, code]).toEqual([500, '1406'])
}

row('§7.1 lastLogin: no date-time breaks the shop', async shop => {
  const {id} = await writableOf(shop)
  const reply = await shop.send('PATCH', `/api/customer/${id}`, {lastLogin: 'no date'})
  expect([reply.status, reply.json().errors[0].code]).toEqual([500, '0'])
})

row('§7.1 email: may come twice', async shop => {
  const {email} = await writableOf(shop)
  const second = await shop.make.customer({email: email as string})
  expect((await told(shop, second.id)).plain.email).toBe(email)
})

row.each<[string]>(
  ['password', 'legacyPassword', 'legacyEncoder'].map(name => [`§7.1 ${name}: written, never told`, name]),
  async (shop, name) => {
    const {id} = await writableOf(shop)
    const written = {
      [name]: 'correct horse battery',
      ...(name === 'password' ? {} : {legacyEncoder: 'Md5', legacyPassword: 'x'.repeat(32)}),
    }
    expect((await shop.send('PATCH', `/api/customer/${id}`, written)).status).toBe(204)
    const {plain, attributes} = await told(shop, id)
    for (const hidden of HIDDEN) {
      expect(plain).not.toHaveProperty(hidden)
      expect(attributes).not.toHaveProperty(hidden)
    }
  },
)

row('§7.1 customFields: filterable as customFields.<name>', async shop => {
  const {id} = await shop.make.customer({customFields: {[`key_${shop.run}`]: `value ${shop.run}`}})
  const filter = [{type: 'equals', field: `customFields.key_${shop.run}`, value: `value ${shop.run}`}]
  const {data} = (await shop.search('customer', {filter})).json()
  expect(data.map((one: Made) => one.id)).toEqual([id])
})

row('§7.4 the order of attributes', async shop => {
  const {id} = await writableOf(shop)
  const {attributes} = await told(shop, id)
  expect(Object.keys(attributes)).toEqual(CUSTOMER_ATTRIBUTES)
})

/** A customer with one of everything that may hang on it. */
const richOf = once(async shop => {
  const ids = await shop.make.ids()
  const [tag] = (await shop.make.rows('tag', [{name: `tag ${shop.run}`}])) as [Made]
  const customer = await shop.make.customer({
    tags: [{id: tag.id}],
    salutationId: ids.salutationId,
    lastPaymentMethodId: ids.paymentMethodId,
    requestedGroupId: ids.customerGroupId,
    boundSalesChannelId: ids.salesChannelId,
  })
  return {customer, tag, ids}
})

const ONE = {
  group: ['customer_group', 'customerGroupId'],
  salesChannel: ['sales_channel', 'salesChannelId'],
  language: ['language', 'languageId'],
  lastPaymentMethod: ['payment_method', 'paymentMethodId'],
  ...byVersion({defaultPaymentMethod: ['payment_method', 'paymentMethodId']} as const, {'6.7': {} as never}),
  salutation: ['salutation', 'salutationId'],
  requestedGroup: ['customer_group', 'customerGroupId'],
  boundSalesChannel: ['sales_channel', 'salesChannelId'],
} as const

/** What an association of the rich customer is, in both forms. */
async function linked(
  shop: Target,
  name: string,
): Promise<{plain: unknown; linkage: unknown; included: Made[]}> {
  const {customer} = await richOf(shop)
  const criteria = {ids: [customer.id], associations: {[name]: {}}}
  const plain = (await shop.search('customer', criteria)).json().data[0][name]
  const {data, included} = (await shop.search('customer', criteria, JSON_API)).json()
  return {plain, linkage: data[0].relationships[name].data, included}
}

row.each<[keyof typeof ONE]>(
  Object.keys(ONE).map(name => [`§7.2 ${name}: n:1`, name as keyof typeof ONE]),
  async (shop, name) => {
    const {ids} = await richOf(shop)
    const [type, key] = ONE[name]
    const {plain, linkage, included} = await linked(shop, name)
    expect(plain).toMatchObject({id: ids[key], apiAlias: type})
    expect(linkage).toEqual({type, id: ids[key]})
    expect(included.map(({id}) => id)).toContain(ids[key])
  },
)

row.each<[string]>(
  ['defaultBillingAddress', 'defaultShippingAddress'].map(name => [`§7.2 ${name}: n:1`, name]),
  async (shop, name) => {
    const {customer} = await richOf(shop)
    const {id} = customer.defaultBillingAddress as Made
    const {plain, linkage} = await linked(shop, name)
    expect(plain).toMatchObject({id, customerId: customer.id, apiAlias: 'customer_address'})
    expect(linkage).toEqual({type: 'customer_address', id})
  },
)

row('§7.2 addresses: 1:n', async shop => {
  const {customer} = await richOf(shop)
  const {id} = customer.defaultBillingAddress as Made
  const {plain, linkage} = await linked(shop, 'addresses')
  expect(plain).toMatchObject([{id, city: 'London', apiAlias: 'customer_address'}])
  expect(linkage).toEqual([{type: 'customer_address', id}])
})

row('§7.2 tags: n:m', async shop => {
  const {tag} = await richOf(shop)
  const {plain, linkage} = await linked(shop, 'tags')
  expect(plain).toMatchObject([{id: tag.id, name: tag.name, apiAlias: 'tag'}])
  expect(linkage).toEqual([{type: 'tag', id: tag.id}])
})

row('§7.2 orderCustomers: 1:n', async shop => {
  const {customer} = await richOf(shop)
  const id = shop.newId()
  const orderCustomer = {
    id,
    customerId: customer.id,
    email: 'ada@example.test',
    firstName: 'Ada',
    lastName: 'Byron',
  }
  await shop.make.order({orderCustomer})
  const {plain, linkage} = await linked(shop, 'orderCustomers')
  expect(plain).toMatchObject([{id, customerId: customer.id, apiAlias: 'order_customer'}])
  expect(linkage).toEqual([{type: 'order_customer', id}])
})

row.each<[string]>(
  ['promotions', 'productReviews', 'wishlists'].map(name => [`§7.2 ${name}: to many, none`, name]),
  async (shop, name) => {
    const {plain, linkage} = await linked(shop, name)
    expect([plain, linkage]).toEqual([[], []])
  },
)

row.each<[string]>(
  ['recoveryCustomer', 'createdBy', 'updatedBy'].map(name => [`§7.2 ${name}: to one, none`, name]),
  async (shop, name) => {
    const {plain, linkage} = await linked(shop, name)
    expect([plain, linkage]).toEqual([null, null])
  },
)

row('§7.2 no association is loaded unasked, the hidden ones are never told', async shop => {
  const {customer} = await richOf(shop)
  const {plain} = await told(shop, customer.id)
  for (const {name} of RELATIONSHIPS) expect(plain[name]).toBeNull()
  const {data} = (await shop.search('customer', {ids: [customer.id]}, JSON_API)).json()
  for (const name of byVersion<readonly string[]>(ACTIVE_ADDRESSES, {'6.7': []})) {
    expect(plain).not.toHaveProperty(name)
    expect(Object.keys(data[0].relationships)).not.toContain(name)
  }
})

row('§7.2 addresses: cascade', async shop => {
  const customer = await shop.make.customer()
  const {id} = customer.defaultBillingAddress as Made
  const remaining = async () => (await shop.search('customer-address', {ids: [id]})).json().total
  expect(await remaining()).toBe(1)
  expect((await shop.send('DELETE', `/api/customer/${customer.id}`)).status).toBe(204)
  expect(await remaining()).toBe(0)
})

const addressOf = once(async shop => (await shop.make.customer()).defaultBillingAddress as Made)

row.each<[string]>(
  ['customerId', 'countryId', 'firstName', 'lastName', 'street', 'city'].map(name => [
    `§7.2 customer address, ${name}: required`,
    name,
  ]),
  async (shop, name) => {
    const {id} = await addressOf(shop)
    const {id: customerId} = await writableOf(shop)
    const values = {...(await shop.make.address()), customerId, [name]: undefined}
    expect((await shop.post('/api/customer-address', values)).status).toBe(400)
    expect((await shop.send('PATCH', `/api/customer-address/${id}`, {[name]: null})).status).toBe(400)
  },
)

row.each<[string, readonly unknown[]]>(
  [
    ['zipcode', ['01067', 'x'.repeat(50), null]],
    ['company', ['Acme', null]],
    ['department', ['Looms', null]],
    ['title', ['Dr.', 'x'.repeat(100), null]],
    ['phoneNumber', ['+44 1', 'x'.repeat(40), null]],
    ['additionalAddressLine1', ['Back yard', null]],
    ['additionalAddressLine2', ['Third floor', null]],
    ['firstName', ['Grace', 'x'.repeat(50)]],
    ['lastName', ['Hopper', 'x'.repeat(60)]],
    ['street', ['Row 1']],
    ['city', ['Köln']],
    ['countryStateId', [null]],
    ['salutationId', [null]],
    ['customFields', [{floor: 3}, null]],
  ].map(([name, values]) => [
    `§7.2 customer address, ${name}: written and told`,
    name as string,
    values as unknown[],
  ]),
  async (shop, name, values) => {
    const {id} = await addressOf(shop)
    for (const value of values) {
      expect((await shop.send('PATCH', `/api/customer-address/${id}`, {[name]: value})).status).toBe(204)
      const plain = (await shop.search('customer-address', {ids: [id]})).json().data[0]
      const {attributes} = (await shop.search('customer-address', {ids: [id]}, JSON_API)).json().data[0]
      expect([plain[name], attributes[name]]).toEqual([value, value])
    }
  },
)

row.each<[string, number]>(
  [
    ['firstName', byVersion(50, {'6.7': 255})],
    ['lastName', byVersion(60, {'6.7': 255})],
    ['zipcode', 50],
    ['title', 100],
    ['phoneNumber', 40],
  ].map(([name, most]) => [
    `§7.2 customer address, ${name}: longer than ${most}, refused`,
    name as string,
    most as number,
  ]),
  async (shop, name, most) => {
    const {id} = await addressOf(shop)
    const reply = await shop.send('PATCH', `/api/customer-address/${id}`, {[name]: 'x'.repeat(most + 1)})
    expectTooLong(reply, name)
  },
)

row('§7.2 customer address: customer, country, countryState, salutation', async shop => {
  const {id} = await addressOf(shop)
  const {countryId, salutationId} = await shop.make.ids()
  await shop.send('PATCH', `/api/customer-address/${id}`, {salutationId})
  const associations = {customer: {}, country: {}, countryState: {}, salutation: {}}
  const [plain] = (await shop.search('customer-address', {ids: [id], associations})).json().data
  expect(plain).toMatchObject({
    customer: {id: plain.customerId, apiAlias: 'customer'},
    country: {id: countryId, apiAlias: 'country'},
    countryState: null,
    salutation: {id: salutationId, apiAlias: 'salutation'},
  })
})

/** Three customers, the second as in the protocol's example, and the criteria that find it on the second page. */
const exampleOf = once(async shop => {
  const first = await shop.make.customer()
  const second = await shop.make.customer({birthday: '1815-12-10', customFields: {}})
  const third = await shop.make.customer()
  const value = [first, second, third].map(({id}) => id)
  const filter = [{type: 'equalsAny', field: 'id', value}]
  return {second, criteria: {limit: 1, page: 2, 'total-count-mode': 1, filter, sort: 'autoIncrement'}}
})

/** The salutation that a customer written without one reads as. */
async function defaultSalutationOf(shop: Target): Promise<string> {
  const filter = [{type: 'equals', field: 'salutationKey', value: 'not_specified'}]
  return (await shop.search('salutation', {filter})).json().data[0].id
}

/** What only the answer knows, after a look at its form. */
function given(found: Values): {autoIncrement: number; createdAt: string} {
  const {autoIncrement, createdAt} = found as {autoIncrement: number; createdAt: string}
  expect(Number.isInteger(autoIncrement)).toBe(true)
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  return {autoIncrement, createdAt}
}

const withoutBreaks = (text: string) => inVersion(text.replaceAll(/\n\s*/g, ''))

/** An answer of 6.6 as the version that is asked gives it. */
function inVersion(answer: string): string {
  if (EDITION.name !== '6.7') return answer
  return answer
    .replace(/"foreignKeys":\{.*?\},/, '')
    .replace('"_uniqueIdentifier":null,', '')
    .replace(/"defaultPaymentMethodId":"[^"]*",/, '')
    .replace(/"defaultPaymentMethod":(null|\{.*?\}\}),?/, '')
    .replaceAll('"meta":null', '"meta":[]')
    .replace(/"included":\[\{("id":"[^"]*","type":"[^"]*"),(.*?)\}\],"links"/, '"included":[{$2,$1}],"links"')
}

/** What 6.7 shows at a place that is not described. */
const withoutUnplaced = (answer: string) =>
  EDITION.name === '6.7' ? answer.replaceAll(/"active(Billing|Shipping)Address":null,/g, '') : answer

row('§7.3 the example, byte for byte', async shop => {
  const {second, criteria} = await exampleOf(shop)
  const reply = await shop.search('customer', criteria)
  const {autoIncrement, createdAt} = given(reply.json().data[0])
  const {id, customerNumber, email, groupId, defaultPaymentMethodId, salesChannelId, languageId} = second
  const {id: addressId} = second.defaultBillingAddress as Made
  const salutationId = await defaultSalutationOf(shop)
  expect(reply.headers['content-type']).toBe('application/json')
  expect(withoutUnplaced(reply.text)).toBe(
    withoutBreaks(`{"total":3,"data":[{
"extensions":{"foreignKeys":{"extensions":[],"apiAlias":"customer_foreign_keys_extension"},
"search":{"extensions":[],"_uniqueIdentifier":null,"translated":[],"autoIncrement":${autoIncrement},"customerNumber":"${customerNumber}"}},
"_uniqueIdentifier":"${id}","versionId":null,"translated":[],
"createdAt":"${createdAt}","updatedAt":null,
"groupId":"${groupId}","defaultPaymentMethodId":"${defaultPaymentMethodId}",
"salesChannelId":"${salesChannelId}","languageId":"${languageId}",
"lastPaymentMethodId":null,"defaultBillingAddressId":"${addressId}",
"defaultShippingAddressId":"${addressId}","customerNumber":"${customerNumber}","salutationId":"${salutationId}",
"firstName":"Ada","lastName":"Byron","company":null,"email":"${email}","title":null,"vatIds":null,
"affiliateCode":null,"campaignCode":null,"active":true,"doubleOptInRegistration":false,
"doubleOptInEmailSentDate":null,"doubleOptInConfirmDate":null,"hash":null,"guest":false,"firstLogin":null,
"lastLogin":null,"accountType":"private","birthday":"1815-12-10T00:00:00.000+00:00","lastOrderDate":null,
"orderCount":0,"orderTotalAmount":0,"reviewCount":0,"group":null,"defaultPaymentMethod":null,"salesChannel":null,
"language":null,"lastPaymentMethod":null,"salutation":null,"defaultBillingAddress":null,
"defaultShippingAddress":null,"addresses":null,"orderCustomers":null,"autoIncrement":${autoIncrement},"tags":null,"tagIds":null,
"promotions":null,"recoveryCustomer":null,"productReviews":null,"remoteAddress":null,"requestedGroupId":null,
"requestedGroup":null,"boundSalesChannelId":null,"boundSalesChannel":null,"wishlists":null,"createdById":null,
"createdBy":null,"updatedById":null,"updatedBy":null,"customFields":{},
"id":"${id}","apiAlias":"customer"}],"aggregations":[]}`),
  )
})

/** `:` and digits stay, the slash is escaped. */
const escaped = (url: string) => url.replaceAll('/', '\\/')

// A payment plugin adds a relationship of its own, so that only the bundled shop's bytes are known to the end.
row.bundledOnly('§7.4 the example, byte for byte', async shop => {
  const {second, criteria} = await exampleOf(shop)
  const reply = await shop.search('customer', criteria, JSON_API)
  const {autoIncrement, createdAt} = given(reply.json().data[0].attributes)
  const {id, customerNumber, email, groupId, defaultPaymentMethodId, salesChannelId, languageId} = second
  const {id: addressId} = second.defaultBillingAddress as Made
  const salutationId = await defaultSalutationOf(shop)
  const self = escaped(`${shop.url}/api/customer/${id}`)
  const relationships = RELATIONSHIPS.map(
    ({name, path, isMany}) =>
      `"${name}":{"data":${isMany ? '[]' : 'null'},"links":{"related":"${self}\\/${path}"}}`,
  )
  const extension = `"type":"extension","id":"${id}"`
  const added = ['paypalVaultTokens', 'paypalVaultTokenMappings'].map(
    name => `"${name}":{"data":[],"links":{"related":"${self}\\/extensions\\/${name}"}}`,
  )
  const listing = escaped(`${shop.url}/api/search/customer`)
  const at = (number: number) => `"${listing}?limit=1&page=${number}"`
  expect(reply.headers['content-type']).toBe('application/vnd.api+json')
  expect(reply.text).toBe(
    withoutBreaks(`{"data":[{"id":"${id}","type":"customer","attributes":{
"groupId":"${groupId}","salesChannelId":"${salesChannelId}",
"languageId":"${languageId}","lastPaymentMethodId":null,
"defaultBillingAddressId":"${addressId}","defaultShippingAddressId":"${addressId}",
"autoIncrement":${autoIncrement},"customerNumber":"${customerNumber}","salutationId":"${salutationId}","firstName":"Ada","lastName":"Byron","company":null,
"email":"${email}","title":null,"vatIds":null,"affiliateCode":null,"campaignCode":null,"active":true,
"doubleOptInRegistration":false,"doubleOptInEmailSentDate":null,"doubleOptInConfirmDate":null,"hash":null,
"guest":false,"firstLogin":null,"lastLogin":null,"birthday":"1815-12-10T00:00:00.000+00:00","lastOrderDate":null,
"orderCount":0,"orderTotalAmount":0.0,"reviewCount":0,"customFields":{},"remoteAddress":null,"tagIds":null,
"requestedGroupId":null,"boundSalesChannelId":null,"accountType":"private","createdById":null,"updatedById":null,
"defaultPaymentMethodId":"${defaultPaymentMethodId}","createdAt":"${createdAt}",
"updatedAt":null,"apiAlias":"customer_foreign_keys_extension"},
"links":{"self":"${self}"},
"relationships":{${relationships.join()},"extensions":{"data":{${extension}}}},
"meta":null}],
"included":[{"id":"${id}","type":"extension","attributes":[],"links":[],"relationships":{${added.join()}},"meta":null}],
"links":{"first":${at(1)},"prev":${at(1)},"last":${at(3)},"next":${at(3)},"self":"${listing}"},
"meta":{"totalCountMode":1,"total":3},"aggregations":[]}`),
  )
})

row('§7.4 a loaded relationship, byte for byte', async shop => {
  const {second, criteria} = await exampleOf(shop)
  const associations = {defaultBillingAddress: {}}
  const {text} = await shop.search('customer', {...criteria, associations}, JSON_API)
  const self = escaped(`${shop.url}/api/customer/${second.id}`)
  const {id} = second.defaultBillingAddress as Made
  expect(text).toContain(
    `"defaultBillingAddress":{"data":{"type":"customer_address","id":"${id}"},"links":{"related":"${self}\\/default-billing-address"}}`,
  )
})
