import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sql} from 'kysely'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openShop} from '../../../src/shop/open-shop.js'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {runShop, serverWorld, type TestShop} from '../running-shop.js'

const CUSTOMERS = 20_000

let shop: TestShop
beforeEach(async () => {
  shop = await runShop()
})
afterEach(() => shop.stop())

const seed = (more: object = {}) =>
  seedShop({customers: CUSTOMERS, orders: 900}, {db: shop.db, isAlone: true, ...more})

/** How many orders customers know of, how many there are that count, and how many customers are wrong about theirs. */
async function orders(): Promise<{known: number; there: number; wrong: number}> {
  const theirs = sql`select count(*) as number, coalesce(round(sum(o.amount_total) * 100) / 100, 0) as amount,
      max(o.order_date_time) as last, c.customer_id
    from order_customer c join "order" o on o.id = c.order_id
    where o.state_id not in (select id from state_machine_state where technical_name = 'cancelled')
    group by c.customer_id`
  const {rows} = await sql<{known: number; there: number; wrong: number}>`
    select sum(order_count) as known, coalesce(sum(t.number), 0) as there,
      sum(order_count <> coalesce(t.number, 0) or order_total_amount <> coalesce(t.amount, 0)
        or last_order_date is not t.last) as wrong
    from customer left join (${theirs}) as t on t.customer_id = customer.id`.execute(shop.db.reads)
  return rows[0] as {known: number; there: number; wrong: number}
}

const openAnew = async () => (await openShop({dataFolder: shop.dataFolder}, serverWorld(shop.clock))).close()

test('an interrupted seeding is repaired when the shop is next opened', async () => {
  const controller = new AbortController()
  const onProgress = ({customers}: {customers: number}) => customers === CUSTOMERS && controller.abort()
  await expect(seed({signal: controller.signal, onProgress})).rejects.toThrow()
  expect(await orders()).toMatchObject({there: 0, wrong: expect.any(Number)})
  expect((await orders()).wrong).toBeGreaterThan(500)
  await openAnew()
  expect(await orders()).toEqual({known: 0, there: 0, wrong: 0})
  await seed()
  expect(await orders()).toMatchObject({known: (await orders()).there, wrong: 0})
})

test('whoever opens the shop while it is being seeded leaves it alone, and customers know of just the orders that they have', async () => {
  const {process} = serverWorld(shop.clock)
  writeFileSync(join(shop.dataFolder, 'seeding.json'), JSON.stringify(process))
  let opened = false
  const onProgress = async () => {
    if (!opened) opened = await openAnew().then(() => true)
  }
  await seed({onProgress})
  await expect.poll(() => opened).toBe(true)
  const {known, there, wrong} = await orders()
  expect({known, wrong}).toEqual({known: there, wrong: 0})
  expect(there).toBeGreaterThan(500)
})
