import {expect, test} from 'vitest'
import {REPORT_REFUSED_KEY} from '../../../src/shop/provider/report.js'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {seedPayments} from '../../../src/shop/seed/seed-payments.js'
import {addProviderPayments} from '../../../src/shop/store/provider-payments.js'
import type {ProviderPaymentRow} from '../../../src/shop/store/schema/schema.js'
import {writeConfig} from '../../../src/shop/store/schema/system-config.js'
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
    const span = new URLSearchParams({
      ...{start_date: since.toISOString(), end_date: until.toISOString()},
      balance_affecting_records_only: 'N',
    })
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

test('the provider reports seeded payments page by page', async () => {
  const shop = await testShop()
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

/** Has the provider have some rows of one order, an hour old. */
async function addRows(shop: TestShop, rows: readonly Partial<ProviderPaymentRow>[]) {
  const now = shop.clock.now()
  const [at, transaction] = [new Date(now.getTime() - HOUR_MS).toISOString(), 'a'.repeat(32)]
  const order = {
    ...{
      id: 'ORDER',
      custom_id: `{"orderTransactionId":"${transaction}"}`,
      invoice_id: '10001',
      amount: '10.00',
    },
    ...{currency: 'EUR', status: 'COMPLETED', outcome: 'paid', created_at: at},
  }
  const base = {
    ...{order_id: 'ORDER', capture_id: null, amount: '10.00', currency: 'EUR', status: 'COMPLETED', final: 1},
    ...({created_at: at, id: 'CAPTURE', kind: 'capture'} as const),
  }
  const all = rows.map(row => ({...base, ...row}))
  await shop.db.writes.run(db => addProviderPayments(db, [order], all))
  return {since: new Date(now.getTime() - 2 * HOUR_MS), now, transaction}
}

test('each code comes with its sign and status, and what moves no balance only where it is asked for', async () => {
  const shop = await testShop()
  const of = {capture_id: 'CAPTURE'}
  const {since, now, transaction} = await addRows(shop, [
    {},
    {id: 'PART', kind: 'refund', amount: '4.00', ...of},
    {id: 'WHOLE'},
    {id: 'BACK', kind: 'refund', capture_id: 'WHOLE'},
    {id: 'NEVER', kind: 'refund', status: 'FAILED', ...of},
    {id: 'HELD', status: 'PENDING'},
    {id: 'AUTH', kind: 'authorization', status: 'VOIDED'},
    {id: 'VOID', kind: 'T1302'},
    {id: 'HOLD', kind: 'T1110', ...of},
    {id: 'FEE', kind: 'T1108', amount: '0.35', ...of},
  ])
  const {read, report} = await signIn(shop)
  const list = async (path: string) =>
    Object.fromEntries(
      (await read<Report>(path)).transaction_details.map(({transaction_info: row}) => [
        row.transaction_id,
        [
          row.transaction_event_code,
          row.transaction_status,
          (row.transaction_amount as unknown as {value: string}).value,
        ],
      ]),
    )
  const all = await list(report(since, now))
  expect(all).toEqual({
    ...{CAPTURE: ['T0006', 'F', '10.00'], PART: ['T1107', 'S', '-4.00'], WHOLE: ['T0006', 'V', '10.00']},
    ...{BACK: ['T1107', 'S', '-10.00'], NEVER: ['T1107', 'D', '-10.00'], HELD: ['T0006', 'P', '10.00']},
    ...{AUTH: ['T1300', 'V', '10.00'], VOID: ['T1302', 'S', '10.00'], HOLD: ['T1110', 'S', '-10.00']},
    FEE: ['T1108', 'S', '0.35'],
  })
  const balance = await list(report(since, now).replace('only=N', 'only=Y'))
  expect(Object.keys(balance).sort()).toEqual(['BACK', 'CAPTURE', 'FEE', 'HOLD', 'PART', 'WHOLE'])
  const rows = (await read<Report>(report(since, now))).transaction_details.map(each => each.transaction_info)
  const [capture] = rows.filter(({transaction_id: id}) => id === 'CAPTURE')
  expect(capture?.custom_field).toBe(`orderTransactionId:${transaction}`)
  const [refund] = rows.filter(({transaction_id: id}) => id === 'PART')
  expect([refund?.custom_field, refund?.paypal_reference_id]).toEqual([undefined, 'CAPTURE'])
})

test('the report ends where its lag begins, and is refused where the app may not search', async () => {
  const shop = await testShop()
  const {now, since} = await seed(shop, HOUR_MS)
  const {read, report, call} = await signIn(shop)
  const {end_date: end} = (await read<object>(report(since, now))) as {end_date: string}
  expect(Date.parse(end.replace('+0000', 'Z'))).toBeLessThanOrEqual(now.getTime() - HOUR_MS)
  await shop.db.writes.run(db => writeConfig(db, REPORT_REFUSED_KEY, 'true'))
  expect((await call(report(since, now))).status).toBe(403)
})

test('a dispute is listed without its payment, names it by itself, and ends with the release of the hold', async () => {
  const shop = await testShop()
  const of = {capture_id: 'CAPTURE', kind: 'T1110'} as const
  await addRows(shop, [{}, {id: 'HOLD', ...of}])
  const {read, call} = await signIn(shop)
  type Disputes = {items: {dispute_id: string; dispute_state: string; seller_response_due_date?: string}[]}
  const path = '/v1/customer/disputes?disputed_transaction_id=CAPTURE'
  const [open] = (await read<Disputes>(path)).items
  expect(open).toMatchObject({dispute_state: 'REQUIRED_ACTION', seller_response_due_date: expect.any(String)})
  expect(open).not.toHaveProperty('disputed_transactions')
  const detail = await read<object>(`/v1/customer/disputes/${open?.dispute_id}`)
  expect(detail).toMatchObject({disputed_transactions: [{seller_transaction_id: 'CAPTURE'}]})
  expect((await read<Disputes>(path.replace('CAPTURE', 'OTHER'))).items).toEqual([])
  expect((await call('/v1/customer/disputes/PP-D-NONE')).status).toBe(404)
  await addRows(shop, [{id: 'RELEASE', ...of, kind: 'T1111'}])
  expect((await read<Disputes>(path)).items).toMatchObject([{dispute_state: 'RESOLVED'}])
})
