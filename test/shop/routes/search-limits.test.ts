import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {BulkInsert} from '../../../src/shop/store/entities/insert-entities.js'
import {ENTITY_MODEL} from '../../../src/shopware/entities/entities.js'
import {addTo, idOf, person, removeFrom, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'
import {customer, order, type Row} from '../written.js'

let shop: TestShop
let authorization: string
beforeAll(async () => {
  shop = await runShop()
  authorization = `Bearer ${await shop.signIn()}`
  await addTo(shop, 'customer', [person(1), person(2)])
})
afterAll(() => shop.stop())

const search = (criteria: unknown, entity = 'customer') =>
  shop.post(`/api/search/${entity}`, criteria, {authorization})
const detail = async (criteria: unknown, entity?: string) => {
  const answer = await search(criteria, entity)
  const {errors} = (await answer.json()) as {errors?: {detail: string}[]}
  return [answer.status, errors?.[0]?.detail]
}
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({length: count}, (_, index) => make(index))
const equals = (index: number, field = 'firstName') => ({type: 'equals', field, value: `x${index}`})
const nested = (depth: number) =>
  times(depth, () => 0).reduce<Row>(inner => ({type: 'not', queries: [inner]}), equals(1))
const path = (steps: number) => `${'defaultBillingAddress.customer.'.repeat(steps / 2)}firstName`
const ranged = (count: number) => ({
  ...{name: 'a', type: 'range', field: 'orderCount'},
  ranges: times(count, () => ({to: 1})),
})
const loading = (depth: number): Row =>
  depth === 0 ? {} : {associations: {defaultBillingAddress: {associations: {customer: loading(depth - 1)}}}}

describe('the most that criteria hold is found, and one more is refused', () => {
  test.each<[string, (count: number) => unknown, number]>([
    [
      'values',
      count => ({filter: [{type: 'equalsAny', field: 'firstName', value: times(count, String)}]}),
      10_000,
    ],
    ['values', count => ({ids: times(count, idOf)}), 10_000],
    ['fields and associations in filters', count => ({filter: times(count, index => equals(index))}), 5000],
    [
      'fields and associations in filters',
      count => ({filter: [{type: 'or', queries: times(count, index => equals(index))}]}),
      5000,
    ],
    ['scored filters', count => ({query: times(count, index => ({query: equals(index)}))}), 500],
    [
      'fields and associations in filters',
      count => ({filter: times(count / 2, index => equals(index, 'addresses.city'))}),
      5000,
    ],
    [
      'fields and associations in filters',
      count => ({filter: [{type: 'equalsAll', field: 'firstName', value: times(count, String)}]}),
      5000,
    ],
    ['associations on the path to one field', steps => ({filter: [equals(1, path(steps))]}), 12],
    ['associations on the path to one field', steps => ({sort: path(steps)}), 12],
    [
      'associations on the path to one field',
      steps => ({aggregations: [{name: 'a', type: 'count', field: path(steps)}]}),
      12,
    ],
    ['associations', count => loading(count / 2), 100],
    ['sortings', count => ({sort: times(count, () => ({field: 'firstName'}))}), 100],
    ['fields', count => ({fields: times(count, index => `addresses.f${index}`)}), 1000],
    ['characters in the term', count => ({term: 'x'.repeat(count)}), 10_000],
    [
      'aggregations',
      count => ({aggregations: times(count, index => ({name: `a${index}`, type: 'count', field: 'id'}))}),
      100,
    ],
    ['ranges', count => ({aggregations: [ranged(count)]}), 500],
    ['groups', count => ({grouping: times(count, () => 'firstName')}), 100],
    [
      'characters',
      count => ({
        filter: [{type: 'equals', field: 'firstName', value: 'é'.repeat(count - 'equalsfirstName'.length)}],
      }),
      1_000_000,
    ],
    ['members', count => ({nobody: times(count - 1, () => 0)}), 50_000],
  ])('%s', async (what, criteria, most) => {
    expect(await detail(criteria(most))).toEqual([200, undefined])
    const [status, text] = await detail(criteria(most + 2))
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(`^The criteria contain \\d+ ${what}; the maximum is ${most}\\.$`))
  })

  test('groups in groups', async () => {
    expect(await detail({filter: [nested(100)]})).toEqual([200, undefined])
    expect(await detail({filter: [nested(101)]})).toEqual([400, 'The filter is nested too deep.'])
  })

  test('thousands of values of a list, and a term of two hundred words by its first ones', async () => {
    const value = times(5000, String)
    expect(await detail({filter: [{type: 'equalsAny', field: 'vatIds', value}]})).toEqual([200, undefined])
    const term = `byron ${times(200, index => `word${index}`).join(' ')}`
    const {total} = (await (await search({term})).json()) as {total: number}
    expect(total).toBe(2)
  })

  test('inside associations as well', async () => {
    const many = {filter: times(5001, index => equals(index, 'city'))}
    expect((await detail({associations: {addresses: many}}))[1]).toMatch(/fields and associations in filters/)
    const sorted = {sort: times(101, () => ({field: 'city'}))}
    expect((await detail({associations: {addresses: sorted}}))[1]).toMatch(/101 sortings/)
  })

  test('alternatives about many things are one look at them, and each of other conditions is one', async () => {
    const alternatives = times(2000, index => equals(index, 'addresses.zipcode'))
    expect(await detail({filter: [{type: 'or', queries: alternatives}]})).toEqual([200, undefined])
    const looks = (count: number) =>
      times(count, index => ({type: 'not', queries: alternatives.slice(index, index + 1)}))
    expect(await detail({filter: looks(250)})).toEqual([200, undefined])
    expect(await detail({filter: looks(251)})).toEqual([
      400,
      'The query is too large: more than 250 conditions on to-many associations.',
    ])
  })

  test('a query beyond the limits of the database is a 400, not a 500', async () => {
    const deep = times(100, () => 0).reduce<Row>(
      inner => ({type: 'multi', operator: 'or', queries: [inner, equals(1, 'tags.name')]}),
      equals(1, path(12)),
    )
    const [status, why] = await detail({
      filter: times(10, () => deep),
      sort: times(100, index => ({
        field: index % 2 ? path(12) : `orderCustomers.customer.${path(8)}`,
      })),
    })
    expect([status, why]).toEqual([
      400,
      'The query is too large: more than 250 conditions on to-many associations.',
    ])
    const part = {type: 'contains', field: 'firstName', value: 'é'.repeat(100_000)}
    expect(await detail({filter: [part]})).toEqual([
      400,
      'The query is too large: LIKE or GLOB pattern too complex.',
    ])
  })
})

describe('paths that multiply to more rows than a statement may look at', () => {
  let crowded: TestShop
  let bearer: string
  beforeAll(async () => {
    crowded = await runShop()
    bearer = `Bearer ${await crowded.signIn()}`
    await addTo(
      crowded,
      'customer',
      times(2000, index => person(index + 1)),
    )
    const tags = times(3, index => ({id: idOf(index), name: `tag ${index}`}))
    await addTo(crowded, 'tag', tags)
    await tagCustomers(
      crowded,
      times(2000, index => [idOf(index + 1), idOf(0)] as const),
    )
  })
  afterAll(() => crowded.stop())

  const TWICE = 'group.customers.group.customers.firstName'
  const terms = (field: string, more: object = {}) => ({name: 'a', type: 'terms', field, ...more})
  const answer = async (criteria: object, path = 'search/customer') => {
    const found = await crowded.post(`/api/${path}`, {limit: 1, ...criteria}, {authorization: bearer})
    const {errors} = (await found.json()) as {errors?: {detail: string}[]}
    return [found.status, errors?.[0]?.detail]
  }
  const refusal = (name: string) => [
    400,
    expect.stringMatching(
      new RegExp(`^The criteria multiply to about \\de\\d+ rows at "${name}"; the maximum is 5000000\\.$`),
    ),
  ]

  test.each<[string, object, string]>([
    ['sorting', {sort: TWICE}, TWICE],
    ['a count of them', {sort: [{field: TWICE, type: 'count'}]}, TWICE],
    ['a filter', {filter: [equals(1, TWICE)]}, TWICE],
    ['a filter in groups', {filter: [{type: 'not', queries: [equals(1, TWICE)]}]}, TWICE],
    ['a post-filter', {'post-filter': [equals(1, TWICE)]}, TWICE],
    ['a total', {filter: [equals(1, TWICE)], 'total-count-mode': 1}, TWICE],
    ['a scored filter', {query: [{query: equals(1, TWICE), score: 1}]}, TWICE],
    ['an aggregation', {aggregations: [terms(TWICE)]}, TWICE],
    [
      'an aggregation in another',
      {aggregations: [terms('tags.name', {aggregation: {...terms(TWICE), name: 'b'}})]},
      TWICE,
    ],
    [
      'many to many',
      {sort: 'tags.customers.tags.customers.firstName'},
      'tags.customers.tags.customers.firstName',
    ],
    [
      'an association',
      {associations: {tags: {sort: 'customers.tags.customers.tags.customers.firstName'}}},
      'customers.tags.customers.tags.customers.firstName',
    ],
  ])('are refused: %s', async (_, criteria, name) => {
    expect(await answer(criteria)).toEqual(refusal(name))
  })

  test('are refused where only the ids are asked for, and where two ways are joined', async () => {
    expect(await answer({sort: TWICE}, 'search-ids/customer')).toEqual(refusal(TWICE))
    const joined = terms('group.customers.firstName', {
      aggregation: {...terms('salesChannel.customers.firstName'), name: 'b'},
    })
    expect(await answer({aggregations: [joined]})).toEqual(refusal('salesChannel.customers.firstName'))
  })

  test.each<[string, object]>([
    ['once to what an index finds', {sort: 'addresses.city'}],
    ['there and back to one', {filter: [equals(1, 'addresses.customer.addresses.city')]}],
    ['many to many', {aggregations: [terms('tags.name')]}],
    ['of a few things', {ids: [idOf(1), idOf(2)], sort: TWICE.replace('group.customers.', '')}],
  ])('are answered where they are few: %s', async (_, criteria) => {
    expect(await answer(criteria)).toEqual([200, undefined])
  })
})

describe('rows a page', () => {
  test.each([
    ['99999999999999999999', 1],
    [1e300, 1],
    [Number.MAX_SAFE_INTEGER, 7],
    [1e15, 1],
  ])('beyond all numbers are none: page %j of %i', async (page, limit) => {
    const answer = await search({limit, page})
    expect([answer.status, await answer.json()]).toEqual([200, {total: 0, data: [], aggregations: []}])
  })

  test('are as many as the server was started with, and so says the error', async () => {
    const small = await runShop({limits: {maxLimit: 2}})
    onTestFinished(() => small.stop())
    await addTo(small, 'customer', [person(1), person(2), person(3)])
    const bearer = {authorization: `Bearer ${await small.signIn()}`}
    const ask = async (criteria: object) => {
      const answer = await small.post('/api/search/customer', criteria, bearer)
      return (await answer.json()) as {data?: Row[]; errors?: {detail: string; meta: unknown}[]}
    }
    expect((await ask({})).data).toHaveLength(2)
    expect((await ask({limit: 2})).data).toHaveLength(2)
    expect((await ask({limit: 3})).errors?.[0]).toMatchObject({
      code: 'FRAMEWORK__QUERY_LIMIT_EXCEEDED',
      detail: 'The limit must be lower than or equal to MAX_LIMIT(=2). Given: 3',
      meta: {parameters: {maxLimit: 2, limit: 3}},
    })
    const {components} = (await (
      await fetch(`${small.url}/api/_info/openapi3.json`, {headers: bearer})
    ).json()) as {components: {schemas: {Criteria: {properties: {limit: object}}}}}
    expect(components.schemas.Criteria.properties.limit).toMatchObject({maximum: 2})
    const group = await small.post(
      '/api/search/customer-group',
      {associations: {customers: {limit: 3}}},
      bearer,
    )
    expect(((await group.json()) as {data: {customers: Row[]}[]}).data[0]?.customers).toHaveLength(3)
  })

  test('can be more than 500', async () => {
    const large = await runShop({limits: {maxLimit: 600}})
    onTestFinished(() => large.stop())
    await addTo(
      large,
      'customer',
      times(601, index => person(index + 1)),
    )
    const bearer = {authorization: `Bearer ${await large.signIn()}`}
    const answer = await large.post('/api/search-ids/customer', {}, bearer)
    expect(((await answer.json()) as {data: string[]}).data).toHaveLength(600)
  })
})

describe('aggregations', () => {
  test('of a sum beyond all numbers leave the answer JSON', async () => {
    await addTo(shop, 'customer', [person(3, {title: '1e999'})])
    onTestFinished(() => removeFrom(shop, 'customer', [idOf(3)]))
    const sum = {name: 's', type: 'sum', field: 'title'}
    const answer = await search({ids: [idOf(3)], aggregations: [sum]})
    const {aggregations} = (await answer.json()) as {aggregations: {s: {sum: number}}}
    expect(aggregations.s.sum).toBe(0)
  })

  test('have no more buckets than an answer holds', async () => {
    const tags = times(10_001, index => ({id: idOf(index, 'ff'), name: `tag ${index}`}))
    await addTo(shop, 'tag', tags)
    const terms = {name: 't', type: 'terms', field: 'name'}
    expect((await search({aggregations: [terms]}, 'tag')).status).toBe(400)
    const some = await search({aggregations: [{...terms, limit: 5}]}, 'tag')
    const {aggregations} = (await some.json()) as {aggregations: {t: {buckets: object[]}}}
    expect(aggregations.t.buckets).toHaveLength(5)
  })
})

describe('nested entities', () => {
  test('that contain each other in a cycle are not written for ever', async () => {
    await shop.post('/api/customer', customer(50), {authorization})
    const orderCustomer = {...(order(1).orderCustomer as Row), customerId: idOf(50)}
    const orders = times(12, index => order(100 + index, {orderCustomer}))
    const operations = [{entity: 'order', action: 'upsert', payload: orders}]
    await (await shop.post('/api/_action/sync', operations, {authorization})).text()
    const circle = (depth: number): Row =>
      depth === 0 ? {} : {associations: {orderCustomers: {associations: {customer: circle(depth - 1)}}}}
    expect(await detail({ids: [idOf(50)], ...circle(2)})).toEqual([200, undefined])
    expect(await detail({ids: [idOf(50)], ...circle(8)})).toEqual([
      400,
      'The response would contain more than 50000 nested entities; request fewer associations.',
    ])
  })

  test('are not loaded when they are more than an answer holds', async () => {
    const many = await runShop()
    onTestFinished(() => many.stop())
    const insert = new BulkInsert(ENTITY_MODEL.get('country_state'))
    const germany = deriveCountryId('DE')
    const states = times(20_001, index => ({id: idOf(index), countryId: germany, name: String(index)}))
    await many.db.writes.run(db => insert.add(db, states))
    const bearer = {authorization: `Bearer ${await many.signIn()}`}
    const ask = async (criteria: object) => {
      const body = {ids: [germany], associations: {states: criteria}}
      const answer = await many.post('/api/search/country', body, bearer)
      return [answer.status, (await answer.text()).slice(0, 200)]
    }
    const [status, text] = await ask({})
    expect(status).toBe(400)
    expect(text).toContain(
      'The associations load more than 20000 entities at \\u0022states\\u0022; limit or filter them.',
    )
    expect((await ask({limit: 10}))[0]).toBe(200)
  })
})
