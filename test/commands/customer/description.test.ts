import {expect, test} from 'vitest'
import {currentTime} from '../../support/clock.js'
import {customerRow, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const MINUTE = 60_000

/** A shop without companies, whose customers have what `properties` adds. */
function described(properties: object = {}) {
  const own = {id: {type: 'uuid'}, email: {type: 'string'}, createdAt: {type: 'date'}, ...properties}
  return JSON.stringify({customer: {entity: 'customer', properties: own}})
}

async function shopOf(schema: () => string | undefined) {
  const shop = await endpoint(({method}) => {
    if (method !== 'GET') return {body: listing([customerRow(1)])}
    const body = schema()
    return body === undefined ? {status: 404} : {body}
  })
  let now = Date.parse('2026-03-04T05:06:07Z')
  const clock = {readTicks: () => 0, now: () => new Date(now), sleep: async () => {}}
  const home = temporaryFolder()
  return {
    customer: (...words: string[]) =>
      storectl(['customer', ...words], {env: signedInTo(shop.url), home, clock}),
    offered: async (...words: string[]) => {
      const asked = ['completion', 'candidates', '--', 'customer', ...words]
      return (await storectl(asked, {env: signedInTo(shop.url), home, clock})).stdout
    },
    /** How often the shop was asked for its description. */
    asked: () => shop.received.filter(({url}) => url === '/api/_info/entity-schema.json').length,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('ordinary fields are known without asking the shop', async () => {
  const shop = await shopOf(described)
  expect((await shop.customer('search', '--where', 'company = null', '--sort', 'createdAt:desc')).exit).toBe(
    0,
  )
  expect(shop.asked()).toBe(0)
})

test('names and types are those of the shop, once it has told them', async () => {
  const shop = await shopOf(() => described({swagPoints: {type: 'int'}, email: {type: 'int'}}))
  const {stdout} = await shop.customer('fields', '-o', 'tsv')
  expect(stdout.split('\n').slice(1, -1)).toEqual([
    'id\tid\t\t',
    'email\tnumber\t\t',
    'createdAt\ttime\t\t',
    'swagPoints\tnumber\t\t',
  ])
  expect((await shop.customer('search', '--where', 'swagPoints > 3', '--fields', 'swagPoints')).exit).toBe(0)
  expect((await shop.customer('search', '--where', 'email = "a"')).stderr).toContain('email is a number')
  expect((await shop.customer('search', '--fields', 'company')).stderr).toContain('unknown field "company"')
  expect(await shop.offered('search', '--sort', 'swag')).toBe('swagPoints\t\n')
  expect(shop.asked()).toBe(1)
})

test('what a shop makes only when it shows it is not offered: no criterion may name it', async () => {
  const flags = {runtime: true}
  const active = {type: 'association', entity: 'customer', flags}
  const shop = await shopOf(() => described({digest: {type: 'string', flags}, activeBillingAddress: active}))
  const {stdout} = await shop.customer('fields', '-o', 'tsv')
  expect(stdout).not.toMatch(/digest|activeBillingAddress/)
  for (const where of ['digest = "x"', 'activeBillingAddress.email = "x"'])
    expect((await shop.customer('search', '--where', where)).exit).toBe(2)
})

test('a field that is missing is asked for again after five minutes, and everything after a day', async () => {
  let schema = described()
  const shop = await shopOf(() => schema)
  const search = () => shop.customer('search', '--sort', 'swagPoints', '-o', 'id')
  expect((await search()).exit).toBe(2)
  schema = described({swagPoints: {type: 'int'}})
  shop.pass(4 * MINUTE)
  expect([(await search()).exit, shop.asked()]).toEqual([2, 1])
  shop.pass(2 * MINUTE)
  expect([(await search()).exit, shop.asked()]).toEqual([0, 2])
  shop.pass(23 * 60 * MINUTE)
  expect([(await search()).exit, shop.asked()]).toEqual([0, 2])
  shop.pass(2 * 60 * MINUTE)
  expect([(await search()).exit, shop.asked()]).toEqual([0, 3])
  await shop.customer('fields', '--refresh')
  expect(shop.asked()).toBe(4)
})

test('that a shop does not describe itself is said', async () => {
  const shop = await shopOf(() => undefined)
  const {exit, stdout, stderr} = await shop.customer('fields')
  expect([exit, stderr]).toEqual([0, 'The shop has no field description: plugins may add fields.\n'])
  expect(stdout).toContain('company\ttext')
})

test('a field that nobody knows while the shop is away: both are said', async () => {
  const env = {STORECTL_URL: 'http://127.0.0.1:1', STORECTL_TOKEN: 'a.test.token'}
  const words = ['customer', 'search', '--where', 'swagPoints > 1', '--timeout', '2s']
  const {exit, stderr} = await storectl(words, {
    env,
    clock: {readTicks: () => 0, now: currentTime, sleep: async () => {}},
  })
  expect(exit).toBe(2)
  expect(stderr).toContain('unknown field "swagPoints"')
  expect(stderr).toContain("Could not fetch the shop's own fields: ")
})
