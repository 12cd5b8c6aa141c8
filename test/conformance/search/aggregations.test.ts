import {expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {plainJson} from '../envelopes.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'
import {amongCast, castOf, NAMES, namesOf, noon, pageOf, timeIn} from './cast.js'
import {once} from './once.js'

const row = conformance()

/** The member `aggregations` of an answer, as it was written. */
async function bytesOf(shop: Target, aggregations: unknown, criteria: Values = {}): Promise<string> {
  const reply = await shop.search('customer', await amongCast(shop, {...criteria, limit: 1, aggregations}))
  expect([reply.status, reply.text.slice(0, 9)]).toEqual([200, '{"total":'])
  const {text} = reply
  return text.slice(text.lastIndexOf('],"aggregations":') + '],"aggregations":'.length, -1)
}

/** What one aggregation of the cast comes to, its name and alias left out. */
async function resultOf(shop: Target, aggregation: Values, criteria: Values = {}): Promise<Values> {
  const {aggregations} = await pageOf(shop, {...criteria, aggregations: [{name: 'a', ...aggregation}]})
  const {name, apiAlias, ...values} = aggregations.a as Values
  expect([name, apiAlias]).toEqual(['a', 'a_aggregation'])
  return values
}

/** The numbers that the database gave the cast, which follow each other in no known distance. */
const numbersOf = once(async shop => {
  const {data} = await pageOf(shop, {sort: 'firstName'})
  return data.map(({autoIncrement}) => autoIncrement as number)
})
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

row('§6.5 none: aggregations is []', async shop => {
  const {people} = await castOf(shop)
  const reply = await shop.search('customer', {ids: [people.Ada.id]})
  expect(reply.text.endsWith('],"aggregations":[]}')).toBe(true)
  const empty = await shop.search('customer', {ids: [people.Ada.id], aggregations: []})
  expect(empty.text.endsWith('],"aggregations":[]}')).toBe(true)
})

row('§6.5 the envelope, byte for byte', async shop => {
  const numbers = await numbersOf(shop)
  const first = numbers[0] as number
  const last = numbers.at(-1) as number
  const ada = {type: 'equals', field: 'firstName', value: 'Ada'}
  const sizes = {field: 'title', type: 'terms', sort: {field: 'title'}}
  const bytes = await bytesOf(shop, [
    {name: 'n', type: 'count', field: 'title'},
    {
      name: 'x',
      type: 'filter',
      filter: [ada],
      aggregation: {name: 's', type: 'stats', field: 'autoIncrement'},
    },
    {name: 't', ...sizes, aggregation: {name: 'inner', type: 'sum', field: 'autoIncrement'}},
    {name: 'u', ...sizes},
  ])
  const nobody = sum(numbers.slice(0, 6))
  const doctors = sum(numbers.slice(6, 8))
  const inner = (value: number) => `"inner":{"extensions":[],"name":"inner","sum":${value}},`
  const end = '"apiAlias":"aggregation_bucket"}'
  expect(bytes).toBe(
    [
      '{"n":{"name":"n","count":2,"apiAlias":"n_aggregation"},',
      `"s":{"name":"s","min":"${first}","max":"${first}","avg":${first},"sum":${first},"apiAlias":"s_aggregation"},`,
      `"t":{"name":"t","buckets":[{"key":"","count":6,${inner(nobody)}${end},{"key":"Dr.","count":2,${inner(doctors)}${end},{"key":"Prof.","count":1,${inner(last)}${end}],"apiAlias":"t_aggregation"},`,
      `"u":{"name":"u","buckets":[{"key":"","count":6,${end},{"key":"Dr.","count":2,${end},{"key":"Prof.","count":1,${end}],"apiAlias":"u_aggregation"}}`,
    ].join(''),
  )
})

row('§6.5 the envelope in JSON:API keeps the zero fraction', async shop => {
  const aggregations = [{name: 's', type: 'sum', field: 'autoIncrement'}]
  const Accept = 'application/vnd.api+json'
  const reply = await shop.search('customer', await amongCast(shop, {limit: 1, aggregations}), {Accept})
  const total = sum(await numbersOf(shop))
  const end = `"aggregations":{"s":{"name":"s","sum":${total}.0,"apiAlias":"s_aggregation"}}}`
  expect(reply.text.slice(-end.length)).toBe(end)
})

row('§6.5 the name is text of any kind', async shop => {
  const bytes = await bytesOf(shop, [{name: 'ä/"b"', type: 'count', field: 'title'}])
  expect(bytes).toBe(plainJson({'ä/"b"': {name: 'ä/"b"', count: 2, apiAlias: 'ä/"b"_aggregation'}}))
})

row('§6.5 the envelope in JSON:API escapes less', async shop => {
  const aggregations = [{name: 'ä&', type: 'count', field: 'title'}]
  const Accept = 'application/vnd.api+json'
  const {text} = await shop.search('customer', await amongCast(shop, {limit: 1, aggregations}), {Accept})
  const end = String.raw`"aggregations":{"\u00e4&":{"name":"\u00e4&","count":2,"apiAlias":"\u00e4&_aggregation"}}}`
  expect(text.slice(-end.length)).toBe(end)
})

row('§6.5 count: COUNT DISTINCT, an int', async shop => {
  expect(await resultOf(shop, {type: 'count', field: 'id'})).toEqual({count: 9})
  expect(await resultOf(shop, {type: 'count', field: 'active'})).toEqual({count: 2})
  // Bruno's and Cleo's are the same but for case, accents and trailing spaces.
  expect(await resultOf(shop, {type: 'count', field: 'company'})).toEqual({count: 3})
  expect(await resultOf(shop, {type: 'count', field: 'addresses.id'})).toEqual({count: 12})
})

row('§6.5 avg: a number', async shop => {
  const numbers = await numbersOf(shop)
  const {avg} = await resultOf(shop, {type: 'avg', field: 'autoIncrement'})
  expect(avg).toBeCloseTo(sum(numbers) / 9, 3)
})

row('§6.5 sum: a number', async shop =>
  expect(await resultOf(shop, {type: 'sum', field: 'autoIncrement'})).toEqual({
    sum: sum(await numbersOf(shop)),
  }),
)

row('§6.5 min, max: strings', async shop => {
  const numbers = await numbersOf(shop)
  expect(await resultOf(shop, {type: 'min', field: 'autoIncrement'})).toEqual({min: String(numbers[0])})
  expect(await resultOf(shop, {type: 'max', field: 'autoIncrement'})).toEqual({max: String(numbers.at(-1))})
  expect(await resultOf(shop, {type: 'min', field: 'firstName'})).toEqual({min: 'Ada'})
  expect(await resultOf(shop, {type: 'max', field: 'firstName'})).toEqual({max: 'Ivo'})
})

row('§6.5 min, max: of moments as they are stored', async shop => {
  const stored = (moment: string) => moment.replace('T', ' ').replace('+00:00', '')
  expect(await resultOf(shop, {type: 'min', field: 'lastLogin'})).toEqual({min: stored(noon(shop, -100))})
  expect(await resultOf(shop, {type: 'max', field: 'lastLogin'})).toEqual({max: stored(noon(shop, 3))})
})

const nobody = {filter: [{type: 'equals', field: 'firstName', value: 'Nobody'}]}

row('§6.5 min, max: null of nothing', async shop => {
  expect(await resultOf(shop, {type: 'min', field: 'autoIncrement'}, nobody)).toEqual({min: null})
  expect(await resultOf(shop, {type: 'max', field: 'firstName'}, nobody)).toEqual({max: null})
})

row('§6.5 max: of a day, the day', async shop =>
  expect(await resultOf(shop, {type: 'max', field: 'birthday'})).toEqual({max: '1990-05-07'}),
)

row('§6.5 avg, sum: 0 of nothing, null in stats', async shop => {
  expect(await resultOf(shop, {type: 'avg', field: 'orderCount'}, nobody)).toEqual({avg: 0})
  expect(await resultOf(shop, {type: 'sum', field: 'orderCount'}, nobody)).toEqual({sum: 0})
  const nothing = {min: null, max: null, avg: null, sum: null}
  expect(await resultOf(shop, {type: 'stats', field: 'orderCount'}, nobody)).toEqual(nothing)
})

row('§6.5 a filter of many things: terms and sum count joined rows, count does not', async shop => {
  const numbers = await numbersOf(shop)
  const [ada, bruno, cleo] = numbers as [number, number, number]
  // Ada and Cleo have an address in each of the two.
  const filter = [{type: 'equalsAny', field: 'addresses.city', value: ['Köln', 'Paris']}]
  const terms = {type: 'terms', field: 'firstName', sort: {field: 'firstName'}}
  expect(keysAndCounts(await resultOf(shop, terms, {filter}))).toEqual([
    ['Ada', 2],
    ['Bruno', 1],
    ['Cleo', 2],
  ])
  const total = 2 * ada + bruno + 2 * cleo
  expect(await resultOf(shop, {type: 'sum', field: 'autoIncrement'}, {filter})).toEqual({sum: total})
  expect(await resultOf(shop, countAll, {filter})).toEqual({count: 3})
})

row('§6.5 stats: min, max strings, avg, sum numbers', async shop => {
  const numbers = await numbersOf(shop)
  const result = await resultOf(shop, {type: 'stats', field: 'autoIncrement'})
  expect(Object.keys(result)).toEqual(['min', 'max', 'avg', 'sum'])
  expect(result).toMatchObject({min: String(numbers[0]), max: String(numbers.at(-1)), sum: sum(numbers)})
  expect(result.avg).toBeCloseTo(sum(numbers) / 9, 3)
})

/** Three lines of one order, at the positions 1 to 3. */
async function positionsOf(shop: Target): Promise<string[]> {
  const price = {unitPrice: 1, totalPrice: 1, quantity: 1, calculatedTaxes: [], taxRules: []}
  const lineItems = [1, 2, 3].map(position => {
    const id = shop.newId()
    return {id, identifier: id, label: 'Tea', type: 'custom', quantity: 1, position, price}
  })
  await shop.make.order({lineItems, deliveries: []})
  return lineItems.map(({id}) => id)
}

row('§6.5 range: from inclusive, to exclusive, keys', async shop => {
  const ids = await positionsOf(shop)
  const ranges = [{from: 1, to: 3}, {from: 2}, {to: 2}, {}, {from: 1, to: 2, key: 'mine'}, {from: 1.5}]
  const aggregations = [{name: 'a', type: 'range', field: 'position', ranges}]
  const reply = await shop.search('order-line-item', {ids, aggregations})
  expect([reply.status, reply.json().aggregations.a.ranges]).toEqual([
    200,
    {'1-3': 2, '2-*': 2, '*-2': 1, '*-*': 3, mine: 1, '1.5-*': 2},
  ])
})

row('§6.5 range: of floats', async shop => {
  const ranges = [{from: 0, to: 0.5}, {from: 0.5, key: 'more'}, {to: 0}]
  expect(await resultOf(shop, {type: 'range', field: 'orderTotalAmount', ranges})).toEqual({
    ranges: {'0-0.5': 9, more: 0, '*-0': 0},
  })
})

row.each<[string]>(
  [
    ['a text', 'firstName'],
    ['a moment', 'createdAt'],
    ['an id', 'groupId'],
    ['a number that the database counts', 'autoIncrement'],
  ].map(([name, field]) => [`§6.5 range: int, float and price fields only, not ${name}`, field as string]),
  async (shop, field) => {
    const aggregations = [{name: 'a', type: 'range', field, ranges: [{from: 1}]}]
    const reply = await shop.search('customer', await amongCast(shop, {aggregations}))
    const {code, status, title} = reply.json().errors[0]
    expect([reply.status, code, status, title]).toEqual([
      500,
      'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION',
      '500',
      'Internal Server Error',
    ])
  },
)

row('§6.5 entity: reduced entities', async shop => {
  const {tags} = await castOf(shop)
  const aggregation = {type: 'entity', field: 'tags.id', definition: 'tag'}
  const {entities} = await resultOf(shop, aggregation)
  const found = (entities as Made[]).toSorted((one, other) =>
    String(one.name).localeCompare(String(other.name)),
  )
  expect(found.map(({id, name, apiAlias}) => ({id, name, apiAlias}))).toEqual(
    [tags.blue, tags.red].map(({id, name}) => ({id, name, apiAlias: 'tag'})),
  )
  const gone = ['extensions', '_uniqueIdentifier', ...byVersion<string[]>([], {'6.7': ['versionId']})]
  for (const name of gone) expect(found[0]).not.toHaveProperty(name)
})

row('§6.5 filter: the result has the nested name, the outer one is lost', async shop => {
  const aggregations = [
    {
      name: 'outer',
      type: 'filter',
      filter: [{type: 'equals', field: 'title', value: 'Dr.'}],
      aggregation: {name: 'nested', type: 'count', field: 'id'},
    },
  ]
  expect((await pageOf(shop, {aggregations})).aggregations).toEqual({
    nested: {name: 'nested', count: 2, apiAlias: 'nested_aggregation'},
  })
})

const keysAndCounts = ({buckets}: Values) =>
  (buckets as {key: unknown; count: unknown}[]).map(({key, count}) => [key, count])

row.each<[Values, readonly (readonly [string, number])[]]>(
  [
    [
      'sort by its field',
      {sort: {field: 'title'}},
      [
        ['', 6],
        ['Dr.', 2],
        ['Prof.', 1],
      ],
    ],
    [
      'sort descending',
      {sort: {field: 'title', order: 'DESC'}},
      [
        ['Prof.', 1],
        ['Dr.', 2],
        ['', 6],
      ],
    ],
    [
      'sort by _count',
      {sort: {field: '_count'}},
      [
        ['Prof.', 1],
        ['Dr.', 2],
        ['', 6],
      ],
    ],
    [
      'sort by _count, descending',
      {sort: {field: '_count', order: 'desc'}},
      [
        ['', 6],
        ['Dr.', 2],
        ['Prof.', 1],
      ],
    ],
    [
      'limit',
      {limit: 2, sort: {field: '_count', order: 'desc'}},
      [
        ['', 6],
        ['Dr.', 2],
      ],
    ],
  ].map(([name, extra, buckets]) => [`§6.5 terms: ${name}`, extra as Values, buckets as [string, number][]]),
  async (shop, extra, buckets) =>
    expect(keysAndCounts(await resultOf(shop, {type: 'terms', field: 'title', ...extra}))).toEqual(buckets),
)

row('§6.5 terms: naturalSorting', async shop => {
  const terms = {type: 'terms', field: 'affiliateCode'}
  const among = {filter: [{type: 'not', queries: [{type: 'equals', field: 'affiliateCode', value: null}]}]}
  const natural = await resultOf(
    shop,
    {...terms, sort: {field: 'affiliateCode', naturalSorting: true}},
    among,
  )
  expect(keysAndCounts(natural).map(([key]) => key)).toEqual(['9', '10', '100'])
  const plain = await resultOf(shop, {...terms, sort: {field: 'affiliateCode'}}, among)
  expect(keysAndCounts(plain).map(([key]) => key)).toEqual(['10', '100', '9'])
})

row('§6.5 terms: keys are strings, counts are ints', async shop => {
  const result = await resultOf(shop, {type: 'terms', field: 'guest', sort: {field: 'guest'}})
  expect(keysAndCounts(result)).toEqual([
    ['0', 8],
    ['1', 1],
  ])
})

row('§6.5 terms: a null becomes the key ""', async shop => {
  const result = await resultOf(shop, {type: 'terms', field: 'birthday', sort: {field: 'birthday'}})
  expect(keysAndCounts(result)[0]).toEqual(['', 6])
})

row('§6.5 terms: through an association', async shop => {
  const terms = {type: 'terms', field: 'addresses.city', sort: {field: 'addresses.city'}}
  const some = {filter: [{type: 'equalsAny', field: 'firstName', value: ['Ada', 'Bruno', 'Cleo']}]}
  expect(keysAndCounts(await resultOf(shop, terms, some))).toEqual([
    ['Köln', 2],
    ['London', 1],
    ['Paris', 3],
  ])
})

row('§6.5 terms: a row for each of many things, and one where there is none', async shop => {
  const {tags} = await castOf(shop)
  const terms = {type: 'terms', field: 'tags.name', sort: {field: 'tags.name', order: 'desc'}}
  expect(keysAndCounts(await resultOf(shop, terms))).toEqual([
    [tags.red.name, 2],
    [tags.blue.name, 1],
    ['', 7],
  ])
})

row('§6.5 terms: a nested aggregation in each bucket', async shop => {
  const aggregation = {name: 'names', type: 'terms', field: 'firstName', sort: {field: 'firstName'}}
  const {buckets} = await resultOf(shop, {type: 'terms', field: 'title', sort: {field: 'title'}, aggregation})
  const doctors = (buckets as Values[])[1] as Values
  expect(Object.keys(doctors)).toEqual(['key', 'count', 'names', 'apiAlias'])
  expect(doctors.names).toEqual({
    extensions: [],
    name: 'names',
    buckets: [
      {extensions: [], key: 'Gus', count: 1},
      {extensions: [], key: 'Hana', count: 1},
    ],
  })
})

/** Customers who signed in last at known moments. */
const loggedInOf = once(async shop => {
  const moments = [
    '2024-02-29T23:59:30.000+00:00',
    '2024-03-01T00:00:10.000+00:00',
    '2024-03-01T00:00:50.000+00:00',
    '2024-12-30T12:34:56.789+00:00',
  ]
  const people = await Promise.all(moments.map(lastLogin => shop.make.customer({lastLogin})))
  return people.map(({id}) => id)
})

async function histogramOf(shop: Target, extra: Values): Promise<(readonly unknown[])[]> {
  const aggregations = [
    {name: 'a', type: 'histogram', field: 'lastLogin', sort: {field: 'lastLogin'}, ...extra},
  ]
  const reply = await shop.search('customer', {ids: await loggedInOf(shop), aggregations})
  return keysAndCounts(reply.json().aggregations.a)
}

row.each<[Values, readonly (readonly [string, number])[]]>(
  [
    [
      'minute, Y-m-d H:i:00',
      {interval: 'minute'},
      [
        ['2024-02-29 23:59:00', 1],
        ['2024-03-01 00:00:00', 2],
        ['2024-12-30 12:34:00', 1],
      ],
    ],
    [
      'hour, Y-m-d H:00:00',
      {interval: 'hour'},
      [
        ['2024-02-29 23:00:00', 1],
        ['2024-03-01 00:00:00', 2],
        ['2024-12-30 12:00:00', 1],
      ],
    ],
    [
      'day, Y-m-d 00:00:00',
      {interval: 'day'},
      [
        ['2024-02-29 00:00:00', 1],
        ['2024-03-01 00:00:00', 2],
        ['2024-12-30 00:00:00', 1],
      ],
    ],
    [
      'week, Y W',
      {interval: 'week'},
      [
        ['2024 09', 3],
        ['2024 01', 1],
      ],
    ],
    [
      'month, Y-m-01 00:00:00',
      {interval: 'month'},
      [
        ['2024-02-01 00:00:00', 1],
        ['2024-03-01 00:00:00', 2],
        ['2024-12-01 00:00:00', 1],
      ],
    ],
    [
      'quarter, Y q',
      {interval: 'quarter'},
      [
        ['2024 1', 3],
        ['2024 4', 1],
      ],
    ],
    ['year, Y-01-01 00:00:00', {interval: 'year'}, [['2024-01-01 00:00:00', 4]]],
    [
      'format, a PHP date',
      {interval: 'day', format: 'd.m.y \\d\\a\\y z'},
      [
        ['29.02.24 day 59', 1],
        ['01.03.24 day 60', 2],
        ['30.12.24 day 364', 1],
      ],
    ],
    ['in any case', {interval: 'YEAR'}, [['2024-01-01 00:00:00', 4]]],
    [
      'format, months by name',
      {interval: 'month', format: 'M \\of Y'},
      [
        ['Feb of 2024', 1],
        ['Mar of 2024', 2],
        ['Dec of 2024', 1],
      ],
    ],
    [
      'timeZone',
      {interval: 'day', timeZone: 'America/New_York', format: 'd.m.y \\d\\a\\y z'},
      [
        ['29.02.24 day 59', 1],
        ['01.03.24 day 60', 2],
        ['30.12.24 day 364', 1],
      ],
    ],
    [
      'sort, descending',
      {interval: 'month', sort: {field: 'lastLogin', order: 'desc'}},
      [
        ['2024-12-01 00:00:00', 1],
        ['2024-03-01 00:00:00', 2],
        ['2024-02-01 00:00:00', 1],
      ],
    ],
    [
      'sort by _count',
      {interval: 'quarter', sort: {field: '_count'}},
      [
        ['2024 4', 1],
        ['2024 1', 3],
      ],
    ],
  ].map(([name, extra, buckets]) => [
    `§6.5 histogram: ${name}`,
    extra as Values,
    buckets as [string, number][],
  ]),
  async (shop, extra, buckets) => expect(await histogramOf(shop, extra)).toEqual(buckets),
)

row('§6.5 histogram: weeks from Monday to Sunday, apart where a year ends', async shop => {
  const days = ['2020-12-27', '2020-12-28', '2020-12-31', '2021-01-03', '2021-01-04']
  const people = await Promise.all(
    days.map(day => shop.make.customer({lastLogin: `${day}T12:00:00.000+00:00`})),
  )
  const sort = {field: 'lastLogin'}
  const aggregations = [{name: 'a', type: 'histogram', field: 'lastLogin', interval: 'week', sort}]
  const reply = await shop.search('customer', {ids: people.map(({id}) => id), aggregations})
  expect(keysAndCounts(reply.json().aggregations.a)).toEqual([
    ['2020 52', 1],
    ['2020 53', 2],
    ['2021 53', 1],
    ['2021 01', 1],
  ])
})

row('§6.5 histogram: a nested aggregation in each bucket', async shop => {
  const aggregation = {name: 'n', type: 'count', field: 'id'}
  const aggregations = [{name: 'a', type: 'histogram', interval: 'year', field: 'lastLogin', aggregation}]
  const reply = await shop.search('customer', {ids: await loggedInOf(shop), aggregations})
  expect(reply.json().aggregations.a.buckets).toEqual([
    {
      key: '2024-01-01 00:00:00',
      count: 4,
      n: {extensions: [], name: 'n', count: 4},
      apiAlias: 'aggregation_bucket',
    },
  ])
})

row('§6.5 histogram: a null is turned into the current date', async shop => {
  const {people} = await castOf(shop)
  const aggregations = [{name: 'a', type: 'histogram', interval: 'day', field: 'birthday'}]
  const reply = await shop.search('customer', {ids: [people.Fay.id], aggregations})
  const today = timeIn(shop).toISOString().slice(0, 10)
  expect(keysAndCounts(reply.json().aggregations.a)).toEqual([[`${today} 00:00:00`, 1]])
})

const countAll = {type: 'count', field: 'id'}

row('§6.5 aggregations see filter, ids, term, query', async shop => {
  const {people, within} = await castOf(shop)
  const mullers = [{type: 'equals', field: 'lastName', value: 'muller'}]
  expect(await resultOf(shop, countAll, {filter: mullers})).toEqual({count: 2})
  expect(await resultOf(shop, countAll, {ids: [people.Ada.id, people.Fay.id]})).toEqual({count: 2})
  expect(await resultOf(shop, countAll, {term: 'muller'})).toEqual({count: 2})
  expect(await resultOf(shop, countAll, {query: [{query: mullers[0], score: 5}]})).toEqual({count: 2})
  expect(within.value).toBe(shop.run)
})

row('§6.5 aggregations ignore post-filter, sort, grouping, limit, page', async shop => {
  for (const criteria of [
    {'post-filter': [{type: 'equals', field: 'lastName', value: 'muller'}]},
    {sort: '-lastName'},
    {grouping: ['title']},
    {limit: 1},
    {limit: 1, page: 20},
  ]) {
    expect(await resultOf(shop, countAll, criteria)).toEqual({count: 9})
  }
  expect(
    await namesOf(shop, {'post-filter': [{type: 'equals', field: 'lastName', value: 'muller'}]}),
  ).not.toEqual(NAMES)
})
