import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createCustomerFields} from '../../../src/customer/fields/customer-fields.js'
import {buildCriteria} from '../../../src/customer/search/search.js'
import {anyText} from '../../support/any-text.js'
import {criteriaIn, customerRow, customerShop, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'

const people = (count: number) => Array.from({length: count}, (_, at) => customerRow(at + 1))

async function search(argv: string[], rows = people(3), options: object = {}) {
  const shop = await endpoint(customerShop(() => rows))
  const ended = await storectl(['customer', 'search', ...argv], {env: signedInTo(shop.url), ...options})
  return {...ended, received: shop.received}
}

test('a table on a terminal, with what was shown and how to get more below it', async () => {
  const {stdout, stderr, exit} = await search(['--limit', '3'], people(3), {terminal: true, columns: 200})
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^NUMBER\s+FIRST NAME\s+LAST NAME\s+EMAIL\s+ACTIVE\s+CREATED\n/)
  expect(stdout).toContain('10003   Ada         Byron 3    ada3@example.test')
  expect(stderr).toBe('3 customers shown; if there are more: --limit N or --all.\n')
})

test('in a pipe TSV, and nothing on stderr', async () => {
  const {stdout, stderr} = await search(['--fields', 'customerNumber,email'])
  expect(stdout).toBe(
    'customerNumber\temail\n10001\tada1@example.test\n10002\tada2@example.test\n10003\tada3@example.test\n',
  )
  expect(stderr).toBe('')
})

test('words are all required, an e-mail address is exact, and flags narrow the search', async () => {
  const {received} = await search([
    'ada',
    'lovelace',
    'ada@example.com',
    '--active',
    '--no-guest',
    '--zip',
    '10',
  ])
  const anywhere = (value: string) => ({
    type: 'or',
    queries: ['customerNumber', 'firstName', 'lastName', 'company', 'email'].map(field => ({
      type: 'contains',
      field,
      value,
    })),
  })
  expect(received).toHaveLength(1)
  expect(received[0]?.url).toBe('/api/search/customer')
  expect(received[0]?.headers).toMatchObject({accept: 'application/json', 'content-type': 'application/json'})
  expect(criteriaIn(received[0] as never)).toEqual({
    filter: [
      anywhere('ada'),
      anywhere('lovelace'),
      {type: 'equals', field: 'email', value: 'ada@example.com'},
      {type: 'prefix', field: 'defaultBillingAddress.zipcode', value: '10'},
      {type: 'equals', field: 'active', value: true},
      {type: 'equals', field: 'guest', value: false},
    ],
    includes: {
      customer: [
        'id',
        'autoIncrement',
        'customerNumber',
        'firstName',
        'lastName',
        'email',
        'company',
        'active',
        'createdAt',
      ],
    },
    sort: [{field: 'autoIncrement', order: 'ASC'}],
    limit: 25,
  })
})

test('only what is printed is asked for, associations too', async () => {
  const {received, stdout} = await search([
    '--fields',
    'id,defaultBillingAddress.country.iso',
    '-o',
    'ndjson',
  ])
  expect(criteriaIn(received[0] as never)).toMatchObject({
    includes: {
      customer: ['id', 'autoIncrement', 'defaultBillingAddress'],
      customer_address: ['country'],
      country: ['iso'],
    },
    associations: {defaultBillingAddress: {associations: {country: {}}}},
  })
  expect(JSON.parse(stdout.split('\n')[0] as string)).toEqual({
    id: '00000000000000000000000000000001',
    defaultBillingAddress: {country: {iso: null}},
  })
})

test('all are streamed by keyset, as the shop wrote them', async () => {
  const rows = people(1234)
  const {stdout, received, exit} = await search(['--all', '-o', 'ndjson'], rows)
  expect(exit).toBe(0)
  expect(received.map(request => criteriaIn(request).filter?.[0]?.parameters.gt)).toEqual([
    undefined,
    500,
    1000,
  ])
  expect(stdout).toBe(rows.map(row => `${JSON.stringify(row).replaceAll('/', '\\/')}\n`).join(''))
})

test('JSON is a valid list also over several pages, and when it is empty', async () => {
  const rows = people(7)
  const many = await search(['--all', '--page-size', '3', '--json'], rows)
  expect(many.received).toHaveLength(3)
  expect(JSON.parse(many.stdout)).toEqual(rows)
  expect(JSON.parse((await search(['--json'], [])).stdout)).toEqual([])
})

test('--limit goes over several pages and stops in the middle of one', async () => {
  const {stdout, received} = await search(['--limit', '5', '--page-size', '2', '-o', 'id'], people(9))
  expect(stdout.trimEnd().split('\n')).toHaveLength(5)
  expect(received.map(request => criteriaIn(request).limit)).toEqual([2, 2, 2])
})

test('sorted ones come by their ids', async () => {
  const rows = people(7)
  const {stdout, received} = await search(
    ['--all', '--sort', 'createdAt:desc', '--page-size', '3', '-o', 'id'],
    rows,
  )
  expect(stdout.trimEnd().split('\n')).toEqual(rows.map(row => row.id))
  expect(received.map(request => request.url)).toEqual([
    '/api/search-ids/customer',
    '/api/search/customer',
    '/api/search/customer',
    '/api/search/customer',
  ])
  expect(criteriaIn(received[0] as never)).toMatchObject({
    sort: [
      {field: 'createdAt', order: 'DESC'},
      {field: 'autoIncrement', order: 'ASC'},
    ],
  })
})

test('customers who come and go meanwhile neither hide nor repeat another', async () => {
  let rows = people(2000)
  let requests = 0
  const answer = customerShop(() => rows)
  const shop = await endpoint((request, count) => {
    const reply = answer(request, count)
    requests++
    rows = rows.filter(row => row.autoIncrement > requests * 300 || row.autoIncrement % 2 === 0)
    rows = [...rows, customerRow(5000 + requests)]
    return reply
  })
  const {stdout} = await storectl(['customer', 'search', '--all', '-o', 'id'], {env: signedInTo(shop.url)})
  const ids = stdout.trimEnd().split('\n')
  expect(new Set(ids).size).toBe(ids.length)
  for (const row of people(2000).filter(row => row.autoIncrement % 2 === 0)) expect(ids).toContain(row.id)
})

test('--count asks the shop to count and prints the number', async () => {
  const shop = await endpoint(() => ({body: listing([customerRow(1)], 1234)}))
  const counted = await storectl(['customer', 'search', '--count', '--city', 'Bonn'], {
    env: signedInTo(shop.url),
  })
  expect(counted.stdout).toBe('1234\n')
  expect(JSON.parse(shop.received[0]?.body as string)).toEqual({
    filter: [{type: 'contains', field: 'defaultBillingAddress.city', value: 'Bonn'}],
    limit: 2,
    'total-count-mode': 1,
  })
})

test('--show-request prints the request and sends nothing', async () => {
  const {stdout, received} = await search(['--show-request', '--where', 'company != null', '-o', 'json'])
  expect(received).toEqual([])
  expect(JSON.parse(stdout)).toEqual({
    method: 'POST',
    path: '/api/search/customer',
    body: {
      filter: [{type: 'not', operator: 'and', queries: [{type: 'equals', field: 'company', value: null}]}],
      sort: [{field: 'autoIncrement', order: 'ASC'}],
      limit: 25,
    },
  })
})

test('a shop that goes away midway: whole rows only, how many, exit 6', async () => {
  const answer = customerShop(() => people(2000))
  const shop = await endpoint((request, count) => (count > 2 ? {reset: true} : answer(request, count)))
  const {stdout, stderr, exit} = await storectl(
    ['customer', 'search', '--all', '-o', 'ndjson', '--timeout', '5s'],
    {env: signedInTo(shop.url)},
  )
  expect(exit).toBe(6)
  const lines = stdout.split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map(line => JSON.parse(line).autoIncrement)).toEqual(
    people(1000).map(row => row.autoIncrement),
  )
  expect(JSON.parse(stderr).error.message).toContain('1000 customers were printed before that.')
})

test('nothing found is 0, and 9 with --fail-if-empty', async () => {
  expect((await search([], [])).exit).toBe(0)
  expect((await search(['--fail-if-empty'], [])).exit).toBe(9)
})

test.each([
  [['--where', 'emial = "x"'], 'column 1: unknown field "emial" in a customer. Did you mean "email"?'],
  [['--where', 'password = "x"'], 'column 1: the shop never returns password.'],
  [
    ['--where', 'defaultBillingAddress.citty = "x"'],
    'column 23: unknown field "citty" in a customer address.',
  ],
  [['--where', 'orderCount = "5"'], 'column 14: orderCount is a number; omit the quotes: 5.'],
  [['--where', 'createdAt > 2024-10-24'], 'has no zone: write 2024-10-24T00:00:00Z for UTC'],
  [['--where', 'group = "x"'], 'group is a customer group; name a field of it, such as group.name.'],
  [['--where', 'active contains "x"'], '"contains" does not work on active, which is true or false'],
  [['--sort', 'createdat:desc'], 'unknown field "createdat" in a customer. Did you mean "createdAt"?'],
  [['--fields', 'id,emai'], 'unknown field "emai" in a customer. Did you mean "email"?'],
  [['--created-since', '2024-13-24'], 'Invalid time "2024-13-24"'],
  [['--limit', '5', '--all'], '--limit'],
  [['--emial', 'x'], 'Did you mean "--email"?'],
])('%j is a mistake that is explained, and no search is sent', async (argv, problem) => {
  const {exit, stderr, stdout, received} = await search(argv)
  expect(stderr).toContain(problem)
  expect([exit, stdout, received.filter(({method}) => method === 'POST')]).toEqual([2, '', []])
})

test.each([
  ['a page of another server', '<html>Welcome</html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[1,2]'],
  ['JSON cut short', '{"total":1,"data":[{"id":"a"}'],
  ['rows that are no objects', '{"total":"x","data":[null,[]]}'],
  ['an unescaped escape sequence', listing([customerRow(1)]).replace('Ada', '\u001b[31mAda')],
])('%s under 200 is not taken for customers', async (_, body) => {
  for (const argv of [['--all', '-o', 'ndjson'], ['--count'], ['--sort', 'email:desc', '--all']]) {
    const shop = await endpoint(() => ({headers: {'content-type': 'text/html'}, body}))
    const {exit, stdout, stderr} = await storectl(['customer', 'search', ...argv], {
      env: signedInTo(shop.url),
    })
    expect({argv, exit, stdout}).toEqual({argv, exit: 2, stdout: ''})
    expect(stderr).toContain('is not a shop: it answered 200 with text/html')
  }
})

test('a shop that gives the same page again and again does not keep a search for ever', async () => {
  const shop = await endpoint(() => ({body: listing([customerRow(1), customerRow(2)])}))
  const all = ['customer', 'search', '--all', '-o', 'ndjson', '--page-size', '2']
  const {exit, stderr} = await storectl(all, {env: signedInTo(shop.url)})
  expect(exit).toBe(5)
  expect(stderr).toContain('the search would never end')
  expect(shop.received).toHaveLength(2)
})

test('garbage for --where is a mistake with a column, and nothing is sent', async () => {
  const shop = await endpoint(customerShop(() => people(3)))
  const piece = fc.constantFrom(
    'and',
    'or',
    'not',
    '(',
    ')',
    ',',
    '=',
    '!=',
    '>',
    'in',
    'email',
    'tags.name',
    '"x',
    '5',
    '-',
    'nul',
    '\\',
    '😀',
    '%',
    '\u001b[31m',
  )
  const garbage = fc.oneof(
    anyText({minLength: 1, maxLength: 30}),
    fc.array(piece, {minLength: 1, maxLength: 12}).map(pieces => pieces.join(' ')),
  )
  const wrong = garbage.filter(text => text.trim() !== '' && !text.startsWith('-') && !isCondition(text))
  await fc.assert(
    fc.asyncProperty(wrong, async text => {
      const words = ['customer', 'search', '--where', text]
      const {exit, stdout, stderr} = await storectl(words, {env: signedInTo(shop.url)})
      expect([exit, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^error: --where, column \d+: /)
      expect(stderr).not.toContain('\u001b')
    }),
    {numRuns: sized(15, 150)},
  )
  expect(shop.received.filter(({method}) => method === 'POST')).toEqual([])
}, 60_000)

function isCondition(text: string): boolean {
  try {
    buildCriteria({where: text, limit: 1}, createCustomerFields())
    return true
  } catch {
    return false
  }
}
