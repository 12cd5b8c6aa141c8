import {expect} from 'vitest'
import type {Values} from '../arrange.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'
import {amongCast, castOf, NAMES, type Name, namesOf, pageOf} from './cast.js'

const row = conformance()

const idsOf = async (shop: Target, ...names: Name[]) => {
  const {people} = await castOf(shop)
  return names.map(name => people[name].id)
}
const finds = async (shop: Target, criteria: Values, names: readonly Name[]) =>
  expect(await namesOf(shop, criteria)).toEqual(names)

row.each<[Values]>(
  [
    ['totalCountMode', {totalCountMode: 1, limit: 2}],
    ['postFilter', {postFilter: [{type: 'equals', field: 'firstName', value: 'Ada'}], limit: 2}],
    ['postFilter, even a wrong one', {postFilter: 'x', limit: 2}],
    ...byVersion([['excludes', {excludes: {customer: ['firstName']}, limit: 2}]], {'6.7': []}),
    ['any other', {foo: [{bar: 1}], Limit: 1, limit: 2}],
  ].map(([name, criteria]) => [`§6.2 unknown keys are ignored: ${name}`, criteria as Values]),
  async (shop, criteria) => {
    const {total, names} = await pageOf(shop, {sort: 'firstName', ...criteria})
    expect([total, names]).toEqual([2, ['Ada', 'Bruno']])
  },
)

row.on('6.7')('shop-6.7.md 1, excludes leaves members out', async shop => {
  const {data} = await pageOf(shop, {excludes: {customer: ['firstName']}, limit: 1})
  expect(data[0]).not.toHaveProperty('firstName')
  expect(data[0]).toHaveProperty('lastName')
})

row('§6.2 ids: a list', async shop => {
  const {total, names} = await pageOf(shop, {ids: await idsOf(shop, 'Fay', 'Ada', 'Gus')})
  expect([total, names]).toEqual([3, ['Fay', 'Ada', 'Gus']])
})

row('§6.2 ids: a|b|c', async shop => {
  const ids = (await idsOf(shop, 'Fay', 'Ada', 'Gus')).join('|')
  expect((await pageOf(shop, {ids})).names).toEqual(['Fay', 'Ada', 'Gus'])
})

row('§6.2 ids: limit, page and total-count-mode are ignored, even bad ones', async shop => {
  const ids = await idsOf(shop, 'Fay', 'Ada', 'Gus')
  for (const more of [
    {limit: 1, page: 2, 'total-count-mode': 1},
    {limit: 0},
    {limit: 9999},
    {page: 'x'},
    {'total-count-mode': 2, limit: 1},
  ]) {
    const {total, names} = await pageOf(shop, {ids, ...more})
    expect([total, names]).toEqual([3, ['Fay', 'Ada', 'Gus']])
  }
})

row('§6.2 ids: their order gives way to sort', async shop => {
  const ids = await idsOf(shop, 'Fay', 'Ada', 'Gus')
  expect((await pageOf(shop, {ids, sort: 'firstName'})).names).toEqual(['Ada', 'Fay', 'Gus'])
})

row('§6.2 ids: their order gives way to term', async shop => {
  const ids = await idsOf(shop, 'Bruno', 'Ada')
  // Everybody's e-mail address begins with it; Ada is called so besides.
  const {names} = await pageOf(shop, {ids, term: 'ada'})
  expect(names[0]).toBe('Ada')
})

row('§6.2 ids: unknown ones are left out', async shop => {
  const [fay, ada] = await idsOf(shop, 'Fay', 'Ada')
  const {total, names} = await pageOf(shop, {ids: [fay, shop.newId(), ada]})
  expect([total, names]).toEqual([2, ['Fay', 'Ada']])
})

row('§6.2 ids: in upper case they are found by a sort alone', async shop => {
  const ids = (await idsOf(shop, 'Fay', 'Ada')).map(id => id.toUpperCase())
  expect((await shop.search('customer', {ids})).json().total).toBe(0)
  const sorted = (await shop.search('customer', {ids, sort: 'firstName'})).json()
  expect(sorted.data.map(({firstName}: Values) => firstName)).toEqual(['Ada', 'Fay'])
})

row('§6.2 ids: filters narrow them', async shop => {
  const ids = await idsOf(shop, 'Fay', 'Ada')
  await finds(shop, {ids, filter: [{type: 'equals', field: 'firstName', value: 'Ada'}]}, ['Ada'])
})

row.each<[unknown, number]>(
  [
    ['an integer', 3, 3],
    ['a float', 1.9, 1],
    ['a numeric string', '4', 4],
    ['a numeric string with a fraction', '2.7', 2],
    ['a numeric string with a leading space', ' 5', 5],
    ['1, the least', 1, 1],
    ['500, the most', 500, 9],
    ['in scientific notation', '1e2', 9],
    ['null', null, 9],
  ].map(([name, limit, count]) => [`§6.2 limit: ${name}`, limit, count as number]),
  async (shop, limit, count) => {
    const {total, names} = await pageOf(shop, {limit, sort: 'firstName'})
    expect([total, names]).toEqual([count, NAMES.slice(0, count)])
  },
)

row('§6.2 limit: "1e2" counts as 100', async shop => {
  const page = JSON.parse(
    (await shop.search('customer', await amongCast(shop, {limit: '1e2', page: 2}), jsonApi)).text,
  )
  expect(page.links.self).toBeTruthy()
  expect(page.links.first).toMatch(/[?&]limit=100&page=1$/)
})

/** Of Ada and Cleo two addresses each, of Bruno one. */
const inTwoCities = {type: 'equalsAny', field: 'addresses.city', value: ['Köln', 'Paris']}

row.each<[Values, number]>(
  [
    ['one counts joined rows', {limit: 1, filter: [inTwoCities]}, 5],
    ['two counts customers', {limit: 2, filter: [inTwoCities]}, 3],
    ['one, and what must not be', {limit: 1, filter: [{type: 'not', queries: [inTwoCities]}]}, 6],
    [
      'one, and a field of their own',
      {limit: 1, filter: [{type: 'equals', field: 'title', value: 'Dr.'}]},
      2,
    ],
  ].map(([title, criteria, total]) => [`§6.2 limit: ${title}`, criteria as Values, total as number]),
  async (shop, criteria, total) =>
    expect((await pageOf(shop, {...criteria, 'total-count-mode': 1})).total).toBe(total),
)

const jsonApi = {Accept: 'application/vnd.api+json'}

row.on('6.6', '6.7')('§6.2 limit: without one, 500', async shop => {
  const {links} = JSON.parse((await shop.search('customer', await amongCast(shop), jsonApi)).text)
  expect(links.first).toMatch(/[?&]limit=500&page=1$/)
})

row.each<[Values, readonly Name[]]>(
  [
    ['the first', {limit: 4, page: 1}, NAMES.slice(0, 4)],
    ['the second', {limit: 4, page: 2}, NAMES.slice(4, 8)],
    ['the last', {limit: 4, page: 3}, NAMES.slice(8)],
    ['past the end', {limit: 4, page: 4}, []],
    ['a numeric string', {limit: 4, page: '2'}, NAMES.slice(4, 8)],
    ['null', {limit: 4, page: null}, NAMES.slice(0, 4)],
    ['without limit the offset is 0 always', {page: 3}, NAMES],
    ['limit as sent', {limit: '4', page: 2}, NAMES.slice(4, 8)],
  ].map(([name, criteria, names]) => [`§6.2 page: ${name}`, criteria as Values, names as readonly Name[]]),
  finds,
)

row('§6.2 term: a scalar, trimmed', async shop => {
  await finds(shop, {term: '  Byron  '}, ['Ada'])
  await finds(shop, {term: `${shop.run}-`}, NAMES)
})

row('§6.2 term: nothing but spaces asks for nothing', shop => finds(shop, {term: '  '}, NAMES))

row('§6.2 query: a score for what fits', async shop => {
  const query = [
    {query: {type: 'equals', field: 'firstName', value: 'Fay'}, score: 7},
    {query: {type: 'equals', field: 'lastName', value: 'byron'}, score: 20},
    {query: {type: 'equals', field: 'company', value: 'axb'}, score: 3},
  ]
  const {names, data} = await pageOf(shop, {query})
  expect(names).toEqual(['Ada', 'Fay'])
  expect(data.map(scoreOf)).toEqual([20, 10])
})

row('§6.2 query: the score is 1 when none is given', async shop => {
  const query = [{query: {type: 'equals', field: 'firstName', value: 'Fay'}}]
  const {names, data} = await pageOf(shop, {query})
  expect([names, data.map(scoreOf)]).toEqual([['Fay'], [1]])
})

row('§6.2 query: a group as the query', async shop => {
  const inner = ['Fay', 'Gus'].map(value => ({type: 'equals', field: 'firstName', value}))
  const query = [{query: {type: 'or', queries: inner}, score: 5}]
  const {names, data} = await pageOf(shop, {query, sort: 'firstName'})
  expect([names, data.map(scoreOf)]).toEqual([
    ['Fay', 'Gus'],
    [5, 5],
  ])
})

row('§6.2 query: scoreField multiplies', async shop => {
  const query = [
    {query: {type: 'equals', field: 'firstName', value: 'Fay'}, score: 2, scoreField: 'autoIncrement'},
  ]
  const {data} = await pageOf(shop, {query})
  expect(data.map(scoreOf)).toEqual([2 * (data[0]?.autoIncrement as number)])
})

row('§6.2 query: members that are no arrays are skipped', async shop => {
  const query = ['x', 5, null, {query: {type: 'equals', field: 'firstName', value: 'Fay'}}]
  await finds(shop, {query}, ['Fay'])
})

row('§6.2 query: a scalar is ignored', async shop => {
  await finds(shop, {query: 'Fay'}, NAMES)
})

row('§6.2 query: an object is read as a list, so its filter is one without a type', async shop => {
  const query = {query: {type: 'equals', field: 'firstName', value: 'Fay'}}
  const reply = await shop.search('customer', {query})
  const {code, detail} = reply.json().errors[0]
  expect([reply.status, code, detail]).toEqual([
    400,
    'FRAMEWORK__INVALID_FILTER_QUERY',
    'Value for filter type is required.',
  ])
})

function scoreOf(found: Values): number {
  const {search} = found.extensions as {search: {_score: unknown}}
  expect(typeof search._score).toBe('string')
  return Number(search._score)
}

const byLastName: readonly Name[] = ['Dora', 'Emil', 'Fay', 'Gus', 'Ada']

row.each<[unknown, readonly Name[]]>(
  [
    ['a list of objects', [{field: 'firstName'}], NAMES],
    ['order asc', [{field: 'firstName', order: 'asc'}], NAMES],
    ['order desc', [{field: 'firstName', order: 'desc'}], NAMES.toReversed()],
    ['order DESC, in any case', [{field: 'firstName', order: 'DeSC'}], NAMES.toReversed()],
    ['any other order is ascending', [{field: 'firstName', order: 'descending'}], NAMES],
    ['no order is ascending', [{field: 'firstName', order: null}], NAMES],
    ['a string', 'firstName', NAMES],
    ['a string with a minus', '-firstName', NAMES.toReversed()],
    ['a number that the database counts', '-autoIncrement', NAMES.toReversed()],
    ['a string of two', 'guest,-firstName', [...NAMES.filter(name => name !== 'Fay').toReversed(), 'Fay']],
    ['the prefix customer.', 'customer.firstName', NAMES],
    [
      'two fields',
      [{field: 'guest', order: 'desc'}, {field: 'firstName'}],
      ['Fay', ...NAMES.filter(name => name !== 'Fay')],
    ],
  ].map(([name, sort, names]) => [`§6.2 sort: ${name}`, sort, names as readonly Name[]]),
  (shop, sort, names) => finds(shop, {sort}, names),
)

row('§6.2 sort: [] is fine', async shop => {
  const {total, names} = await pageOf(shop, {sort: []})
  expect([total, names.toSorted()]).toEqual([9, NAMES])
})

row('§6.2 sort: texts by the collation', async shop => {
  const known = {type: 'equalsAny', field: 'firstName', value: byLastName as Name[]}
  await finds(shop, {sort: 'lastName', filter: [known]}, ['Dora', 'Emil', 'Fay', 'Gus', 'Ada'])
  const people = {type: 'equalsAny', field: 'firstName', value: ['Ada', 'Bruno', 'Cleo', 'Ivo']}
  await finds(shop, {sort: 'lastName,firstName', filter: [people]}, ['Ada', 'Bruno', 'Cleo', 'Ivo'])
})

/** Affiliate codes: Ada 10, Bruno 9, Cleo 100. */
const numbered = {type: 'equalsAny', field: 'firstName', value: ['Ada', 'Bruno', 'Cleo']}

row('§6.2 sort: as texts without naturalSorting', shop =>
  finds(shop, {filter: [numbered], sort: [{field: 'affiliateCode'}]}, ['Ada', 'Cleo', 'Bruno']),
)

row('§6.2 sort: naturalSorting sorts by length first', async shop => {
  const sort = [{field: 'affiliateCode', naturalSorting: true}]
  await finds(shop, {filter: [numbered], sort}, ['Bruno', 'Ada', 'Cleo'])
  const reverse = [{field: 'affiliateCode', naturalSorting: true, order: 'desc'}]
  await finds(shop, {filter: [numbered], sort: reverse}, ['Cleo', 'Ada', 'Bruno'])
})

row('§6.2 sort: through an association', shop =>
  finds(shop, {filter: [numbered], sort: 'defaultBillingAddress.city'}, ['Cleo', 'Ada', 'Bruno']),
)

row('§6.2 sort: type count sorts by COUNT of the field', async shop => {
  // Ada has three addresses, Cleo two, Bruno one.
  const sort = [{field: 'addresses.id', type: 'count'}]
  await finds(shop, {filter: [numbered], sort}, ['Bruno', 'Cleo', 'Ada'])
  const reverse = [{field: 'addresses.id', type: 'count', order: 'desc'}]
  await finds(shop, {filter: [numbered], sort: reverse}, ['Ada', 'Cleo', 'Bruno'])
})

row('§6.2 sort: type count of a single value is whether it is there', async shop => {
  const {names} = await pageOf(shop, {sort: [{field: 'title', type: 'count', order: 'desc'}]})
  expect(names.slice(0, 3).toSorted()).toEqual(['Gus', 'Hana', 'Ivo'])
})

row('§6.2 sort: null comes first, as in MySQL', async shop => {
  const {names} = await pageOf(shop, {sort: [{field: 'birthday'}, {field: 'firstName'}]})
  expect(names.slice(-3)).toEqual(['Ada', 'Bruno', 'Dora'])
})

row.each<[unknown, number]>(
  [
    ['0', 0, 2],
    ['1', 1, 9],
    ['2', 2, 9],
    ['"none"', 'none', 2],
    ['"exact"', 'exact', 9],
    ['"next-pages"', 'next-pages', 9],
    ['true is 1', true, 9],
    ['"1"', '1', 9],
    ['out of range, 3', 3, 2],
    ['out of range, -1', -1, 2],
    ['unknown, "all"', 'all', 2],
    ['null', null, 2],
  ].map(([name, mode, total]) => [`§6.2 total-count-mode: ${name}`, mode, total as number]),
  async (shop, mode, total) => {
    const page = await pageOf(shop, {limit: 2, 'total-count-mode': mode, sort: 'firstName'})
    expect([page.total, page.names]).toEqual([total, ['Ada', 'Bruno']])
  },
)

row.each<[Values, number, number]>(
  [
    ['0 none: rows on this page', {limit: 4}, 4, 4],
    ['0 none: rows on the last page', {limit: 4, page: 3}, 1, 1],
    ['0 none: page past the end', {limit: 4, page: 9}, 0, 0],
    ['1 exact: all matching rows', {limit: 4, 'total-count-mode': 1}, 9, 4],
    ['1 exact: on the last page', {limit: 4, page: 3, 'total-count-mode': 1}, 9, 1],
    ['1 exact: page past the end', {limit: 4, page: 9, 'total-count-mode': 1}, 9, 0],
    ['2 next-pages: rows from the offset on', {limit: 2, page: 2, 'total-count-mode': 2}, 7, 2],
    ['2 next-pages: capped at limit*6+1', {limit: 1, 'total-count-mode': 2}, 7, 1],
    ['2 next-pages: capped from the offset on', {limit: 1, page: 2, 'total-count-mode': 2}, 7, 1],
    ['2 next-pages: fewer than the cap', {limit: 1, page: 4, 'total-count-mode': 2}, 6, 1],
    ['2 next-pages: page past the end', {limit: 4, page: 9, 'total-count-mode': 2}, 0, 0],
  ].map(([name, criteria, total, rows]) => [
    `§6.4 ${name}`,
    criteria as Values,
    total as number,
    rows as number,
  ]),
  async (shop, criteria, total, rows) => {
    const page = await pageOf(shop, {sort: 'firstName', ...criteria})
    expect([page.total, page.data.length]).toEqual([total, rows])
  },
)

row('§6.4 with ids: the number found, the mode is 0', async shop => {
  const ids = await idsOf(shop, 'Ada', 'Bruno', 'Cleo')
  const reply = await shop.search('customer', {ids, limit: 1, 'total-count-mode': 1}, jsonApi)
  const {data, meta} = JSON.parse(reply.text)
  expect([data.length, meta]).toEqual([3, {totalCountMode: 0, total: 3}])
})

row('§6.4 exact counts what a post-filter leaves', async shop => {
  const postFilter = [{type: 'equals', field: 'title', value: 'Dr.'}]
  const page = await pageOf(shop, {'post-filter': postFilter, limit: 1, 'total-count-mode': 1})
  expect(page.total).toBe(2)
})

row.each<[unknown]>(
  [
    ['"addresses"', 'addresses'],
    ['["addresses"]', ['addresses']],
    ['{"addresses":null}', {addresses: null}],
    ['{"addresses":true}', {addresses: true}],
    ['a number', 1],
    ['an unknown name without criteria', {foo: null}],
  ].map(([name, associations]) => [`§6.2 associations: ${name} does nothing`, associations]),
  async (shop, associations) => {
    const {data} = await pageOf(shop, {associations, sort: 'firstName', limit: 1})
    expect(data[0]?.addresses).toBeNull()
  },
)

interface Address {
  city: string
  country: Values | null
  customer: Values | null
}
const addressesOf = async (shop: Target, criteria: Values, name: Name = 'Ada') => {
  const filter = [{type: 'equals', field: 'firstName', value: name}]
  const {data} = await pageOf(shop, {filter, associations: {addresses: criteria}})
  return data[0]?.addresses as Address[]
}
const citiesOf = async (shop: Target, criteria: Values, name?: Name) =>
  (await addressesOf(shop, criteria, name)).map(({city}) => city)

row.each<[Values, readonly string[]]>(
  [
    ['{} loads all', {}, ['Köln', 'London', 'Paris']],
    ['filter', {filter: [{type: 'prefix', field: 'city', value: 'p'}]}, ['Paris']],
    ['post-filter', {'post-filter': [{type: 'prefix', field: 'city', value: 'k'}]}, ['Köln']],
    ['sort', {sort: [{field: 'city', order: 'desc'}]}, ['Paris', 'London', 'Köln']],
    ['limit', {limit: 2, sort: 'city'}, ['Köln', 'London']],
    ['page', {limit: 2, page: 2, sort: 'city'}, ['Paris']],
    ['page without limit', {page: 2, sort: 'city'}, ['Köln', 'London', 'Paris']],
    ['no most for limit', {limit: 9999, sort: 'city'}, ['Köln', 'London', 'Paris']],
  ].map(([name, criteria, cities]) => [
    `§6.2 associations: ${name}`,
    {sort: 'city', ...(criteria as Values)},
    cities as string[],
  ]),
  async (shop, criteria, cities) => expect(await citiesOf(shop, criteria)).toEqual(cities),
)

row('§6.2 associations: limit counts for each owner', async shop => {
  const {data} = await pageOf(shop, {
    filter: [numbered],
    sort: 'firstName',
    associations: {addresses: {limit: 1, sort: 'city'}},
  })
  const cities = data.map(({addresses}) => (addresses as Address[]).map(({city}) => city))
  expect(cities).toEqual([['Köln'], ['Paris'], ['Köln']])
})

row('§6.2 associations: recursive', async shop => {
  const {countryId} = await shop.make.ids()
  const [first] = await addressesOf(shop, {limit: 1, associations: {country: {}, customer: {}}})
  expect(first?.country?.id).toBe(countryId)
  expect(first?.customer?.firstName).toBe('Ada')
  const [bare] = await addressesOf(shop, {limit: 1})
  expect([bare?.country, bare?.customer]).toEqual([null, null])
})

row('§6.2 associations: an empty to-many is a list', async shop => {
  const {data} = await pageOf(shop, {sort: 'firstName', limit: 1, associations: {orderCustomers: {}}})
  expect(data[0]?.orderCustomers).toEqual([])
})

row('§6.2 grouping: GROUP BY a field', async shop => {
  const {data, total} = await pageOf(shop, {grouping: ['title'], 'total-count-mode': 1, limit: 20})
  expect(data.map(({title}) => title).toSorted()).toEqual(['Dr.', 'Prof.', null])
  expect(total).toBe(3)
})

row('§6.2 grouping: GROUP BY two fields', async shop => {
  const {data} = await pageOf(shop, {grouping: ['title', 'guest']})
  expect(data.length).toBe(4)
})

row('§6.2 grouping: told apart as compares do, behind filter and term', async shop => {
  const some = async (criteria: Values) => (await pageOf(shop, {grouping: ['company'], ...criteria})).total
  expect(await some({})).toBe(4)
  expect(await some({filter: [{type: 'equalsAny', field: 'firstName', value: ['Bruno', 'Cleo']}]})).toBe(1)
  expect(await some({term: 'axb'})).toBe(2)
})

row.bundledOnly('§6.2 grouping: a string is ignored', async shop => {
  expect((await pageOf(shop, {grouping: 'title'})).total).toBe(9)
})

row('§6.1 a listing with an optional trailing slash', async shop => {
  const criteria = await amongCast(shop, {sort: 'firstName', limit: 2})
  const bare = await shop.post('/api/search/customer', criteria)
  const slashed = await shop.post('/api/search/customer/', criteria)
  expect([slashed.status, slashed.text]).toEqual([200, bare.text])
})

row('§6.1 search-ids: total and ids, plain JSON whatever is accepted', async shop => {
  const criteria = await amongCast(shop, {sort: 'firstName', limit: 2, 'total-count-mode': 1})
  const expected = JSON.stringify({total: 9, data: await idsOf(shop, 'Ada', 'Bruno')})
  for (const Accept of ['application/json', 'application/vnd.api+json', '*/*']) {
    const reply = await shop.post('/api/search-ids/customer', criteria, {Accept})
    expect([reply.status, reply.text]).toEqual([200, expected])
    expect(reply.headers['content-type']).toBe('application/json')
  }
})

row('§6.1 search-ids: Accept must be supported all the same', async shop => {
  const reply = await shop.post('/api/search-ids/customer', await amongCast(shop), {Accept: 'text/html'})
  expect(reply.status).toBe(415)
})

row('§6.1 search-ids: below a row', async shop => {
  const {people} = await castOf(shop)
  const {id, defaultBillingAddress} = people.Dora
  const reply = await shop.post(`/api/search-ids/customer/${id}/addresses`, {})
  expect(reply.json()).toEqual({total: 1, data: [(defaultBillingAddress as Values).id]})
})

row('§6.1 search-ids: nothing found', async shop => {
  const filter = [{type: 'equals', field: 'firstName', value: 'Nobody'}]
  const reply = await shop.post('/api/search-ids/customer', await amongCast(shop, {filter}))
  expect(reply.text).toBe('{"total":0,"data":[]}')
})

row('§6.1 a listing of an association', async shop => {
  const [ada] = await idsOf(shop, 'Ada')
  const reply = await shop.post(`/api/search/customer/${ada}/addresses`, {sort: 'city', limit: 2})
  const {total, data} = reply.json()
  expect([total, data.map(({city}: Address) => city)]).toEqual([2, ['Köln', 'London']])
  expect(data[0].apiAlias).toBe('customer_address')
})

row('§6.1 a listing of an association, its criteria relative to it', async shop => {
  const [ada] = await idsOf(shop, 'Ada')
  const filter = [{type: 'equals', field: 'zipcode', value: '75001'}]
  const reply = await shop.post(`/api/search/customer/${ada}/addresses`, {filter, 'total-count-mode': 1})
  expect([reply.json().total, reply.json().data[0].city]).toEqual([1, 'Paris'])
})

row('§6.1 a listing of a to-one association', async shop => {
  const [ada] = await idsOf(shop, 'Ada')
  const reply = await shop.post(`/api/search/customer/${ada}/default-billing-address`, {})
  // Whatever leads back to the customer is listed, not what the key says.
  const {data} = (await shop.post(`/api/search/customer/${ada}/addresses`, {})).json()
  const idsIn = (rows: Values[]) => rows.map(({id}) => id).toSorted()
  expect(data.length).toBeGreaterThan(1)
  expect([reply.json().total, idsIn(reply.json().data)]).toEqual([data.length, idsIn(data)])
})

row('§6.1 a listing of an association of an association', async shop => {
  const {people} = await castOf(shop)
  const {countryId} = await shop.make.ids()
  const address = people.Ada.defaultBillingAddressId ?? (people.Ada.defaultBillingAddress as Values).id
  const path = `/api/search/customer/${people.Ada.id}/addresses/${address}/country`
  const reply = await shop.post(path, {})
  expect([reply.json().total, reply.json().data[0].id]).toEqual([1, countryId])
})

row('§1.4 an unknown entity is an unknown path', async shop => {
  for (const path of ['/api/search/foo', '/api/search-ids/foo', '/api/search/customer_address']) {
    const reply = await shop.post(path, {})
    expect([reply.status, reply.json().errors[0].code]).toEqual([404, '0'])
    expect(reply.json().errors[0].detail).toMatch(/^No route found for "POST http.*"$/)
  }
})
