import {afterEach, beforeEach, expect, test} from 'vitest'
import {deriveStateId} from '../../../src/shop/runtime/base-data.js'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {drawTransaction} from '../../../src/shop/seed/seed-orders.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
beforeEach(async () => {
  shop = await runShop()
})
afterEach(() => shop.stop())

const seed = (input: {customers: number; orders: number; seed?: number}, of = shop) =>
  seedShop(input, {db: of.db})

async function everything(of: TestShop, entity: string): Promise<Record<string, unknown>[]> {
  const answer = await of.post(
    `/api/search/${entity}`,
    {sort: [{field: 'id'}]},
    {authorization: await of.signIn()},
  )
  return ((await answer.json()) as {data: Record<string, unknown>[]}).data
}

async function ordersThatCount(of: TestShop): Promise<number> {
  const cancelled = {type: 'equals', field: 'stateMachineState.technicalName', value: 'cancelled'}
  const answer = await of.post(
    '/api/search/order',
    {limit: 1, 'total-count-mode': 1, filter: [{type: 'not', queries: [cancelled]}]},
    {authorization: await of.signIn()},
  )
  return ((await answer.json()) as {total: number}).total
}

test('makes the same people and orders in every shop', async () => {
  const other = await runShop()
  await seed({customers: 40, orders: 15})
  await seed({customers: 40, orders: 15}, other)
  for (const entity of ['customer', 'customer-address', 'order', 'order-transaction', 'order-line-item']) {
    expect(await everything(other, entity)).toEqual(await everything(shop, entity))
  }
  expect(await everything(shop, 'customer')).toHaveLength(40)
  expect(await everything(shop, 'order-transaction')).toHaveLength(15)
  await other.stop()
})

test('only adds: the same call again changes nothing, a larger one brings the rest', async () => {
  await seed({customers: 10, orders: 4})
  const before = await everything(shop, 'customer')
  expect(await seed({customers: 10, orders: 4})).toEqual({customers: 10, orders: 4})
  expect(await everything(shop, 'customer')).toEqual(before)
  await seed({customers: 25, orders: 4})
  const after = await everything(shop, 'customer')
  expect(after).toHaveLength(25)
  expect(after.map(one => one.id)).toEqual(expect.arrayContaining(before.map(one => one.id)))
})

test('one shop can have several seeds', async () => {
  await seed({customers: 5, orders: 0})
  await seed({customers: 5, orders: 0, seed: 2})
  const numbers = (await everything(shop, 'customer')).map(one => one.customerNumber)
  expect(new Set(numbers).size).toBe(10)
})

test('orders bring the customers that they need', async () => {
  await seed({customers: 0, orders: 9})
  expect(await everything(shop, 'customer')).toHaveLength(3)
})

test('a payment can be told from seed and place alone, with its provider’s ids', async () => {
  await seed({customers: 3, orders: 12})
  const transactions = await everything(shop, 'order-transaction')
  for (const place of [0, 5, 11]) {
    const expected = drawTransaction(1, place)
    expect(transactions.find(one => one.id === expected.id)).toMatchObject({
      orderId: expected.orderId,
      amount: {totalPrice: expected.amountTotal},
      customFields: {
        swag_paypal_order_id: expected.providerOrderId,
        swag_paypal_transaction_id: expected.providerPaymentId,
      },
    })
  }
})

test('customers know of their orders that are not cancelled, and lines add up', async () => {
  await seed({customers: 2, orders: 20})
  const customers = await everything(shop, 'customer')
  const orders = await everything(shop, 'order')
  const counted = orders.filter(one => one.stateId !== deriveStateId('order.state', 'cancelled'))
  const lines = await everything(shop, 'order-line-item')
  const sum = (list: unknown[]) =>
    Math.round(list.reduce<number>((total, one) => total + (one as number), 0) * 100)
  expect(counted.length).toBeLessThan(orders.length)
  expect(sum(customers.map(one => one.orderCount)) / 100).toBe(counted.length)
  expect(sum(customers.map(one => one.orderTotalAmount))).toBe(sum(counted.map(one => one.amountTotal)))
  expect(sum(lines.map(one => one.totalPrice))).toBe(sum(orders.map(one => one.amountTotal)))
})

test('customers know of their orders from the first batch on, wherever the seeding ends', async () => {
  await seed({customers: 3, orders: 0})
  const controller = new AbortController()
  const onProgress = ({orders}: {orders: number}) => orders > 0 && controller.abort()
  const seeding = seedShop({customers: 3, orders: 4100}, {db: shop.db, signal: controller.signal, onProgress})
  await expect(seeding).rejects.toThrow()
  const [customers, orders] = [await everything(shop, 'customer'), await ordersThatCount(shop)]
  expect(customers.reduce((sum, one) => sum + (one.orderCount as number), 0)).toBe(orders)
  expect(orders).toBeGreaterThan(1000)
})

test('states and alphabets vary', async () => {
  await seed({customers: 200, orders: 200})
  const states = new Set((await everything(shop, 'order-transaction')).map(one => one.stateId))
  expect(states.size).toBeGreaterThan(6)
  const names = (await everything(shop, 'customer')).map(one => one.lastName).join('')
  for (const alphabet of [
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Han}/u,
    /\p{Script=Arabic}/u,
  ]) {
    expect(names).toMatch(alphabet)
  }
})

test('stops between two batches when it is told to, and keeps what was made', async () => {
  const controller = new AbortController()
  const seeding = seedShop(
    {customers: 21_000, orders: 0},
    {db: shop.db, signal: controller.signal, onProgress: () => controller.abort()},
  )
  await expect(seeding).rejects.toThrow()
  const answer = await shop.post(
    '/api/search/customer',
    {limit: 1, 'total-count-mode': 1},
    {authorization: await shop.signIn()},
  )
  expect(((await answer.json()) as {total: number}).total).toBe(10_000)
})
