import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

/** What was measured on a shop of version 6.6 and surprises. @see protocol.md §6 */

let shop: TestShop
let token: string
beforeAll(async () => {
  shop = await runShop()
  token = await shop.signIn()
  await addTo(shop, 'customer', [
    person(1, {firstName: 'Ada', company: 'Engines', orderCount: 1}),
    person(2, {firstName: 'Grace', company: 'Engines', orderCount: 2}),
    person(3, {firstName: 'Ada', company: 'Looms', orderCount: 4}),
  ])
  const cities = [
    ['a1', 1, 'Bonn'],
    ['a2', 1, 'Bonn'],
    ['a3', 3, 'Bonn'],
    ['a4', 2, 'Aachen'],
  ] as const
  await addTo(
    shop,
    'customer_address',
    cities.map(([kind, owner, city]) => ({
      id: idOf(owner, kind),
      customerId: idOf(owner),
      city,
      countryId: deriveCountryId('DE'),
      firstName: 'A',
      lastName: 'B',
      street: 's',
    })),
  )
})
afterAll(() => shop.stop())

// biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
type Json = Record<string, any>
const search = async (criteria: object): Promise<Json> => {
  const answer = await shop.post('/api/search/customer', criteria, {authorization: `Bearer ${token}`})
  return {status: answer.status, ...((await answer.json()) as Json)}
}
const inBonn = {type: 'equals', field: 'addresses.city', value: 'Bonn'}
const EXACT = {'total-count-mode': 1}

describe('a limit of 1 drops the grouping', () => {
  test('so that joined rows are counted', async () => {
    expect((await search({filter: [inBonn], limit: 1, ...EXACT})).total).toBe(3)
    expect((await search({filter: [inBonn], limit: 2, ...EXACT})).total).toBe(2)
    expect((await search({filter: {firstName: 'Ada'}, limit: 1, ...EXACT})).total).toBe(2)
  })

  test('but not by what must not be', async () => {
    const elsewhere = {type: 'not', queries: [inBonn]}
    expect((await search({filter: [elsewhere], limit: 1, ...EXACT})).total).toBe(1)
  })

  test('so that all that earns points is one row, with the points of all', async () => {
    const found = async (more: object) => {
      const {total, data} = await search({term: 'engines', ...EXACT, ...more})
      return [total, data.length, Number(data[0]?.extensions.search._score ?? 0)]
    }
    const [, , points = 0] = await found({limit: 2})
    expect(await found({limit: 2})).toEqual([2, 2, points])
    expect(await found({limit: 1})).toEqual([1, 1, 2 * points])
    expect((await search({term: 'engines', limit: 1, page: 2})).total).toBe(0)
  })
})

test('buckets and sums over a filter of many things count joined rows, and counts do not', async () => {
  const aggregations = [
    {name: 'names', type: 'terms', field: 'firstName'},
    {name: 'orders', type: 'sum', field: 'orderCount'},
    {name: 'people', type: 'count', field: 'id'},
  ]
  const {aggregations: all} = await search({filter: [inBonn], limit: 5, aggregations})
  expect([all.names.buckets[0].count, all.orders.sum, all.people.count]).toEqual([3, 6, 2])
})

test.each<[string, object, number, string]>([
  [
    'an association as a field',
    {filter: {addresses: 'x'}},
    500,
    'FRAMEWORK__FIELD_ACCESSOR_BUILDER_NOT_FOUND',
  ],
  ['an association to sort by', {sort: 'group'}, 500, 'FRAMEWORK__FIELD_ACCESSOR_BUILDER_NOT_FOUND'],
  ['a number as a field', {filter: [{type: 'equals', field: 5, value: 1}]}, 500, '0'],
  ['text as the members of a group', {filter: [{type: 'and', queries: 'x'}]}, 500, '0'],
  [
    'a range without bounds',
    {filter: [{type: 'range', field: 'orderCount', parameters: {}}]},
    400,
    'FRAMEWORK__INVALID_FILTER_QUERY',
  ],
  ['an object of scored filters', {query: {query: {type: 'equals'}}}, 400, 'FRAMEWORK__INVALID_FILTER_QUERY'],
  ['a number as ids', {ids: 5}, 500, '0'],
  ['a number to group by', {grouping: [5]}, 500, '0'],
  [
    'an unknown zone',
    {aggregations: [{name: 'h', type: 'histogram', field: 'createdAt', interval: 'day', timeZone: 'x'}]},
    500,
    'FRAMEWORK__INVALID_TIMEZONE',
  ],
  ['no ranges', {aggregations: [{name: 'r', type: 'range', field: 'orderCount', ranges: []}]}, 500, '1064'],
  [
    'ranges of numbers of the database',
    {aggregations: [{name: 'r', type: 'range', field: 'autoIncrement', ranges: [{from: 1}]}]},
    500,
    'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION',
  ],
  ['the least id', {aggregations: [{name: 'm', type: 'min', field: 'id'}]}, 500, '0'],
  [
    'an unknown kind of entities',
    {aggregations: [{name: 'e', type: 'entity', field: 'groupId', definition: 'foo'}]},
    400,
    'FRAMEWORK__EntityRepository_NOT_FOUND',
  ],
  ['includes of what is shown that are text', {includes: {customer: 'id'}}, 500, '0'],
])('%s is refused', async (_name, criteria, status, code) => {
  const answer = await search(criteria)
  expect([answer.status, answer.errors?.[0].code]).toEqual([status, code])
})

test('a part behind a value finds nothing, and an unknown name is told by its last part', async () => {
  expect(await search({filter: {'firstName.foo': 'Ada'}})).toMatchObject({status: 200, total: 0})
  const {errors} = await search({filter: {'foo.bar': 'x'}})
  expect(errors[0].meta.parameters).toEqual({field: 'bar', entity: 'customer'})
})

test('a bucket inside another has extensions, and no alias', async () => {
  const inner = {name: 'm', type: 'terms', field: 'firstName', sort: {field: 'firstName'}}
  const aggregations = [
    {name: 'n', type: 'terms', field: 'company', sort: {field: 'company'}, aggregation: inner},
  ]
  const {buckets} = (await search({aggregations, limit: 1})).aggregations.n
  expect(buckets[1]).toEqual({
    key: 'Looms',
    count: 1,
    m: {extensions: [], name: 'm', buckets: [{extensions: [], key: 'Ada', count: 1}]},
    apiAlias: 'aggregation_bucket',
  })
})
