import {expect, test} from 'vitest'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {seedPayments} from '../../../src/shop/seed/seed-payments.js'
import {ENGINES} from '../../support/engines.js'
import {addTransaction, type TestShop, testShop} from '../../support/shop.js'

const HOUR_MS = 3_600_000

interface Report {
  transaction_details: {transaction_info: Record<string, string>}[]
  total_items: number
  total_pages: number
}

interface Capture {
  readonly id: string
  readonly status: string
}

interface Order {
  readonly status: string
  readonly purchase_units: {custom_id: string; payments?: {captures?: Capture[]; refunds?: object[]}}[]
}

/** Calls the provider that a shop plays. */
async function signIn(shop: TestShop) {
  const base = `${shop.url}/provider/paypal`
  const {providerClientId, providerClientSecret} = shop.credentials
  const basic = Buffer.from(`${providerClientId}:${providerClientSecret}`).toString('base64')
  const type = {'content-type': 'application/x-www-form-urlencoded'}
  const headers = {authorization: `Basic ${basic}`, ...type}
  const body = 'grant_type=client_credentials'
  const granted = await fetch(`${base}/v1/oauth2/token`, {method: 'POST', headers, body})
  const {access_token: token} = (await granted.json()) as {access_token: string}
  const call = (path: string, method = 'GET') =>
    fetch(`${base}${path}`, {method, headers: {authorization: `Bearer ${token}`}})
  const read = async <T>(path: string) => (await (await call(path)).json()) as T
  const report = (since: Date, until: Date, more = '') => {
    const span = new URLSearchParams({start_date: since.toISOString(), end_date: until.toISOString()})
    return `/v1/reporting/transactions?${span}${more}`
  }
  return {call, read, report}
}

const seed = async (shop: TestShop, reportLagMs?: number) => {
  const now = shop.clock.now()
  const {customers} = await seedShop({customers: 3, orders: 0}, {db: shop.db})
  const deps = {db: shop.db, signal: new AbortController().signal, onProgress: () => {}}
  await seedPayments({count: 200, drift: 0.2, reportLagMs}, {seed: 1, customers, now}, deps)
  return {now, since: new Date(now.getTime() - 168 * HOUR_MS)}
}

test.each(ENGINES)('the provider reports seeded payments page by page, on $name', async engine => {
  const shop = await testShop({engine})
  const {now, since} = await seed(shop)
  const {read, report, call} = await signIn(shop)
  const pages = await Promise.all(
    [1, 2, 3].map(page => read<Report>(report(since, now, `&page_size=100&page=${page}`))),
  )
  const rows = pages.flatMap(page => page.transaction_details.map(each => each.transaction_info))
  expect(new Set(rows.map(row => row.transaction_id)).size).toBe(pages[0]?.total_items)
  expect(rows.length).toBeGreaterThan(150)
  expect(rows[0]?.transaction_initiation_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
  const late = new Date(since.getTime() + 32 * 24 * HOUR_MS)
  expect((await call(report(since, late))).status).toBe(400)
  expect((await call(report(since, now, '&page_size=501'))).status).toBe(400)
})

test('a movement appears in the report once its lag is over, and in its order at once', async () => {
  const shop = await testShop()
  const {now, since} = await seed(shop, 24 * HOUR_MS)
  const {read, report} = await signIn(shop)
  const before = await read<Report>(report(since, now, '&page_size=500'))
  shop.clock.advance(24 * HOUR_MS)
  const later = await signIn(shop)
  const after = await later.read<Report>(report(since, now, '&page_size=500'))
  expect(after.total_items).toBeGreaterThan(before.total_items)
  const known = new Set(before.transaction_details.map(each => each.transaction_info.transaction_id))
  const late = after.transaction_details
    .map(each => each.transaction_info)
    .find(row => row.paypal_reference_id_type === 'ODR' && !known.has(row.transaction_id))
  const order = await later.read<Order>(`/v2/checkout/orders/${late?.paypal_reference_id}`)
  expect(order.purchase_units[0]?.custom_id).toBe(late?.custom_field)
})

test('an order shows its captures, and what was refunded of them', async () => {
  const shop = await testShop()
  const {read, call} = await signIn(shop)
  await addTransaction(shop, {state: 'paid', amount: 20, providerOrderId: '5O190127TN364715T'})
  const path = '/v2/checkout/orders/5O190127TN364715T'
  const derived = await read<Order>(path)
  expect(derived.purchase_units[0]?.payments?.captures).toMatchObject([
    {status: 'COMPLETED', amount: {value: '20.00', currency_code: 'EUR'}, final_capture: true},
  ])
  expect((await call('/v2/checkout/orders/NONE')).status).toBe(404)
  const {now, since} = await seed(shop)
  const {report} = await signIn(shop)
  const {transaction_details: rows} = await read<Report>(report(since, now, '&page_size=500'))
  const info = rows.map(row => row.transaction_info).find(row => row.transaction_event_code === 'T0006')
  expect((await call(`/v2/payments/captures/${info?.transaction_id}/refund`, 'POST')).status).toBe(201)
  const capture = await read<Capture>(`/v2/payments/captures/${info?.transaction_id}`)
  expect(capture.status).toBe('REFUNDED')
})

test('payments of a seed are the same but for their times, and the same call adds nothing', async () => {
  const [one, other] = [await testShop(), await testShop()]
  await seed(one)
  await seed(other)
  await seed(other)
  const read = async (shop: TestShop) => {
    const orders = await shop.db.reads
      .selectFrom('provider_order')
      .select(['id', 'outcome'])
      .orderBy('id')
      .execute()
    const count = await shop.db.reads.selectFrom('order_transaction').select('id').orderBy('id').execute()
    return {orders, count}
  }
  expect(await read(one)).toEqual(await read(other))
})
