import {afterAll, beforeAll, expect, test} from 'vitest'
import {addTo, idOf, person} from '../../shop/people.js'
import {runShop, type TestShop} from '../../shop/running-shop.js'
import {criteriaIn, customerRow, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

let shop: TestShop
let env: Record<string, string>
beforeAll(async () => {
  shop = await runShop()
  env = {STORECTL_URL: shop.url, STORECTL_TOKEN: await shop.signIn()}
  await addTo(shop, 'customer', [
    person(1, {email: 'ada@example.com', customFields: {points: 20}}),
    person(2, {email: 'ada@müller.de'}),
    person(3, {email: 'bob@xn--mller-kva.de'}),
    person(4, {email: 'ada@muellers.de'}),
    ...Array.from({length: 20}, (_, at) => person(10 + at, {lastName: 'Twin'})),
  ])
})
afterAll(() => shop.stop())

const search = (...words: string[]) => storectl(['customer', 'search', ...words, '-o', 'id'], {env})

test.each([
  [1, ['Ada <ada@example.com>']],
  [1, ['"Lovelace, Countess" <ADA@example.com>']],
  [1, ['<mailto:ada@example.com>']],
  [1, ['--email', 'Countess Ada <ada@example.com>']],
  [1, ['ada', '<ada@example.com>']],
  [2, ['ada@müller.de']],
  [2, ['ada@MÜLLER.de']],
  [2, ['ada@mu\u0308ller.de']],
  [2, ['ada@xn--mller-kva.de']],
  [2, ['Ada <ada@XN--MLLER-KVA.de>']],
  [3, ['bob@müller.de']],
  [3, ['--email', 'bob@müller.de']],
  [3, ['bob@xn--mller-kva.de']],
])('customer %i is found by %j', async (number, words) => {
  const {exit, stdout} = await search(...words)
  expect([exit, stdout]).toEqual([0, `${idOf(number)}\n`])
})

test('customer show takes an address as a mail program copies it, and either form of its domain', async () => {
  for (const [word, number] of [
    ['Ada <ada@example.com>', 1],
    ['bob@müller.de', 3],
  ] as const) {
    const {stdout} = await storectl(['customer', 'show', word, '-o', 'id'], {env})
    expect(stdout).toBe(`${idOf(number)}\n`)
  }
})

test('an address of plain letters, and a domain that is none, are asked for as they are', async () => {
  for (const address of ['ada@example.com', 'ada@xn--.de']) {
    const {stdout} = await storectl(['customer', 'search', address, '--show-request'], {env})
    expect(JSON.parse(stdout).body.filter).toEqual([{type: 'equals', field: 'email', value: address}])
  }
})

test('pages by rank do not overlap, though customers with equal points have no order of their own', async () => {
  const rows = Array.from({length: 9}, (_, at) => customerRow(at + 1))
  const unordered = await endpoint(request => {
    const {
      page = 1,
      limit = 500,
      sort = [],
    } = criteriaIn(request) as {page?: number; limit?: number; sort?: {field: string}[]}
    const isOrdered = sort.map(({field}) => field).join() === '_score,id'
    const turned = isOrdered ? rows : [...rows.slice(page), ...rows.slice(0, page)]
    return {body: listing(turned.slice((page - 1) * limit, page * limit))}
  })
  const found: string[] = []
  for (const page of ['1', '2', '3']) {
    const words = ['ada', '--ranked', '--limit', '3', '--page', page, '-o', 'id']
    found.push((await storectl(['customer', 'search', ...words], {env: signedInTo(unordered.url)})).stdout)
  }
  expect(found.join('').trim().split('\n')).toEqual(rows.map(({id}) => id))
})

test('a shop takes the order by rank, best first', async () => {
  const {exit, stdout} = await search('twin', '--ranked', '--limit', '7')
  expect([exit, stdout.trim().split('\n')]).toEqual([0, Array.from({length: 7}, (_, at) => idOf(10 + at))])
  const best = await search('ada', 'ada@example.com', '--ranked', '--limit', '1')
  expect(best.stdout).toBe(`${idOf(1)}\n`)
})

const DEFINED = {type: 'int', name: 'points'}
const definitions = (...rows: object[]) =>
  endpoint(({url}) => ({body: listing(url.endsWith('/custom-field') ? rows : [customerRow(1)])}))

test('a number is compared with a custom field that the shop does not define: a warning', async () => {
  const warn = 'no definition of customFields.points as a number, so it compares text'
  const where = async (condition: string, other: {url: string; received: unknown[]}, ...words: string[]) => {
    const argv = ['customer', 'search', '--where', condition, ...words]
    const {exit, stderr} = await storectl(argv, {env: signedInTo(other.url)})
    expect(exit).toBe(0)
    return stderr
  }
  const none = await definitions()
  expect(await where('email = null or not customFields.points >= 100', none)).toContain(warn)
  expect(await where('customFields.points > 1', none, '--count', '--quiet')).not.toContain(warn)
  expect(await where('customFields.points > 1', await definitions({...DEFINED, type: 'text'}))).toContain(
    warn,
  )
  expect(await where('customFields.points > 1', await definitions(DEFINED))).toBe('')
  const asked = await definitions()
  expect(await where('customFields.points = "red" and orderCount > 5', asked)).toBe('')
  expect(asked.received.map(request => (request as {url: string}).url)).toEqual(['/api/search/customer'])
})

test('a warning comes, too, for criteria of a file, and where definitions cannot be read', async () => {
  const none = await definitions()
  const filter = [{type: 'range', field: 'addresses.customFields.floor', parameters: {lt: 3}}]
  const given = ['customer', 'search', '--criteria', JSON.stringify({filter})]
  expect((await storectl(given, {env: signedInTo(none.url)})).stderr).toContain('customFields.floor')
  const {stdout, stderr} = await search('--where', 'customFields.points >= 100')
  expect([stdout, stderr]).toEqual([
    `${idOf(1)}\n`,
    expect.stringContaining('no definition of customFields.points'),
  ])
  const refusing = await endpoint(({url}) =>
    url.endsWith('/custom-field')
      ? {status: 403, body: '{"errors":[{"status":"403"}]}'}
      : {body: listing([customerRow(1)])},
  )
  const refused = ['customer', 'search', '--where', 'customFields.points >= 100']
  const ended = await storectl(refused, {env: signedInTo(refusing.url)})
  expect([ended.exit, ended.stderr]).toEqual([
    0,
    expect.stringContaining('does not define customFields.points as a number compares text'),
  ])
})
