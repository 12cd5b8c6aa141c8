import {dirname} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {parseFaultRule} from '../../src/shop/faults/parse.js'
import type {ArrivedEvent, WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {currentTime, StoppedClock} from '../support/clock.js'
import {ENGINES, type Fresh} from '../support/engines.js'
import {PAYMENT_STATES} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {addTransaction, stateOf, type TestShop, testShop} from '../support/shop.js'
import {sized} from '../support/sized.js'
import {storectl} from '../support/storectl.js'
import {eventId, FAST} from './support.js'

/** How far the money of a payment has come. From 2 on it has moved. */
const MONEY = new Map(
  Object.entries({
    authorized: 1,
    paid_partially: 2,
    paid: 3,
    chargeback: 4,
    refunded_partially: 4,
    refunded: 5,
  }),
)
const rank = (state: string | undefined) => MONEY.get(state ?? '') ?? 0

/** Whether money that has moved would be made unmoved. */
function isBackwards(from: string | undefined, to: string | undefined): boolean {
  return to === 'cancelled' ? rank(from) >= 2 : rank(to) < rank(from)
}

const KINDS = {
  captured: {event_type: 'PAYMENT.CAPTURE.COMPLETED', resource_type: 'capture', final_capture: true},
  'captured in part': {
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource_type: 'capture',
    final_capture: false,
  },
  denied: {event_type: 'PAYMENT.CAPTURE.DENIED', resource_type: 'capture', final_capture: true},
  refunded: {event_type: 'PAYMENT.CAPTURE.REFUNDED', resource_type: 'refund', refunded: '10.00'},
  'refunded in part': {event_type: 'PAYMENT.CAPTURE.REFUNDED', resource_type: 'refund', refunded: '4.00'},
  reversed: {event_type: 'PAYMENT.CAPTURE.REVERSED', resource_type: 'refund', refunded: '10.00'},
  voided: {event_type: 'PAYMENT.AUTHORIZATION.VOIDED', resource_type: 'authorization'},
} as const

/** What the provider told of one payment: in order, and what of it came through before. */
const payments = fc.array(
  fc.record({
    state: fc.constantFrom(...PAYMENT_STATES),
    events: fc.array(
      fc.record({
        kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
        /** Whether the provider got it through before the replay; most it did not. */
        hasCome: fc.integer({min: 0, max: 3}).map(drawn => drawn === 0),
      }),
      {minLength: 1, maxLength: 5},
    ),
  }),
  {minLength: 20, maxLength: 20},
)

type Payment = typeof payments extends fc.Arbitrary<(infer P)[]> ? P : never

const faults = fc.subarray([
  'status=503,rate=10%',
  'status=504,rate=10%',
  'status=400,rate=5%',
  'reset=before-commit,rate=10%',
  'reset=after-commit,rate=10%',
])

/** One payment in both shops: the one that is replayed to, and the one that gets everything in order. */
interface Story {
  readonly transaction: string
  readonly reference: string
  readonly events: readonly {readonly id: string; readonly hasCome: boolean; readonly body: string}[]
}

test.each(ENGINES)(
  'on $name a replay ends where a delivery in order ends, or says what it held; money never moves backwards',
  async engine => {
    const [shop, ordered] = [await testShop(), await testShop()]
    const seen = {applied: 0, held: 0, same: 0}
    const numRuns = engine.name === 'SQLite' ? sized(2, 5) : sized(1, 3)
    await fc.assert(
      fc.asyncProperty(payments, faults, fc.nat(1_000_000), async (drawn, broken, seed) => {
        const records = await engine.fresh()
        let index = 0
        const stories: Story[] = []
        for (const payment of drawn) {
          stories.push(await storyOf(payment, index, shop, ordered))
          index += payment.events.length
        }
        await comeThrough(stories, shop, records)
        const before = await statesOf(shop, stories)
        for (const fault of broken) shop.faults.add(parseFaultRule(`route=webhook,${fault},seed=${seed}`))
        const rows = await replayed(shop, records)
        shop.faults.clear()
        await expectStories(stories, rows, {shop, ordered, before, seen})
        await records.drop()
      }),
      {numRuns, endOnFailure: true},
    )
    // What is said about everything could be said about nothing.
    expect(seen.applied).toBeGreaterThan(numRuns * 5)
    expect(seen.held).toBeGreaterThan(numRuns * 5)
    expect(seen.same).toBeGreaterThan(numRuns * 5)
  },
  60_000,
)

interface Ended {
  readonly id: string
  readonly result: string
  readonly detail: string | null
  readonly before: string | null
  readonly after: string | null
}

const SETTLED = new Set(['applied', 'unchanged', 'skipped'])

async function expectStories(
  stories: readonly Story[],
  rows: ReadonlyMap<string, Ended>,
  {
    shop,
    ordered,
    before,
    seen,
  }: {
    shop: TestShop
    ordered: TestShop
    before: readonly (string | undefined)[]
    seen: Record<'applied' | 'held' | 'same', number>
  },
): Promise<void> {
  for (const [at, {transaction, reference, events}] of stories.entries()) {
    const state = await stateOf(shop, transaction)
    const wanted = await stateOf(ordered, reference)
    const ended = events.flatMap(({id}) => rows.get(id) ?? [])
    for (const {result, before, after} of ended) {
      if (result === 'applied') seen.applied++
      if (result === 'held') seen.held++
      expect(result === 'applied' && isBackwards(before ?? undefined, after ?? undefined)).toBe(false)
    }
    expect(isBackwards(before[at], state), `${before[at]} became ${state}`).toBe(false)
    const kept = ended.filter(({result}) => !SETTLED.has(result))
    if (state === wanted) seen.same++
    else
      expect(kept.map(({detail}) => detail).join(), `${state}, not ${wanted}: nothing says why`).not.toBe('')
  }
}

async function storyOf(
  {state, events}: Payment,
  first: number,
  shop: TestShop,
  ordered: TestShop,
): Promise<Story> {
  const about = {state, amount: 10}
  const [transaction, reference] = [await addTransaction(shop, about), await addTransaction(ordered, about)]
  for (const [at, {kind}] of events.entries()) await ordered.deliver(bodyOf(kind, first + at, reference))
  return {
    transaction,
    reference,
    events: events.map(({kind, hasCome}, at) => ({
      id: eventId(first + at),
      hasCome,
      body: bodyOf(kind, first + at, transaction),
    })),
  }
}

function bodyOf(kind: keyof typeof KINDS, index: number, transaction: string): string {
  const {event_type, resource_type, ...rest} = KINDS[kind] as {
    event_type: string
    resource_type: string
    final_capture?: boolean
    refunded?: string
  }
  const {final_capture, refunded} = rest
  const breakdown = {total_refunded_amount: {currency_code: 'EUR', value: refunded}}
  return JSON.stringify({
    id: eventId(index),
    create_time: new Date(new StoppedClock().now().getTime() - 3_600_000 + index * 1000).toISOString(),
    resource_type,
    event_type,
    resource: {
      id: `R${index}`,
      custom_id: transaction,
      ...(final_capture === undefined ? {} : {final_capture}),
      ...(refunded === undefined ? {} : {seller_payable_breakdown: breakdown}),
    },
    event_version: '1.0',
    resource_version: '2.0',
  })
}

/** What came through before goes to the shop in the order in which it came; the inbox knows of all events. */
async function comeThrough(stories: readonly Story[], shop: TestShop, {place}: Fresh): Promise<void> {
  const records = await openRecords(place, currentTime)
  const at = new StoppedClock().now()
  const read = (body: string): ArrivedEvent => ({
    ...(readEvent(Buffer.from(body), 'gateway', at) as WebhookEvent),
    arrivedWith: 'token',
  })
  const seen = []
  for (const {events} of stories) {
    for (const {body} of events.filter(({hasCome}) => hasCome)) {
      const {status} = await shop.deliver(body)
      seen.push({event: read(body), answer: status, message: null, at})
    }
  }
  await records.inbox.addObserved(shop.url, {source: 'gateway', from: undefined, to: '1'}, seen)
  const all = stories.flatMap(({events}) => events.map(({body}) => read(body)))
  await records.inbox.add(shop.url, all)
  await records.close()
}

async function replayed(shop: TestShop, {place, url}: Fresh): Promise<Map<string, Ended>> {
  const {clientId, clientSecret, webhookToken} = shop.credentials
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: clientId,
    STORECTL_CLIENT_SECRET: clientSecret,
    STORECTL_WEBHOOK_TOKEN: webhookToken,
    ...(url !== undefined && {STORECTL_DATABASE_URL: url}),
  }
  const home = typeof place === 'string' ? dirname(place) : temporaryFolder()
  const guardsOff = ['--canary', '0', '--breaker-failures', '0', '--breaker-rate', '0', '--max', '0']
  const words = ['webhook', 'replay', ...FAST, ...guardsOff, '--max-age', 'none']
  const {stdout} = await storectl(words, {home, env, clock: new StoppedClock()})
  const rows = readJsonLines<Ended>(stdout)
  return new Map(rows.map(row => [row.id, row]))
}

function statesOf(shop: TestShop, stories: readonly Story[]) {
  return Promise.all(stories.map(({transaction}) => stateOf(shop, transaction)))
}
