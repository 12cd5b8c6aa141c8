import {expect, test} from 'vitest'
import {PRIVILEGES} from '../../../src/doctor/privileges.js'
import {seedPaymentShop} from '../../support/payment-shop.js'
import type {TestShop} from '../../support/shop.js'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

interface Listed {
  readonly transaction: string
  readonly order: string
  readonly orderNumber: string
  readonly createdAt: string
}

/** Payments on which both sides agree, and those of a state. */
async function prepare() {
  const seeded = await seedPaymentShop(80, 0)
  const list = async (state: string): Promise<Listed[]> => {
    const words = ['payment', 'list', '--state', state, '--all', '-o', 'json']
    return JSON.parse((await seeded.run(...words)).stdout)
  }
  const kinds = async (...words: string[]) => {
    const {rows, exit} = await seeded.reconcile(...words)
    return [exit, ...rows.map(({kind, orderNumber}) => `${kind} ${orderNumber}`).sort()]
  }
  return {...seeded, list, kinds}
}

/** Moves an order or its delivery as a person in the administration does. */
async function move(shop: TestShop, entity: 'order' | 'order_delivery', order: string, ...actions: string[]) {
  const filter = [{type: 'equals', field: 'orderId', value: order}]
  const found = (await (await shop.call('/api/search/order-delivery', {filter})).json()) as {
    data: {id: string}[]
  }
  const id = entity === 'order' ? order : found.data[0]?.id
  for (const action of actions)
    expect((await shop.call(`/api/_action/${entity}/${id}/state/${action}`)).status).toBe(200)
}

test('an authorization that ends within --expiring-within is reported however old it is, and never repaired', async () => {
  const {clock, kinds, list, reconcile, plan, run} = await prepare()
  const begun = (await list('authorized')).sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
  expect(begun.length).toBeGreaterThan(1)
  expect(await kinds()).toEqual([0])
  const [first, second] = begun as [Listed, Listed]
  // The provider authorizes a minute after the payment has begun.
  const endsInMs = Date.parse(first.createdAt) + 29 * DAY_MS + 60_000 - clock.now().getTime()
  clock.advance(endsInMs - 3 * DAY_MS - 60_000)
  expect(await kinds()).toEqual([0])
  clock.advance(60_000)
  expect(await kinds()).toEqual([3, `authorization-expiring ${first.orderNumber}`])
  expect(await kinds('--expiring-within', '2d')).toEqual([0])
  expect(await kinds('--since', '7d')).toEqual([0])
  const {rows} = await reconcile('--plan', plan)
  const ends = new Date(clock.now().getTime() + 3 * DAY_MS).toISOString().slice(0, 16)
  expect(rows).toMatchObject([
    {
      transaction: first.transaction,
      repair: 'by hand: capture the payment, or cancel the order',
      detail: expect.stringMatching(
        `^provider: the authorization ends ${ends}Z; shop: authorized, [\\d.]+ EUR$`,
      ),
    },
  ])
  const shown = JSON.parse((await run('payment', 'show', second.orderNumber, '-o', 'json')).stdout)
  expect(shown.difference).toBe('none')
})

test('money of an order that was cancelled or returned is owed after --owed-after, and never repaired', async () => {
  const {clock, kinds, list, reconcile, plan, shop, refund, run} = await prepare()
  const [cancelled, returned, shipped, refunded] = (await list('paid')) as [Listed, Listed, Listed, Listed]
  await move(shop, 'order', cancelled.order, 'cancel')
  await move(shop, 'order_delivery', returned.order, 'ship', 'retour')
  await move(shop, 'order_delivery', shipped.order, 'ship')
  await move(shop, 'order', refunded.order, 'cancel')
  const {movements} = JSON.parse((await run('payment', 'show', refunded.orderNumber, '-o', 'json')).stdout)
  for (const {id} of movements) expect((await refund(id)).status).toBe(201)
  const missed = `refund-missed ${refunded.orderNumber}`
  const both = [cancelled, returned].map(({orderNumber}) => `refund-owed ${orderNumber}`).sort()
  clock.advance(3 * DAY_MS)
  expect(await kinds()).toEqual([3, missed])
  clock.advance(HOUR_MS)
  expect(await kinds()).toEqual([3, missed, ...both])
  expect(await kinds('--owed-after', '4d')).toEqual([3, missed])
  clock.advance(20 * DAY_MS)
  expect((await kinds()).filter(each => String(each).startsWith('refund-owed'))).toEqual(both)
  expect(await kinds('--since', '7d')).toEqual([0])
  const {rows} = await reconcile('--plan', plan)
  const owed = rows.find(({transaction}) => transaction === returned.transaction)
  expect(owed).toMatchObject({
    repair: 'by hand: refund at the provider, or reopen the order',
    detail: expect.stringMatching(
      /^provider: [\d.]+ EUR kept since [-\d]+T[\d:]+Z; shop: the order is returned$/,
    ),
  })
})

test('a role that may not read deliveries finds cancelled orders alone, and is told so', async () => {
  const {clock, list, reconcile, shop, env} = await prepare()
  const [cancelled, returned] = (await list('paid')) as [Listed, Listed]
  await move(shop, 'order', cancelled.order, 'cancel')
  await move(shop, 'order_delivery', returned.order, 'ship', 'retour')
  clock.advance(4 * DAY_MS)
  const verified = {authorization: `Bearer ${await shop.signInVerified()}`}
  const [role, accessKey, secretAccessKey] = ['a'.repeat(32), `SWIA${'B'.repeat(22)}`, 'x'.repeat(51)]
  const privileges = PRIVILEGES['payment reconcile']
  await shop.call('/api/acl-role', {id: role, name: 'role', privileges}, verified)
  const integration = {label: 'payments', accessKey, secretAccessKey, aclRoles: [{id: role}]}
  await shop.call('/api/integration', integration, verified)
  Object.assign(env, {STORECTL_CLIENT_ID: accessKey, STORECTL_CLIENT_SECRET: secretAccessKey})
  const {rows, stderr} = await reconcile()
  expect(rows.map(({orderNumber}) => orderNumber)).toEqual([cancelled.orderNumber])
  expect(stderr).toContain('returned orders were not looked for: the role lacks order_delivery:read')
})
