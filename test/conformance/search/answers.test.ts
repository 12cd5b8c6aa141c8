import {expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion, foreignKeysOf} from '../versions.js'
import {amongCast, castOf, namesOf, pageOf} from './cast.js'
import {
  ACTIVE_ADDRESSES,
  ADDRESS_ATTRIBUTES,
  ADDRESS_MEMBERS,
  CUSTOMER_MEMBERS,
  HIDDEN,
  placedMembersOf,
  RELATIONSHIPS,
} from './members.js'
import {once} from './once.js'

const row = conformance()

/** What stands for the `meta` of a resource, which has none. */
const EMPTY_META = byVersion('null', {'6.7': '[]'})
const JSON_API = {Accept: 'application/vnd.api+json'}

/** Ada, with what is asked for beside her. */
async function ada(shop: Target, criteria: Values = {}): Promise<Values> {
  const filter = [{type: 'equals', field: 'firstName', value: 'Ada'}]
  return (await pageOf(shop, {...criteria, filter})).data[0] as Values
}

async function inJsonApi(shop: Target, criteria: Values, query = ''): Promise<Reply> {
  return shop.post(`/api/search/customer${query}`, await amongCast(shop, criteria), JSON_API)
}

row('§6.6 plain JSON: total, data, aggregations, in that order', async shop => {
  const reply = await shop.search('customer', await amongCast(shop, {limit: 1}))
  expect(reply.headers['content-type']).toBe('application/json')
  expect(Object.keys(reply.json())).toEqual(['total', 'data', 'aggregations'])
})

row('§6.6 plain JSON: the order of members', async shop =>
  expect(placedMembersOf('customer', await ada(shop))).toEqual(CUSTOMER_MEMBERS),
)

row('§6.6 plain JSON: the order of members with associations loaded', async shop =>
  expect(placedMembersOf('customer', await ada(shop, {associations: {tags: {}, group: {}}}))).toEqual(
    CUSTOMER_MEMBERS,
  ),
)

row('§6.6 plain JSON: an association that is not loaded is null, even to-many', async shop => {
  const found = await ada(shop)
  expect(RELATIONSHIPS.map(({name}) => found[name])).toEqual(RELATIONSHIPS.map(() => null))
})

row('§6.6 plain JSON: a loaded to-many is an array, possibly []', async shop => {
  const {tags, orderCustomers} = await ada(shop, {associations: {tags: {}, orderCustomers: {}}})
  expect([(tags as Made[]).length, orderCustomers]).toEqual([2, []])
})

row('§6.6 plain JSON: a loaded to-one', async shop => {
  const {customerGroupId} = await shop.make.ids()
  const {group} = await ada(shop, {associations: {group: {}}})
  expect(group).toMatchObject({id: customerGroupId, apiAlias: 'customer_group'})
})

row('§6.6 plain JSON: a loaded to-one that is not there is null', async shop => {
  const {requestedGroup} = await ada(shop, {associations: {requestedGroup: {}}})
  expect(requestedGroup).toBeNull()
})

row('§7.3 a loaded address: the order of members, and extensions', async shop => {
  const {defaultBillingAddress} = await ada(shop, {associations: {defaultBillingAddress: {}}})
  expect(placedMembersOf('customer_address', defaultBillingAddress as Values)).toEqual(ADDRESS_MEMBERS)
  expect(defaultBillingAddress).toMatchObject({
    apiAlias: 'customer_address',
  })
  expect((defaultBillingAddress as {extensions: object}).extensions).toEqual({
    foreignKeys: {extensions: [], apiAlias: 'customer_address_foreign_keys_extension'},
    internal_mapping_storage: {extensions: [], apiAlias: null},
  })
})

row('§6.6 translated: [] when nothing is translatable, else an object', async shop => {
  const {translated, group} = await ada(shop, {associations: {group: {}}})
  expect(translated).toEqual([])
  const {translated: names, name} = group as Values & {translated: Values}
  expect(names.name).toBe(name)
})

row('§6.6 customFields: {} for an empty set', async shop => {
  const {data} = await pageOf(shop, {filter: [{type: 'equals', field: 'firstName', value: 'Cleo'}]})
  expect(data[0]?.customFields).toEqual({})
  const made = await shop.make.customer({customFields: []})
  const reply = await shop.search('customer', {ids: [made.id]})
  expect(reply.text).toContain('"customFields":{},')
})

row('§6.6 customFields: null when unset', async shop => {
  const {data} = await pageOf(shop, {filter: [{type: 'equals', field: 'firstName', value: 'Gus'}]})
  expect(data[0]?.customFields).toBeNull()
})

row('§6.6 customFields: else an object', async shop =>
  expect((await ada(shop)).customFields).toEqual({color: 'Grün', size: 5}),
)

row.on('6.5', '6.6')('§6.6 extensions.foreignKeys: always', async shop => {
  const {people} = await castOf(shop)
  const foreignKeys = '{"extensions":[],"apiAlias":"customer_foreign_keys_extension"}'
  for (const criteria of [await amongCast(shop, {limit: 1}), {ids: [people.Ada.id]}]) {
    const {text} = await shop.search('customer', criteria)
    expect(text).toContain(`"data":[{"extensions":{"foreignKeys":${foreignKeys}`)
  }
})

row('§6.6 extensions.search: of what was searched', async shop => {
  const {extensions, customerNumber, autoIncrement} = await ada(shop)
  expect(JSON.stringify((extensions as Values).search)).toBe(
    JSON.stringify({
      extensions: [],
      ...byVersion({_uniqueIdentifier: null}, {'6.7': {}}),
      translated: [],
      autoIncrement,
      customerNumber,
    }),
  )
})

row('§6.6 extensions.search: with a score when there is one, as a string', async shop => {
  const {extensions} = await ada(shop, {
    query: [{query: {type: 'equals', field: 'firstName', value: 'Ada'}, score: 250}],
  })
  const {search} = extensions as {search: Values}
  expect(Object.keys(search).at(-1)).toBe('_score')
  expect([typeof search._score, Number(search._score)]).toEqual(['string', 250])
})

row('§6.6 extensions.search: not of a pure ids query', async shop => {
  const {people} = await castOf(shop)
  const {data} = (await shop.search('customer', {ids: [people.Ada.id]})).json()
  expect(data[0].extensions).toEqual(byVersion(foreignKeysOf('customer'), {'6.7': undefined}))
})

row('§6.6 extensions.search: not of ids that are filtered by a field of their own', async shop => {
  const {people} = await castOf(shop)
  const {data} = (await shop.search('customer', await amongCast(shop, {ids: [people.Ada.id]}))).json()
  expect(data[0].extensions).toEqual(byVersion(foreignKeysOf('customer'), {'6.7': undefined}))
})

row('§6.6 extensions.search: of ids that are sorted, or filtered by many things', async shop => {
  const {people} = await castOf(shop)
  const filter = [{type: 'equals', field: 'addresses.city', value: 'London'}]
  for (const criteria of [{sort: 'firstName'}, {filter}]) {
    const {data} = (await shop.search('customer', {ids: [people.Ada.id], ...criteria})).json()
    expect(data[0].extensions).toHaveProperty('search')
  }
})

row('§6.6 never present: password, legacyPassword, legacyEncoder, newsletterSalesChannelIds', async shop => {
  const made = await shop.make.customer({password: 'correct horse battery'})
  for (const headers of [{}, JSON_API]) {
    const {text} = await shop.search('customer', {ids: [made.id]}, headers)
    for (const name of HIDDEN) expect(text).not.toContain(name)
  }
})

const only = (...names: string[]) => ({includes: {customer: names}})

row('§6.6 includes: the listed properties, in entity order, and apiAlias', async shop => {
  const found = await ada(shop, only('lastName', 'firstName', 'createdAt', 'nothing'))
  expect(Object.keys(found)).toEqual(['createdAt', 'firstName', 'lastName', 'apiAlias'])
})

row('§6.6 includes: id, extensions, _uniqueIdentifier when listed', async shop => {
  const found = await ada(shop, only('id', 'extensions', '_uniqueIdentifier'))
  expect(Object.keys(found)).toEqual(['extensions', '_uniqueIdentifier', 'id', 'apiAlias'])
  expect(Object.keys(found.extensions as Values)).toEqual([
    ...Object.keys(foreignKeysOf('customer')),
    'search',
  ])
})

row('§6.6 includes: nothing listed leaves apiAlias', async shop =>
  expect(await ada(shop, only())).toEqual({apiAlias: 'customer'}),
)

row('§6.6 includes: a text in place of a list breaks what would be shown', async shop => {
  const reply = await shop.search('customer', await amongCast(shop, {includes: {customer: 'id'}}))
  expect([reply.status, reply.json().errors[0].code]).toEqual([500, '0'])
})

row('§6.6 includes: aliases that are not listed are untouched', async shop => {
  const associations = {addresses: {limit: 1}}
  const {addresses, ...rest} = await ada(shop, {...only('addresses'), associations})
  expect(rest).toEqual({apiAlias: 'customer'})
  expect(placedMembersOf('customer_address', (addresses as Values[])[0] as Values)).toEqual(ADDRESS_MEMBERS)
  const whole = await ada(shop, {includes: {customer_address: ['city']}, associations})
  expect(placedMembersOf('customer', whole)).toEqual(CUSTOMER_MEMBERS)
  expect(Object.keys((whole.addresses as Values[])[0] as Values)).toEqual(['city', 'apiAlias'])
})

row('§6.6 fields: the fields asked and id', async shop => {
  const found = await ada(shop, {fields: ['firstName', 'email']})
  const {people} = await castOf(shop)
  expect(found).toMatchObject({
    firstName: 'Ada',
    email: people.Ada.email,
    id: people.Ada.id,
    apiAlias: 'customer',
  })
  for (const name of ['lastName', 'customerNumber', 'groupId', 'addresses'])
    expect(found).not.toHaveProperty(name)
})

row('§6.6 fields: their parents', async shop => {
  const {defaultBillingAddress, ...rest} = await ada(shop, {fields: ['defaultBillingAddress.city']})
  // 6.5 shows a nested field where the root is asked for one of that name.
  expect(defaultBillingAddress).toMatchObject({
    ...byVersion<object>({city: 'London'}, {'6.5': {}}),
    apiAlias: 'customer_address',
  })
  expect(defaultBillingAddress).not.toHaveProperty('street')
  expect(rest).not.toHaveProperty('firstName')
})

row('§6.6 fields: with the prefix, and never what is hidden or not there', async shop => {
  const found = await ada(shop, {fields: ['customer.email', 'password', 'activeBillingAddress.city', 'foo']})
  const {people} = await castOf(shop)
  expect(found.email).toBe(people.Ada.email)
  const hidden = ['password', 'foo', ...byVersion(['activeBillingAddress'], {'6.7': []})]
  for (const name of hidden) expect(found).not.toHaveProperty(name)
})

row('§6.6 fields: cut further by includes', async shop => {
  const {people} = await castOf(shop)
  const found = await ada(shop, {fields: ['email', 'firstName'], ...only('email', 'lastName')})
  expect(found).toEqual({email: people.Ada.email, apiAlias: 'customer'})
})

row.on('6.6', '6.7')('§6.6 fields: in JSON:API', async shop => {
  const criteria = {fields: ['email', 'defaultBillingAddress.city'], sort: 'firstName', limit: 1}
  const {data, included} = (await inJsonApi(shop, criteria)).json()
  const {people} = await castOf(shop)
  expect(data[0].id).toBe(people.Ada.id)
  expect(Object.keys(data[0].attributes)).toEqual(['email', 'apiAlias'])
  expect(Object.keys(data[0].relationships)).toEqual(['defaultBillingAddress'])
  const address = included.find(({type}: Values) => type === 'customer_address')
  expect(Object.keys(address.attributes)).toEqual(['city', 'apiAlias'])
})

row('§6.6 fields: what is translated stays whole', async shop => {
  const {customerGroupId} = await shop.make.ids()
  const reply = await shop.search('customer-group', {ids: [customerGroupId], fields: ['displayGross']})
  const [group] = reply.json().data
  expect(group).toMatchObject({displayGross: expect.any(Boolean), translated: {name: expect.any(String)}})
})

row('§6.6 JSON:API: data, included, links, meta, aggregations, in that order', async shop => {
  const reply = await inJsonApi(shop, {limit: 1})
  expect(reply.headers['content-type']).toBe('application/vnd.api+json')
  expect(Object.keys(reply.json())).toEqual(['data', 'included', 'links', 'meta', 'aggregations'])
})

row('§6.6 JSON:API resource: id, type, attributes, links, relationships, meta', async shop => {
  const [resource] = (await inJsonApi(shop, {limit: 1, sort: 'firstName'})).json().data
  const {people} = await castOf(shop)
  expect(Object.keys(resource)).toEqual(['id', 'type', 'attributes', 'links', 'relationships', 'meta'])
  expect([resource.id, resource.type, resource.meta]).toEqual([
    people.Ada.id,
    'customer',
    byVersion(null, {'6.7': []}),
  ])
  expect(resource.links).toEqual({self: `${shop.url}/api/customer/${people.Ada.id}`})
})

row('§6.6 JSON:API relationships: not loaded, one is null and many are []', async shop => {
  const [{relationships, links}] = (await inJsonApi(shop, {limit: 1})).json().data
  const {extensions: _, ...others} = relationships
  const known = placedMembersOf('customer', others).map(name => [name, others[name]])
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries(
      RELATIONSHIPS.map(({name, path, isMany}) => [
        name,
        {data: isMany ? [] : null, links: {related: `${links.self}/${path}`}},
      ]),
    ),
  )
})

row('§6.6 JSON:API relationships: loaded', async shop => {
  const {people, tags} = await castOf(shop)
  const associations = {
    defaultBillingAddress: {},
    tags: {sort: 'name'},
    orderCustomers: {},
    requestedGroup: {},
  }
  const filter = [{type: 'equals', field: 'firstName', value: 'Ada'}]
  const {data, included} = (await inJsonApi(shop, {associations, filter})).json()
  const {relationships} = data[0]
  const address = {type: 'customer_address', id: (people.Ada.defaultBillingAddress as Made).id}
  const both = [tags.blue, tags.red].map(({id}) => ({type: 'tag', id}))
  expect(relationships.defaultBillingAddress.data).toEqual(address)
  expect(relationships.tags.data).toEqual(both)
  expect([relationships.orderCustomers.data, relationships.requestedGroup.data]).toEqual([[], null])
  const known = included.filter(({type}: Values) => type !== 'extension')
  expect(known.map(({type, id}: Made) => ({type, id})).toSorted(byId)).toEqual(
    [address, ...both].toSorted(byId),
  )
})

const byId = (one: {id: string}, other: {id: string}) => (one.id < other.id ? -1 : 1)

row('§7.4 an address in included: its members and the order of its attributes', async shop => {
  const filter = [{type: 'equals', field: 'firstName', value: 'Ada'}]
  const {included} = (await inJsonApi(shop, {associations: {defaultBillingAddress: {}}, filter})).json()
  const {people} = await castOf(shop)
  const {id} = people.Ada.defaultBillingAddress as Made
  const address = included.find((one: Made) => one.id === id)
  const ids = ['id', 'type']
  const others = ['attributes', 'links', 'relationships', 'meta']
  expect(Object.keys(address)).toEqual(byVersion([...ids, ...others], {'6.7': [...others, ...ids]}))
  expect(placedMembersOf('customer_address', address.attributes)).toEqual(ADDRESS_ATTRIBUTES)
  expect(address.attributes.apiAlias).toBe('customer_address_foreign_keys_extension')
  expect(address.links.self).toBe(`${shop.url}/api/customer-address/${id}`)
  expect(address.relationships.countryState.links.related).toBe(`${address.links.self}/country-state`)
})

row.on('6.7')(
  'shop-6.7.md 4: a customer shows active addresses, empty, and an address its hash',
  async shop => {
    const found = await ada(shop, {associations: {defaultBillingAddress: {}, activeBillingAddress: {}}})
    for (const name of ACTIVE_ADDRESSES) expect(found[name]).toBeNull()
    expect((found.defaultBillingAddress as Values).hash).toEqual(expect.stringMatching(/./))
  },
)

row('§6.6 JSON:API included: flat and without doubles', async shop => {
  const {customerGroupId, countryId} = await shop.make.ids()
  const associations = {group: {}, addresses: {associations: {country: {}}}}
  const {included} = (await inJsonApi(shop, {associations})).json()
  const named = included.map(({type, id}: Made) => `${type} ${id}`)
  expect(new Set(named).size).toBe(named.length)
  expect(named).toContain(`customer_group ${customerGroupId}`)
  expect(named).toContain(`country ${countryId}`)
  expect(named.filter((name: string) => name.startsWith('customer_address')).length).toBe(12)
})

row('§6.6 JSON:API included: [] when there is none', async shop => {
  const {text} = await inJsonApi(shop, {limit: 1, sort: '-firstName', includes: {customer: ['firstName']}})
  expect(text).toContain('],"included":[],"links":{')
})

/** The links of a page of the cast, the base address left out. */
async function linksOf(shop: Target, criteria: Values, query = ''): Promise<Record<string, string>> {
  const {links} = (await inJsonApi(shop, criteria, query)).json()
  const base = `${shop.url}/api/search/customer`
  return Object.fromEntries(
    Object.entries(links as Record<string, string>).map(([name, url]) => {
      expect(url.startsWith(base)).toBe(true)
      return [name, url.slice(base.length)]
    }),
  )
}
const at = (limit: number, number: number) => `?limit=${limit}&page=${number}`

row.each<[Values, Record<string, string>]>(
  [
    ['mode 0: next when total >= limit', {limit: 4}, {first: at(4, 1), next: at(4, 2), self: ''}],
    [
      'mode 0: prev on a later page',
      {limit: 4, page: 2},
      {first: at(4, 1), prev: at(4, 1), next: at(4, 3), self: ''},
    ],
    [
      'mode 0: no next when the page is not full',
      {limit: 4, page: 3},
      {first: at(4, 1), prev: at(4, 2), self: ''},
    ],
    ['mode 0: next when the page is just full', {limit: 9}, {first: at(9, 1), next: at(9, 2), self: ''}],
    [
      'mode 1: last always, next when not last',
      {limit: 4, 'total-count-mode': 1},
      {first: at(4, 1), last: at(4, 3), next: at(4, 2), self: ''},
    ],
    [
      'mode 1: on the last page',
      {limit: 4, page: 3, 'total-count-mode': 1},
      {first: at(4, 1), prev: at(4, 2), last: at(4, 3), self: ''},
    ],
    [
      'mode 2: next when total > limit, last when total < limit*5+1',
      {limit: 4, 'total-count-mode': 2},
      {first: at(4, 1), next: at(4, 2), last: at(4, 3), self: ''},
    ],
    [
      'mode 2: no last beyond',
      {limit: 1, 'total-count-mode': 2},
      {first: at(1, 1), next: at(1, 2), self: ''},
    ],
    [
      'mode 2: on the last page',
      {limit: 4, page: 3, 'total-count-mode': 2},
      {first: at(4, 1), prev: at(4, 2), last: at(4, 3), self: ''},
    ],
    [
      'mode 2: no next when total is the limit',
      {limit: 9, 'total-count-mode': 2},
      {first: at(9, 1), last: at(9, 1), self: ''},
    ],
    [
      'mode 2: last when just five pages are left',
      {limit: 1, page: 5, 'total-count-mode': 2},
      {first: at(1, 1), prev: at(1, 4), next: at(1, 6), last: at(1, 9), self: ''},
    ],
    [
      'mode 2: no last when a sixth is left',
      {limit: 1, page: 4, 'total-count-mode': 2},
      {first: at(1, 1), prev: at(1, 3), next: at(1, 5), self: ''},
    ],
    [
      'mode 2: past the end',
      {limit: 4, page: 5, 'total-count-mode': 2},
      {first: at(4, 1), prev: at(4, 4), self: ''},
    ],
  ].map(([name, criteria, links]) => [
    `§6.6 JSON:API links, ${name}`,
    criteria as Values,
    links as Record<string, string>,
  ]),
  async (shop, criteria, links) => {
    const found = await linksOf(shop, criteria)
    expect(Object.entries(found)).toEqual(Object.entries(links))
  },
)

row('§6.6 JSON:API links: appended to the query of the request, criteria are not repeated', async shop =>
  expect(await linksOf(shop, {limit: 4}, '?foo=bar')).toEqual({
    first: '?foo=bar&limit=4&page=1',
    next: '?foo=bar&limit=4&page=2',
    self: '?foo=bar',
  }),
)

row('§6.6 JSON:API links: of a listing of an association', async shop => {
  const {people} = await castOf(shop)
  const path = `/api/search/customer/${people.Ada.id}/addresses`
  const {data, links} = (await shop.post(path, {limit: 1}, JSON_API)).json()
  const url = shop.url + path
  expect(links).toEqual({first: url + at(1, 1), next: url + at(1, 2), self: url})
  expect(data[0].links.self).toBe(`${shop.url}/api/customer-address/${data[0].id}`)
})

row('§6.6 JSON:API links: a query is spelled anew', async shop => {
  const {first, self} = await linksOf(shop, {limit: 4}, '?b[]=1&a=2')
  expect(first).toBe(`?b%5B0%5D=1&a=2&${at(4, 1).slice(1)}`)
  expect(self).toBe('?a=2&b%5B0%5D=1')
})

row('§6.6 JSON:API links: a pure ids query has self alone', async shop => {
  const {people} = await castOf(shop)
  const reply = await shop.search('customer', {ids: [people.Ada.id], limit: 1}, JSON_API)
  expect(reply.json().links).toEqual({self: `${shop.url}/api/search/customer`})
})

row.each<[Values, object]>(
  [
    ['0', {limit: 4}, {totalCountMode: 0, total: 4}],
    ['1', {limit: 4, 'total-count-mode': 'exact'}, {totalCountMode: 1, total: 9}],
    ['2', {limit: 1, 'total-count-mode': 2}, {totalCountMode: 2, total: 7}],
  ].map(([mode, criteria, meta]) => [`§6.6 JSON:API meta: mode ${mode}`, criteria as Values, meta as object]),
  async (shop, criteria, meta) => expect((await inJsonApi(shop, criteria)).json().meta).toEqual(meta),
)

row('§6.6 JSON:API includes: attributes and relationships go likewise', async shop => {
  const [resource] = (
    await inJsonApi(shop, {...only('firstName', 'tags'), limit: 1, sort: 'firstName'})
  ).json().data
  expect(resource.attributes).toEqual({firstName: 'Ada', apiAlias: 'customer_foreign_keys_extension'})
  expect(Object.keys(resource.relationships)).toEqual(['tags'])
  expect(Object.keys(resource)).toEqual(['id', 'type', 'attributes', 'links', 'relationships', 'meta'])
})

row('§6.6 JSON:API includes: no relationships are []', async shop => {
  const {text} = await inJsonApi(shop, {...only('firstName'), limit: 1, sort: 'firstName'})
  expect(text).toContain(`"relationships":[],"meta":${EMPTY_META}}`)
})

row.bundledOnly('§6.6 JSON:API relationships: [] of an entity without', async shop => {
  const {id} = (await shop.post('/api/fulfillment/order', ORDER(shop))).json()
  const found = await shop.search('fulfillment-order', {ids: [id]}, JSON_API)
  expect(found.text).toContain(`"relationships":[],"meta":${EMPTY_META}}`)
})

const ORDER = (shop: Target) => ({
  reference: `${shop.run}-a`,
  lines: [{sku: 'TEA-1', quantity: 2}],
  shipTo: {name: 'Ada Byron', street: 'Row 12', city: 'Leipzig', postalCode: '04109', country: 'DE'},
})

const WRITTEN = 'O\'Neill "< & >" / \\ é 佐 😀 \t.'

const awkwardOf = once(shop => shop.make.customer({lastName: WRITTEN, customFields: {'a/"é"': WRITTEN}}))

row('§1.3 JSON escaping of application/json, trap 30', async shop => {
  const {id} = await awkwardOf(shop)
  const {text} = await shop.search('customer', {ids: [id]})
  const escaped =
    'O\\u0027Neill \\u0022\\u003C \\u0026 \\u003E\\u0022 \\/ \\\\ \\u00e9 \\u4f50 \\ud83d\\ude00 \\t.'
  expect(text).toContain(`"lastName":"${escaped}"`)
  expect(text).toContain(`"customFields":{"a\\/\\u0022\\u00e9\\u0022":"${escaped}"}`)
  expect(text).toContain('"orderTotalAmount":0,')
})

row('§1.3 JSON escaping of application/vnd.api+json, trap 30', async shop => {
  const {id} = await awkwardOf(shop)
  const {text} = await shop.search('customer', {ids: [id]}, JSON_API)
  const escaped = 'O\'Neill \\"< & >\\" \\/ \\\\ \\u00e9 \\u4f50 \\ud83d\\ude00 \\t.'
  expect(text).toContain(`"lastName":"${escaped}"`)
  expect(text).toContain(`"customFields":{"a\\/\\"\\u00e9\\"":"${escaped}"}`)
  expect(text).toContain('"orderTotalAmount":0.0,')
})

row('§1.6 date-time: RFC 3339 extended, UTC, three decimals', async shop => {
  const {createdAt, lastLogin} = await ada(shop)
  for (const moment of [createdAt, lastLogin])
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  const made = await shop.make.customer({lastLogin: '2024-10-24T23:30:46+02:00'})
  const {data} = (await shop.search('customer', {ids: [made.id]})).json()
  expect(data[0].lastLogin).toBe('2024-10-24T21:30:46.000+00:00')
})

row('§1.6 date-only field: a full date-time at midnight', async shop => {
  expect((await ada(shop)).birthday).toBe('1815-12-10T00:00:00.000+00:00')
  const made = await shop.make.customer({birthday: '1990-05-06T10:11:12.345+00:00'})
  const {data} = (await shop.search('customer', {ids: [made.id]})).json()
  expect(data[0].birthday).toBe('1990-05-06T00:00:00.000+00:00')
})

row('§1.6 id: what was sent in upper case is none', async shop => {
  await expect(shop.make.customer({id: shop.newId().toUpperCase()})).rejects.toThrow('is not a valid uuid')
})

row('§6.6 what is found is the same in both forms', async shop => {
  const filter = [{type: 'equalsAny', field: 'firstName', value: ['Gus', 'Ada']}]
  const resources = (await inJsonApi(shop, {filter, sort: 'firstName'})).json().data
  expect(resources.map((one: {attributes: Values}) => one.attributes.firstName)).toEqual(
    await namesOf(shop, {filter}),
  )
})
