import {expect, test} from 'vitest'
import {writeConfig} from '../../src/shop/store/schema/system-config.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {
  addTransactions,
  type TestShop as BundledShop,
  testShop as runBundled,
  stateOf,
} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, FAST, file, ndjson, openPayments, type TestShop, testShop} from './support.js'

const UNLIMITED = [...FAST, '--max-age', 'none', '--concurrency', '1']

/** The shop's clock: what a fault waits for is decided by the test, and takes no time of its own. */
class ShopClock extends StoppedClock {
  waiting: () => Promise<void> = async () => {}

  override async sleep(ms: number): Promise<void> {
    await super.sleep(ms)
    await this.waiting()
  }
}

/** Payments of a bundled shop that answers as its faults say, and a replay of an event for each of them. */
async function bundled(faults: readonly string[], count: number) {
  const clock = new ShopClock()
  const shop = await runBundled({faults: faults.map(fault => `route=webhook,${fault}`), clock})
  const transactions = await addTransactions(shop, Array(count).fill({amount: 10}))
  const events = transactions.map((id, index) => {
    const made = event(index)
    return {...made, resource: {...made.resource, custom_id: id}}
  })
  const {clientId, clientSecret, webhookToken} = shop.credentials
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: clientId,
    STORECTL_CLIENT_SECRET: clientSecret,
    STORECTL_WEBHOOK_TOKEN: webhookToken,
  }
  return {shop, clock, env, transactions, path: file(ndjson(events, webhookToken))}
}

async function replayed(path: string, env: Record<string, string>, words: readonly string[]) {
  const clock = new StoppedClock()
  const given = ['webhook', 'replay', path, ...UNLIMITED, ...words]
  const {exit, stdout, stderr} = await storectl(given, {home: temporaryFolder(), env, clock})
  const rows = readJsonLines(stdout)
  return {exit, stderr, rows, waits: clock.sleeps}
}

interface Row {
  readonly answer: string
  readonly faults: readonly string[]
  readonly result: string
  readonly exit: number
  /** How often the event was sent. */
  readonly attempts: number
  /** What the transaction is afterwards. */
  readonly state: string
  readonly detail?: string
  /** Waits between the first attempt and the end, at least, milliseconds. */
  readonly waitMs?: number
  readonly words?: readonly string[]
  /** The bundled server waits for ever. */
  readonly isSilent?: boolean
}

const once = (fault: string) => [`${fault},count=1`]
const APPLIED = {result: 'applied', exit: 0, state: 'paid'}
const IN_DOUBT = {result: 'unknown', exit: 6, state: 'open', waitMs: 60_000}
const GONE_WRONG = {result: 'failed', state: 'open'}

test.each<Row>([
  {answer: '408', faults: once('status=408'), ...IN_DOUBT, attempts: 1},
  {answer: '502', faults: once('status=502'), ...APPLIED, attempts: 2, waitMs: 5000},
  {answer: '504', faults: once('status=504'), ...IN_DOUBT, attempts: 1},
  {answer: '504, and the shop works on', faults: once('status=504,work-after=5s'), ...APPLIED, attempts: 1},
  {answer: '504 to the end', faults: ['status=504'], ...IN_DOUBT, attempts: 1},
  {
    answer: '429 with seconds',
    faults: once('status=429,retry-after=7'),
    ...APPLIED,
    attempts: 2,
    waitMs: 7000,
  },
  {
    answer: '503 with seconds',
    faults: once('status=503,retry-after=9'),
    ...APPLIED,
    attempts: 2,
    waitMs: 9000,
  },
  {answer: '503 without a word', faults: once('status=503'), ...APPLIED, attempts: 2, waitMs: 5000},
  {answer: '429 to the end', faults: ['status=429,retry-after=1'], ...GONE_WRONG, exit: 6, attempts: 4},
  {answer: '503 to the end', faults: ['status=503'], ...GONE_WRONG, exit: 6, attempts: 4},
  {answer: '500', faults: once('status=500'), result: 'rejected', exit: 5, attempts: 1, state: 'open'},
  {answer: '413', faults: once('status=413'), result: 'rejected', exit: 5, attempts: 1, state: 'open'},
  {answer: '400 of something else', faults: once('status=400'), ...APPLIED, attempts: 2},
  {answer: 'reset before the commit', faults: once('reset=before-commit'), ...IN_DOUBT, attempts: 1},
  {
    answer: 'reset after the commit',
    ...{faults: once('reset=after-commit'), ...APPLIED, attempts: 1, detail: 'looked up'},
  },
  {
    answer: 'reset after the commit, states not looked at',
    ...{faults: once('reset=after-commit'), result: 'unknown', exit: 6, attempts: 1, state: 'paid'},
    words: ['--no-check-state'],
  },
  {
    answer: 'silence',
    ...{faults: once('latency=30s'), ...IN_DOUBT, attempts: 1, isSilent: true},
    words: ['--timeout', '300ms'],
  },
])('$answer: $result, exit $exit', async row => {
  const {shop, clock, env, path, transactions} = await bundled(row.faults, 1)
  if (row.isSilent) clock.waiting = () => new Promise(() => {})
  const {rows, exit, waits} = await replayed(path, env, ['--canary', '0', ...(row.words ?? [])])
  expect(rows).toMatchObject([{id: eventId(0), result: row.result, attempts: row.attempts}])
  if (row.detail) expect(rows[0].detail).toContain(row.detail)
  expect(exit).toBe(row.exit)
  expect(await stateOf(shop, transactions[0] as string)).toBe(row.state)
  if (row.waitMs !== undefined) expect(sum(waits)).toBeGreaterThanOrEqual(row.waitMs)
})

test.each([
  ['401', 'status=401', 4, 'auth.gate'],
  ['403', 'status=403', 4, 'auth.gate'],
  ['412', 'status=412', 4, 'auth.gate'],
  ['404', 'status=404', 2, 'usage.no_webhook_route'],
  ['405', 'status=405', 2, 'usage.no_webhook_route'],
])('%s stops the run at the first one', async (_, fault, exit, code) => {
  const {shop, env, path, transactions} = await bundled([fault], 4)
  const ended = await replayed(path, env, [])
  expect(ended.rows).toMatchObject([{result: 'failed', attempts: 1}])
  expect(ended.exit).toBe(exit)
  expect(lastError(ended.stderr).code).toBe(code)
  expect(ended.stderr).toContain('3 not sent')
  expect(await states(shop, transactions)).toEqual(['open', 'open', 'open', 'open'])
})

test('404 after something was applied is partly done, not a mistake of usage', async () => {
  const {shop, env, path, transactions} = await bundled(['status=404,after=2'], 4)
  const ended = await replayed(path, env, ['--canary', '0'])
  expect(ended.exit).toBe(3)
  expect(await states(shop, transactions)).toEqual(['paid', 'paid', 'open', 'open'])
})

test('a token that is changed midway stops the run at the first refusal, exit 4', async () => {
  const {shop, clock, env, path, transactions} = await bundled(['latency=1s,after=2,count=1'], 5)
  clock.waiting = async () => {
    await shop.db.writes.run(db => writeConfig(db, TOKEN_KEY, 'z'.repeat(32)))
  }
  const ended = await replayed(path, env, ['--canary', '0'])
  expect(ended.rows.map(({result}) => result)).toEqual(['applied', 'applied', 'failed'])
  expect(ended.exit).toBe(4)
  expect(lastError(ended.stderr).code).toBe('auth.webhook_token_refused')
  expect(ended.stderr).toContain('2 not sent')
  expect(await states(shop, transactions)).toEqual(['paid', 'paid', 'open', 'open', 'open'])
})

const TOKEN_KEY = 'SwagPayPal.settings.webhookExecuteToken'

test.each([301, 302, 307, 308])(
  '%i stops the run at the first one, exit 2, and is not followed',
  async status => {
    const {shop, path, elsewhere} = await redirecting(status)
    const ended = await replayed(path, shop.env, [])
    expect(ended.exit).toBe(2)
    expect(lastError(ended.stderr).message).toContain(elsewhere.url)
    expect(shop.received).toHaveLength(1)
    expect(elsewhere.received).toEqual([])
  },
)

async function redirecting(status: number) {
  const {states: open, events} = openPayments(3)
  const [shop, elsewhere] = [await testShop(open), await testShop(open)]
  shop.intercept = ({url}) => ({status, headers: {location: `${elsewhere.url}${url}`}})
  return {shop, elsewhere, path: file(ndjson(events))}
}

test('a date in Retry-After is waited for', async () => {
  const {states: open, events} = openPayments(1)
  const shop: TestShop = await testShop(open)
  const until = new Date(new StoppedClock().now().getTime() + 20_000).toUTCString()
  shop.intercept = (_, count) => (count === 1 ? {status: 503, headers: {'retry-after': until}} : undefined)
  const {rows, waits} = await replayed(file(ndjson(events)), shop.env, [])
  expect(rows).toMatchObject([{result: 'applied', attempts: 2}])
  expect(waits.some(ms => ms >= 19_000 && ms <= 22_000)).toBe(true)
})

test('a shop that is not there: nothing may have been applied, exit 6', async () => {
  const {states: open, events} = openPayments(2)
  const shop = await testShop(open)
  // Nothing listens where the bundled discard port would be.
  const env = {...shop.env, STORECTL_URL: 'http://127.0.0.1:9'}
  const {rows, exit} = await replayed(file(ndjson(events)), env, ['--no-check-state', '--canary', '0'])
  expect(rows.map(({result}) => result)).toEqual(['failed', 'failed'])
  expect(exit).toBe(6)
})

test('a shop that answers 200 and does nothing: no-op, not applied', async () => {
  const {states: open, events} = openPayments(3)
  const shop = await testShop(open)
  shop.intercept = () => ({status: 200})
  const {rows, exit} = await replayed(file(ndjson(events)), shop.env, [])
  expect(rows.map(({result, before, after}) => [result, before, after])).toEqual(
    Array.from({length: 3}, () => ['unchanged', 'open', 'open']),
  )
  expect(rows[0].detail).toContain('expected paid')
  expect(exit).toBe(0)
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function lastError(stderr: string): {code: string; message: string} {
  return JSON.parse(stderr.trim().split('\n').at(-1) as string).error
}

function states(shop: BundledShop, transactions: readonly string[]) {
  return Promise.all(transactions.map(id => stateOf(shop, id)))
}
