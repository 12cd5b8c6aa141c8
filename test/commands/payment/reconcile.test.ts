import {expect, test} from 'vitest'
import {DRIFT_KINDS} from '../../../src/payment/drift/drift.js'
import {parseFaultRule} from '../../../src/shop/faults/parse.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {SEEDED_KINDS, seedPaymentShop} from '../../support/payment-shop.js'
import {storectl} from '../../support/storectl.js'

interface Row {
  readonly kind: string
  readonly transaction: string | null
  readonly state: string | null
}

/** A bundled shop and provider with payments. */
async function seeded(...words: string[]) {
  const home = temporaryFolder()
  await storectl(['server', 'seed', '--orders', '0', '--customers', '5', ...words], {home})
  const reconcile = async (...more: string[]) => {
    const ended = await storectl(['payment', 'reconcile', '-o', 'ndjson', ...more], {home})
    const rows = readJsonLines<Row>(ended.stdout)
    return {...ended, rows}
  }
  return {home, reconcile}
}

test('every seeded drift is found, each kind as often as it was seeded, and nothing else', async () => {
  const {reconcile} = await seeded('--payments', '600', '--drift', '10%', '--report-lag', '3h')
  const {rows, exit, stderr} = await reconcile()
  expect(exit).toBe(3)
  const counts = DRIFT_KINDS.map(kind => [kind, rows.filter(row => row.kind === kind).length])
  const expected = DRIFT_KINDS.map(kind => [kind, SEEDED_KINDS.includes(kind) ? 6 : 0])
  expect(counts).toEqual(expected)
  expect(stderr).toMatch(
    /^594 payments compared with \d+ movements of the provider, \d+ looked up one by one: 60 differ/,
  )
  const narrowed = await reconcile('--where', 'state = "unconfirmed"')
  expect(new Set(narrowed.rows.map(({state}) => state))).toEqual(new Set(['unconfirmed']))
  expect(narrowed.rows.length).toBe(rows.filter(({state}) => state === 'unconfirmed').length)
})

test('where shop and provider agree the exit is 0, also while the report lags behind', async () => {
  const {reconcile} = await seeded('--payments', '300', '--report-lag', '2d')
  const {rows, exit, stderr} = await reconcile()
  expect([rows, exit]).toEqual([[], 0])
  expect(stderr).toContain('no difference')
  const countLookedUp = (text: string) => Number(/, (\d+) looked up one by one/.exec(text)?.[1])
  const patient = await reconcile('--min-age', '30d')
  expect(countLookedUp(patient.stderr)).toBeGreaterThan(countLookedUp(stderr))
})

test('a condition on a field that payments do not have is a usage error', async () => {
  const {exit, stderr} = await storectl(['payment', 'reconcile', '--where', 'stat = "open"'])
  expect(exit).toBe(2)
  expect(stderr).toContain('unknown field "stat" in a payment. Did you mean "state"?')
})

test('a shop and a provider that are busy are asked again when they say', async () => {
  const busy = (route: string) => `route=${route},status=429,retry-after=20,count=1`
  const routes = ['search', '/provider/paypal/v1/reporting', '/provider/paypal/v2/checkout']
  const {reconcile, clock} = await seedPaymentShop(20, 0.1, {faults: routes.map(busy)})
  const {rows, exit} = await reconcile()
  expect([rows.length, exit]).toEqual([2, 3])
  expect(clock.sleeps.filter(ms => ms >= 20_000).length).toBe(3)
})

test.each([
  [
    'the report',
    '/provider/paypal/v1/reporting',
    /Transaction Search\S* \(scope [^)]*reporting\/search\/read\).*up to 9 hours/,
  ],
])('a 403 for %s names the feature that the app lacks', async (_, route, feature) => {
  const {shop, reconcile} = await seedPaymentShop(20, 20)
  shop.faults.add(parseFaultRule(`route=${route},status=403`))
  const {exit, stderr} = await reconcile()
  expect([exit, stderr]).toEqual([4, expect.stringMatching(feature)])
  expect(stderr).not.toContain('Webhooks')
})
