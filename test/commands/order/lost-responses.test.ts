import {expect, test} from 'vitest'
import {SkippingClock} from '../../support/clock.js'
import {signedInTo} from '../../support/customer-pages.js'
import type {Reply} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {type OrderShopOptions, orderOf, orderShop, ordersOf} from '../../support/order-shop.js'
import {testShop as bundledShop} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'

/** Submits orders to a shop of the test's own, as often as `run` is called. */
async function submitTo(options: OrderShopOptions, ...flags: string[]) {
  const shop = await orderShop(options)
  const home = temporaryFolder()
  const run = async (orders: unknown = ordersOf(2), clock = new SkippingClock()) => {
    const {exit, stdout} = await storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson', ...flags], {
      env: signedInTo(shop.url),
      home,
      clock,
      stdin: JSON.stringify(orders),
    })
    const rows = stdout.split('\n').filter(Boolean)
    return {exit, rows: rows.map(line => JSON.parse(line) as Record<string, unknown>)}
  }
  return {shop, run}
}

/** Loses the response to the first attempt of every order. */
function loseFirst(): NonNullable<OrderShopOptions['after']> {
  const lost = new Set<string>()
  return reference => {
    if (lost.has(reference)) return undefined
    lost.add(reference)
    return {reset: true}
  }
}

test('--grace-period says how long an order that was given up is looked up', async () => {
  const measureWait = async (...flags: string[]) => {
    const clock = new SkippingClock()
    const begun = clock.now().getTime()
    const {run} = await submitTo({instead: () => ({status: 504})}, ...flags)
    expect((await run([orderOf('R-1')], clock)).rows[0]).toMatchObject({status: 'unknown', attempts: 1})
    return clock.now().getTime() - begun
  }
  expect(await measureWait()).toBeGreaterThanOrEqual(60_000)
  expect(await measureWait('--grace-period', '5s')).toBeLessThan(30_000)
})

test('a shop that returns just what was sent has the order, after a lost response', async () => {
  const {shop, run} = await submitTo({after: loseFirst(), show: order => order})
  expect((await run()).rows.map(({status}) => status)).toEqual(['created', 'created'])
  expect((await run()).rows.map(({status}) => status)).toEqual(['exists', 'exists'])
  expect(shop.sent()).toEqual(['R-1', 'R-2'])
})

test('another content after a lost response stays unknown, and is looked up and never sent again', async () => {
  const {shop, run} = await submitTo({
    after: loseFirst(),
    show: order => ({...order, shipTo: {...order.shipTo, street: 'Weg 1a'}}),
  })
  for (const attempts of [1, 0]) {
    const {exit, rows} = await run([orderOf('R-1')])
    expect(rows[0]).toMatchObject({
      status: 'unknown',
      attempts,
      detail: 'shipTo.street is "Weg 1a" in the shop and "Weg 1" here',
    })
    expect(exit).toBe(6)
  }
  expect(shop.sent()).toEqual(['R-1'])
})

test('a conflict is looked up by the next run and not sent again', async () => {
  const {shop, run} = await submitTo({knowsReferences: true})
  shop.orders.set('R-1', orderOf('R-1', {note: 'another'}))
  for (const attempts of [1, 0]) {
    expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'conflict', attempts})
  }
  expect(shop.sent()).toEqual(['R-1'])
})

test('a conflict that answers a second attempt is looked up, as the first may have been applied', async () => {
  let sent = 0
  const error = {errors: [{status: '409', code: 'FULFILLMENT__REFERENCE_CONFLICT', detail: 'known'}]}
  const {shop, run} = await submitTo({
    after: () => (++sent === 1 ? {status: 503} : undefined),
    instead: () => (sent === 0 ? undefined : {status: 409, body: error}),
  })
  // The search lags: the order is found once it was sent again.
  const find = shop.orders.get.bind(shop.orders)
  shop.orders.get = reference => (sent === 1 && shop.sent().length === 1 ? undefined : find(reference))
  expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'created', attempts: 2})
  expect(shop.sent()).toEqual(['R-1', 'R-1'])
})

test.each([
  ['the reference of another order', {id: 'f'.repeat(32), reference: 'R-9'}],
  ['the id of another order', {id: '522d31'.padStart(32, '0')}],
])('a 200 with %s is looked up', async (_, body) => {
  // The second order is not taken: the answer is one that a cache kept.
  const instead = (reference: string, count: number): Reply | undefined =>
    reference === 'R-2' && count === 2 ? {body} : undefined
  const {shop, run} = await submitTo({instead}, '--concurrency', '1')
  const {exit, rows} = await run()
  expect(rows.map(({status, attempts}) => [status, attempts])).toEqual([
    ['created', 1],
    ['created', 2],
  ])
  expect(exit).toBe(0)
  expect([...shop.orders.keys()]).toEqual(['R-1', 'R-2'])
})

test('where the shop cannot be asked, a 200 with another order stays unknown', async () => {
  const {run} = await submitTo({hasSearch: false, instead: () => ({body: {id: 'a', reference: 'R-9'}})})
  const {exit, rows} = await run([orderOf('R-1')])
  expect(rows[0]).toMatchObject({
    status: 'unknown',
    httpStatus: 200,
    detail: 'answered with another order, "R-9"',
  })
  expect(exit).toBe(6)
})

test('a shop that cannot be asked and answers 503 after the commit gets the order once', async () => {
  const {shop, run} = await submitTo({hasSearch: false, after: () => ({status: 503})})
  for (const attempts of [1, 0]) {
    expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'unknown', attempts})
  }
  expect(shop.sent()).toEqual(['R-1'])
})

test('a 429 is sent again there, unless it shows an order', async () => {
  const answers = (body: string | object): OrderShopOptions => ({
    hasSearch: false,
    instead: (_: string, count: number) => (count === 1 ? {status: 429, body} : undefined),
  })
  const refused = await submitTo(answers(''))
  expect((await refused.run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'created', attempts: 2})
  const shown = await submitTo(answers({id: 'a', reference: 'R-1'}))
  expect((await shown.run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'unknown', attempts: 1})
})

test.each<[string, Reply]>([
  ['breaks the connection', {reset: true}],
  ['answers 503', {status: 503, body: ''}],
])('orders are not-sent, and never unknown, where the token route %s', async (_, reply) => {
  const shop = await orderShop({
    instead: reference => (reference === undefined ? reply : undefined),
  })
  const {exit, stdout} = await storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson', '--retries', '0'], {
    env: {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'secret'},
    stdin: JSON.stringify([orderOf('R-1')]),
  })
  expect(JSON.parse(stdout)).toMatchObject({status: 'not-sent', detail: expect.any(String), attempts: 1})
  expect([exit, shop.orders.size]).toEqual([6, 0])
})

test.each<[string, Reply]>([
  ['answers 504', {status: 504}],
  ['answers 520', {status: 520}],
  ['breaks the connection', {reset: true}],
])(
  'an order that the shop is still at work on when something before it %s is made once',
  async (_, reply) => {
    let made = 0
    const {shop, run} = await submitTo({instead: () => reply})
    const {get} = shop.orders
    // The shop is done by the third look.
    shop.orders.get = function (this: typeof shop.orders, reference: string) {
      if (shop.sent().length > 0 && shop.looks().length === 3 && made++ === 0)
        shop.orders.set('R-1', orderOf('R-1'))
      return get.call(this, reference)
    }.bind(shop.orders)
    const {exit, rows} = await run([orderOf('R-1')])
    expect(rows[0]).toMatchObject({status: 'created', attempts: 1})
    expect([exit, made, shop.sent().length]).toEqual([0, 1, 1])
  },
)

test('an order that is missing after a lost call is unknown for ten minutes, and then sent', async () => {
  const {shop, run} = await submitTo({instead: (_, count) => (count === 1 ? {status: 504} : undefined)})
  expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'unknown', attempts: 1})
  for (let again = 0; again < 2; again++)
    expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({
      ...{status: 'unknown', attempts: 0},
      detail: expect.stringMatching(
        /^an attempt that ended at \S+Z may still be at work; without the order in the shop it counts as not applied from \S+Z$/,
      ),
    })
  const later = await run([orderOf('R-1')], new SkippingClock(660_000))
  expect(later.rows[0]).toMatchObject({status: 'created', attempts: 1})
  expect(shop.sent()).toEqual(['R-1', 'R-1'])
})

test('--trust-key sends an order again after a lost call that left nothing', async () => {
  const {shop, run} = await submitTo(
    {instead: (_, count) => (count === 1 ? {status: 504} : undefined)},
    '--trust-key',
  )
  expect((await run([orderOf('R-1')])).rows[0]).toMatchObject({status: 'created', attempts: 2})
  expect(shop.sent()).toEqual(['R-1', 'R-1'])
})

test('orders in doubt share their look-ups', async () => {
  const {shop, run} = await submitTo({instead: () => ({status: 504})}, '--concurrency', '5')
  const {rows} = await run(ordersOf(5))
  expect(rows.every(({status}) => status === 'unknown')).toBe(true)
  expect(shop.sent()).toHaveLength(5)
  expect(shop.looks().length).toBeLessThan(5 * 7)
})

test('orders are made once where lost answers meet a bundled shop that knows no unique reference', async () => {
  const shop = await bundledShop({
    faults: ['route=order,reference=not-unique', 'route=order,reset=after-commit,count=2'],
  })
  const {clientId, clientSecret} = shop.credentials
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: clientId,
    STORECTL_CLIENT_SECRET: clientSecret,
  }
  const stdin = ordersOf(3)
    .map(order => `${JSON.stringify(order)}\n`)
    .join('')
  const words = ['order', 'submit', '-', '--yes', '-o', 'ndjson']
  const home = temporaryFolder()
  const submit = () => storectl(words, {env, stdin, home, clock: new SkippingClock()})
  const [first, again] = [await submit(), await submit()]
  expect([first.exit, again.exit], first.stderr).toEqual([0, 0])
  const rows = await shop.db.reads.selectFrom('fulfillment_order').select('reference').execute()
  expect(rows.map(({reference}) => reference).sort()).toEqual(['R-1', 'R-2', 'R-3'])
})
