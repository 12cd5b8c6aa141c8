import {join} from 'node:path'
import {DRIFT_KINDS} from '../../src/payment/drift/drift.js'
import {seedShop} from '../../src/shop/seed/seed.js'
import {seedPayments} from '../../src/shop/seed/seed-payments.js'
import {StoppedClock} from './clock.js'
import {temporaryFolder} from './home.js'
import {readJsonLines} from './json-lines.js'
import {operatorOf, type ShopOptions, type TestShop, testShop} from './shop.js'
import {storectl} from './storectl.js'

/** What is read of a row of `payment reconcile`. */
export interface PaymentRow {
  readonly kind: string
  readonly orderNumber: string | null
  readonly transaction: string | null
  readonly amount: {readonly value: string; readonly currency: string} | null
  readonly movements: readonly string[]
  readonly repair: string
  readonly result: string
  readonly detail: string
}

/** A shop and its provider with payments of the last days, and an operator of both. */
export async function seedPaymentShop(count: number, drift: number, options: ShopOptions = {}) {
  const clock = new StoppedClock(new Date().toISOString())
  const shop = await testShop({clock, ...options})
  const {customers} = await seedShop({customers: 5, orders: 0}, {db: shop.db})
  const deps = {db: shop.db, signal: new AbortController().signal, onProgress: () => {}}
  await seedPayments({count, drift}, {seed: 1, customers, now: clock.now()}, deps)
  const home = temporaryFolder()
  const env = operatorOf(shop)
  const reconcile = async (...words: string[]) => {
    // What the provider delivers takes time of the machine, not of a clock that stands still.
    const waits = words.includes('--apply') ? {} : {clock}
    const ended = await storectl(['payment', 'reconcile', '-o', 'ndjson', ...words], {home, env, ...waits})
    const rows = readJsonLines<PaymentRow>(ended.stdout)
    return {...ended, rows}
  }
  const plan = join(home, 'repair.plan')
  const apply = (...words: string[]) =>
    reconcile('--apply', plan, '--rate', 'none', '--max', 'none', ...words)
  const run = (...words: string[]) => storectl(words, {home, env})
  return {shop, clock, home, env, plan, reconcile, apply, run, ...(await signIn(shop))}
}

/** Refunds captures at the provider as a person would, and reads its events. */
async function signIn({url, credentials: {providerClientId, providerClientSecret}}: TestShop) {
  const base = `${url}/provider/paypal`
  const basic = Buffer.from(`${providerClientId}:${providerClientSecret}`).toString('base64')
  const headers = {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'}
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers,
    body: 'grant_type=client_credentials',
  })
  const {access_token: token} = (await granted.json()) as {access_token: string}
  const call = (path: string, method: string) =>
    fetch(`${base}${path}`, {method, headers: {authorization: `Bearer ${token}`}})
  return {
    refund: (capture: string) => call(`/v2/payments/captures/${capture}/refund`, 'POST'),
    /** The text of an event as the provider shows it. */
    readEvent: async (id: string) => (await call(`/v1/notifications/webhooks-events/${id}`, 'GET')).text(),
  }
}

/** The seed has no disputes, no answers that cannot be believed, and nothing that is weeks old. */
const NOT_SEEDED = ['unclear', 'disputed', 'authorization-expiring', 'refund-owed']
export const SEEDED_KINDS = DRIFT_KINDS.filter(kind => !NOT_SEEDED.includes(kind))

/** How many rows have each value, by its name. */
export function countBy(rows: readonly PaymentRow[], key: 'kind' | 'result'): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + 1
  return counts
}
