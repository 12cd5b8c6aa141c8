import {sql} from 'kysely'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {idOf, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

/** Once with rows that the index of parts knows, and once without. */
const SHOPS = [
  ['with two thousand customers', 2000],
  ['without others', 0],
] as const
const shops = new Map<string, TestShop>()
let authorization: string

beforeAll(async () => {
  for (const [name, customers] of SHOPS) {
    const shop = await runShop()
    if (customers > 0) await seedShop({customers, orders: 0}, {db: shop.db})
    shops.set(name, shop)
  }
})
afterAll(() => Promise.all([...shops.values()].map(shop => shop.stop())))

type Found = {data: {id: string; customerNumber: string; defaultBillingAddressId: string}[]}

async function ask(shop: TestShop, method: string, path: string, body?: object): Promise<Found> {
  authorization = `Bearer ${await shop.signIn()}`
  const answer = await fetch(`${shop.url}/api/${path}`, {
    method,
    headers: {authorization, 'content-type': 'application/json', accept: 'application/json'},
    ...(body ? {body: JSON.stringify(body)} : {}),
  })
  expect([method, path, answer.status, answer.ok ? '' : (await answer.text()).slice(0, 300)]).toEqual([
    method,
    path,
    answer.status,
    '',
  ])
  return (answer.status === 204 ? {data: []} : await answer.json()) as Found
}

const READ_ONLY = ['createdAt', 'autoIncrement', 'orderCount', 'orderTotalAmount', 'reviewCount']
const writable = Object.fromEntries(Object.entries(person(1)).filter(([name]) => !READ_ONLY.includes(name)))
const customer = (number: number, values: object = {}) => ({
  ...writable,
  id: idOf(number),
  customerNumber: `W${number}`,
  email: `written${number}@example.test`,
  defaultBillingAddressId: idOf(number + 500_000),
  defaultShippingAddressId: idOf(number + 500_000),
  ...values,
})
const found = async (shop: TestShop, criteria: object): Promise<string[]> => {
  const {data} = await ask(shop, 'POST', 'search/customer', {limit: 25, ...criteria})
  return data.map(one => one.customerNumber)
}
const byPart = (shop: TestShop, field: string, value: string) =>
  found(shop, {filter: [{type: 'contains', field, value}]})
/** What the index itself says; with its name as the command it checks itself against the rows. */
const check = (shop: TestShop, table: string) =>
  shop.db.writes.run(db =>
    sql.raw(`insert into ${table}_trigram(${table}_trigram, rank) values ('integrity-check', 1)`).execute(db),
  )

test.each(SHOPS)('%s: what the interface adds, changes and takes away is found as it is now', async name => {
  const shop = shops.get(name) as TestShop
  await ask(shop, 'POST', 'customer', customer(1, {lastName: 'Quetzalcóatl'}))
  expect(await byPart(shop, 'lastName', 'zalcoa')).toEqual(['W1'])
  expect(await found(shop, {term: 'quetzalcoatl'})).toEqual(['W1'])
  await ask(shop, 'PATCH', `customer/${idOf(1)}`, {lastName: 'Xylofon'})
  expect(await byPart(shop, 'lastName', 'zalcoa')).toEqual([])
  expect(await byPart(shop, 'lastName', 'ylofo')).toEqual(['W1'])
  expect(await found(shop, {term: 'xylofon'})).toEqual(['W1'])
  await ask(shop, 'DELETE', `customer/${idOf(1)}`)
  expect(await byPart(shop, 'lastName', 'ylofo')).toEqual([])
  expect(await found(shop, {term: 'xylofon'})).toEqual([])
  await check(shop, 'customer')
})

test('rows that the index knows are found by their new names alone, also those next to a customer', async () => {
  const shop = shops.get(SHOPS[0][0]) as TestShop
  const [known] = (await ask(shop, 'POST', 'search/customer', {limit: 1})).data as [Found['data'][0]]
  await ask(shop, 'PATCH', `customer/${known.id}`, {lastName: 'Vuvuzela', company: null})
  expect(await byPart(shop, 'lastName', 'uvuzel')).toEqual([known.customerNumber])
  await ask(shop, 'PATCH', `customer-address/${known.defaultBillingAddressId}`, {city: 'Llanfairpwll'})
  expect(await byPart(shop, 'addresses.city', 'anfairpw')).toEqual([known.customerNumber])
  expect(await found(shop, {term: 'llanfairpwll'})).toEqual([known.customerNumber])
  await ask(shop, 'DELETE', `customer/${known.id}`)
  expect(await byPart(shop, 'addresses.city', 'anfairpw')).toEqual([])
  await check(shop, 'customer')
  await check(shop, 'customer_address')
})

test('the index catches up with what came by the interface, a moment later', async () => {
  const shop = shops.get(SHOPS[1][0]) as TestShop
  const payload = Array.from({length: 700}, (_, at) => customer(10_000 + at, {lastName: `Sync${at}x`}))
  await ask(shop, 'POST', '_action/sync', [{action: 'upsert', entity: 'customer', payload}])
  expect(await byPart(shop, 'lastName', 'sync699')).toEqual(['W10699'])
  await expect.poll(() => known(shop), {timeout: 10_000}).toBeGreaterThanOrEqual(700)
  expect(await byPart(shop, 'lastName', 'sync699')).toEqual(['W10699'])
  await check(shop, 'customer')
})

async function known(shop: TestShop): Promise<number> {
  const {rows} = await sql<{until: number}>`select until from customer_trigram_until`.execute(shop.db.reads)
  return Number(rows[0]?.until)
}
