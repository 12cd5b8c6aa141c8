import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {criteriaIn, customerRow, customerShop, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const people = (count: number) => Array.from({length: count}, (_, at) => customerRow(at + 1))

async function search(argv: string[], rows = people(3), options: object = {}) {
  const shop = await endpoint(customerShop(() => rows))
  const ended = await storectl(['customer', 'search', ...argv], {env: signedInTo(shop.url), ...options})
  const received = shop.received.filter(({method}) => method === 'POST')
  return {...ended, received, first: received[0] && (criteriaIn(received[0]) as Record<string, unknown>)}
}

test('tags are all required, and the last order is between two times', async () => {
  const {first} = await search(['--tag', 'vip', '--tag', 'b2b', '--last-order-since', '2024-01-01T00:00:00Z'])
  expect(first?.filter).toEqual([
    {type: 'range', field: 'lastOrderDate', parameters: {gte: '2024-01-01 00:00:00.000'}},
    {type: 'equalsAll', field: 'tags.name', value: ['vip', 'b2b']},
  ])
  const one = await search(['--tag', 'vip', '--last-order-until', '2024-01-01T00:00:00Z'])
  expect(one.first?.filter).toEqual([
    {type: 'range', field: 'lastOrderDate', parameters: {lt: '2024-01-01 00:00:00.000'}},
    {type: 'equals', field: 'tags.name', value: 'vip'},
  ])
})

test('customers are created between two times', async () => {
  const between = ['--created-since', '2024-01-01T00:00:00Z', '--created-until', '2025-01-01T00:00:00Z']
  expect((await search(between)).first?.filter).toEqual([
    {
      type: 'range',
      field: 'createdAt',
      parameters: {gte: '2024-01-01 00:00:00.000', lt: '2025-01-01 00:00:00.000'},
    },
  ])
})

test('--page passes by what the pages before held, in one request', async () => {
  const {stdout, received, first} = await search(['--limit', '2', '--page', '3', '-o', 'id'], people(9))
  expect(stdout).toBe(
    `${people(6)
      .slice(4)
      .map(({id}) => `${id}\n`)
      .join('')}`,
  )
  expect(received).toHaveLength(1)
  expect(first).toMatchObject({limit: 2, page: 3, sort: [{field: 'autoIncrement', order: 'ASC'}]})
  expect((await search(['--page', '2', '--limit', '501'])).exit).toBe(2)
})

test("--ranked leaves words to the shop's term, in its order, and not for all", async () => {
  const {first} = await search(['ada', 'byron', '--ranked', '--active', '-o', 'json'])
  expect(first).toEqual({
    term: 'ada byron',
    filter: [{type: 'equals', field: 'active', value: true}],
    sort: [
      {field: '_score', order: 'DESC'},
      {field: 'id', order: 'ASC'},
    ],
    limit: 25,
  })
  const all = await search(['ada', '--ranked', '--all'])
  expect([all.exit, all.received]).toEqual([2, []])
  expect((await search(['--ranked'])).stderr).toContain('--ranked needs search words')
})

test('--criteria is narrowed by flags, asks for what is printed too, and says how many', async () => {
  const file = join(temporaryFolder(), 'criteria.json')
  const includes = {customer: ['company']}
  writeFileSync(file, JSON.stringify({filter: {guest: false}, sort: '-createdAt', limit: 2, includes}))
  const {first} = await search(['--criteria', `@${file}`, '--active', '--fields', 'email'])
  expect(first).toEqual({
    filter: [
      {type: 'equals', field: 'guest', value: false},
      {type: 'equals', field: 'active', value: true},
    ],
    sort: [{field: 'createdAt', order: 'DESC'}],
    includes: {customer: ['company', 'id', 'autoIncrement', 'email']},
    limit: 2,
  })
})

test.each([
  ['{"totalCountMode":1}', 'Did you mean "total-count-mode"?'],
  ['{"fliter":[]}', 'Did you mean "filter"?'],
  ['{"aggregations":[]}', '--facet'],
  ['{"limit":0}', 'a whole number from 1'],
  ['[]', 'expected a JSON object'],
  ['{', 'not JSON'],
  ['{"ids":[]}', '"ids": the list is empty'],
])('criteria %s are refused before anything is sent', async (criteria, problem) => {
  const {exit, stderr, received} = await search(['--criteria', criteria])
  expect([exit, received]).toEqual([2, []])
  expect(stderr).toContain(problem)
})

test('criteria that are nested too deep for a call stack are refused before anything is sent', async () => {
  const file = join(temporaryFolder(), 'deep.json')
  writeFileSync(file, `{"filter":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
  const {exit, stderr, received} = await search(['--criteria', `@${file}`])
  expect([exit, received]).toEqual([2, []])
  expect(stderr).toContain('nested more than 100 levels deep')
})

const FACETS = {
  facet0: {
    name: 'facet0',
    buckets: [
      {key: 'DE', count: 40},
      {key: '', count: 10},
    ],
  },
  facet1: {name: 'facet1', buckets: [{key: '1', count: 50}]},
}

test('--facet counts by fields: numbers for programs, bars on a terminal', async () => {
  const shop = await endpoint(() => ({body: JSON.stringify({total: 1, data: [], aggregations: FACETS})}))
  const counted = (argv: string[], options = {}) =>
    storectl(['customer', 'search', '--facet', 'country,active', ...argv], {
      env: signedInTo(shop.url),
      ...options,
    })
  expect(JSON.parse((await counted(['-o', 'json', '--limit', '7'])).stdout)).toEqual([
    {facet: 'country', value: 'DE', count: 40},
    {facet: 'country', value: null, count: 10},
    {facet: 'active', value: true, count: 50},
  ])
  expect(JSON.parse(shop.received[0]?.body as string)).toMatchObject({
    limit: 2,
    aggregations: [
      {type: 'terms', field: 'defaultBillingAddress.country.iso', limit: 7},
      {type: 'terms', field: 'active', limit: 7},
    ],
  })
  const {stdout} = await counted([], {terminal: true, columns: 80})
  expect(stdout).toMatch(/country +DE +40 +█{30}\n/)
  expect(stdout).toMatch(/country +10 +█{8}\n/)
})

test('--mask-pii prints stars for whoever it is, and what is not personal as it is', async () => {
  const rows = [customerRow(1, {customFields: {colour: 'red'}, company: null})]
  const {stdout} = await search(['--mask-pii', '-o', 'ndjson'], rows)
  expect(stdout).not.toMatch(/Ada|Byron|example\.test|red/)
  expect(JSON.parse(stdout)).toMatchObject({
    firstName: '***',
    company: null,
    customFields: {colour: '***'},
    customerNumber: '10001',
  })
})

test('--out writes the file as its name ends, whole or not at all, and replaces none unasked', async () => {
  const file = join(temporaryFolder(), 'customers.csv')
  const {stdout, exit} = await search(['--fields', 'customerNumber,createdAt', '--out', file])
  expect([exit, stdout]).toEqual([0, ''])
  expect(readFileSync(file, 'utf8')).toBe(
    `customerNumber,createdAt\r\n${[1, 2, 3].map(at => `1000${at},2024-10-24T21:30:46.123Z\r\n`).join('')}`,
  )
  expect((await search(['--out', file])).exit).toBe(2)
  const answer = customerShop(() => people(1200))
  const shop = await endpoint((request, count) => (count > 2 ? {reset: true} : answer(request, count)))
  const cut = await storectl(['customer', 'search', '--all', '--out', file, '--force', '--timeout', '5s'], {
    env: signedInTo(shop.url),
  })
  expect(cut.exit).toBe(6)
  expect(readFileSync(file, 'utf8')).toContain('10003')
})

test('CSV disarms what a spreadsheet would run, --csv-raw does not', async () => {
  const rows = [customerRow(1, {company: '=1+1'})]
  const safe = await search(['-o', 'csv', '--fields', 'company'], rows)
  expect(safe.stdout).toBe("company\r\n'=1+1\r\n")
  expect((await search(['-o', 'csv', '--fields', 'company', '--csv-raw'], rows)).stdout).toBe(
    'company\r\n=1+1\r\n',
  )
})

test('a shop that gives fewer rows an answer is asked for fewer', async () => {
  const answer = customerShop(() => people(250))
  const parameters = {maxLimit: 100, limit: 500}
  const errors = [{status: '400', code: 'FRAMEWORK__QUERY_LIMIT_EXCEEDED', meta: {parameters}}]
  const shop = await endpoint((request, count) =>
    (criteriaIn(request).limit ?? 0) > 100
      ? {status: 400, body: JSON.stringify({errors})}
      : answer(request, count),
  )
  for (const argv of [
    ['--all'],
    ['--all', '--sort', 'email'],
    ['--limit', '250'],
    ['--limit', '250', '--sort', 'email'],
  ]) {
    const {stdout, stderr} = await storectl(['customer', 'search', '--quiet', '-o', 'id', ...argv], {
      env: signedInTo(shop.url),
    })
    expect([argv, stderr, stdout.split('\n').length - 1]).toEqual([argv, '', 250])
  }
})

test('a field that only the shop knows is looked up in its own description, once a day', async () => {
  const properties = {id: {type: 'uuid'}, loyaltyPoints: {type: 'int', flags: {}}}
  const schema = JSON.stringify({customer: {entity: 'customer', properties}})
  const shop = await endpoint(({method}) => ({body: method === 'GET' ? schema : listing([customerRow(1)])}))
  const home = {env: {...signedInTo(shop.url), STORECTL_HOME: temporaryFolder()}}
  const asked = (where: string) => storectl(['customer', 'search', '--where', where, '-o', 'json'], home)
  expect((await asked('loyaltyPoints > 5')).exit).toBe(0)
  expect((await asked('loyaltyPoints = "many"')).stderr).toContain('loyaltyPoints is a number')
  expect((await asked('loyaltyPoint = 5')).stderr).toContain('loyaltyPoints')
  expect(shop.received.filter(({method}) => method === 'GET')).toHaveLength(1)
  const {stdout} = await storectl(['customer', 'fields', '-o', 'tsv'], home)
  expect(stdout).toContain('loyaltyPoints\tnumber')
})
