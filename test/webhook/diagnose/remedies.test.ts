import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import type {ArrivedEvent, ObservedDelivery, WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import type {ArrivedWith} from '../../../src/webhook/event/sender.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {PAYMENT_STATES} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {addTransactions, type TestShop, testShop} from '../../support/shop.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'
import {eventId, GENERIC} from '../support.js'

type Resource = Readonly<Record<string, unknown>>

const refund = (value: string): Resource => ({
  seller_payable_breakdown: {total_refunded_amount: {currency_code: 'EUR', value}},
})

type Kind = readonly [type: string, resourceType: string, resource: Resource]
const CAPTURED: Kind = ['PAYMENT.CAPTURE.COMPLETED', 'capture', {final_capture: true}]
const REFUNDED_IN_PART: Kind = ['PAYMENT.CAPTURE.REFUNDED', 'refund', refund('4.00')]
const KINDS: readonly Kind[] = [
  CAPTURED,
  REFUNDED_IN_PART,
  ['PAYMENT.CAPTURE.COMPLETED', 'capture', {final_capture: false}],
  ['PAYMENT.CAPTURE.COMPLETED', 'capture', {}],
  ['PAYMENT.CAPTURE.DENIED', 'capture', {final_capture: true}],
  ['PAYMENT.CAPTURE.REFUNDED', 'refund', refund('10.00')],
  ['PAYMENT.CAPTURE.REVERSED', 'refund', refund('10.00')],
  ['PAYMENT.AUTHORIZATION.VOIDED', 'authorization', {}],
  ['PAYMENT.CAPTURE.COMPLETED', 'capture', {final_capture: true, custom_id: undefined}],
  ['PAYMENT.CAPTURE.COMPLETED', 'capture', {final_capture: true, custom_id: 'f'.repeat(32)}],
  ['CHECKOUT.ORDER.DECLINED', 'checkout-order', {}],
]

/** What others saw of a delivery. */
type Sighting = Pick<ObservedDelivery, 'status' | 'answer' | 'message'>
const TOKEN_REFUSED: Sighting = {status: 'failed', answer: 400, message: 'Shopware token is invalid'}
const IN_DOUBT: Sighting = {status: 'unknown', answer: 504, message: null}
const SEEN: readonly (Sighting | undefined)[] = [
  undefined,
  TOKEN_REFUSED,
  IN_DOUBT,
  {status: 'failed', answer: 400, message: GENERIC},
  {status: 'failed', answer: 403, message: null},
  {status: 'failed', answer: 404, message: null},
  {status: 'failed', answer: 503, message: null},
  {status: 'delivered', answer: 200, message: null},
]

const SENDERS: readonly ArrivedWith[] = ['token', 'token', 'token', 'token', 'unverified', 'wrong-token']

const payment = (state: string, ...events: Partial<Drawn>[]): Payment => ({
  state,
  events: events.map(event => ({kind: CAPTURED, seen: undefined, sender: 'token', ageDays: 0, ...event})),
})

/** Payments that each inbox has. */
const alwaysThere = (): readonly Payment[] => [
  payment('open', {seen: TOKEN_REFUSED}),
  payment('paid', {seen: TOKEN_REFUSED}),
  payment('paid', {}),
  payment('refunded_partially', {kind: REFUNDED_IN_PART}),
  payment('refunded_partially', {kind: REFUNDED_IN_PART, ageDays: 5}),
  payment('refunded_partially', {}),
  payment('open', {seen: {status: 'failed', answer: 403, message: null}, ageDays: 4}),
  payment('open', {kind: ['PAYMENT.CAPTURE.COMPLETED', 'capture', {custom_id: undefined}]}),
  payment(
    'refunded_partially',
    {kind: REFUNDED_IN_PART, seen: IN_DOUBT, ageDays: 1},
    {kind: REFUNDED_IN_PART},
  ),
  payment('open', {sender: 'unverified'}),
  payment('open', {sender: 'wrong-token'}),
]

const drawnPayments = fc.array(
  fc.record({
    state: fc.constantFrom(...PAYMENT_STATES),
    events: fc.array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        seen: fc.constantFrom(...SEEN),
        sender: fc.constantFrom(...SENDERS),
        ageDays: fc.nat({max: 5}),
      }),
      {minLength: 1, maxLength: 4},
    ),
  }),
  {minLength: 25, maxLength: 25},
)
type Payment = typeof drawnPayments extends fc.Arbitrary<(infer P)[]> ? P : never
type Drawn = Payment['events'][number]

interface Group {
  readonly cause: string
  readonly remedy: string
  readonly count: number
  readonly detail: string
  readonly next: string | null
}

/** No limits, and nothing asked. */
const OFF = ['--max', '0', '--canary', '0', '--breaker-failures', '0', '--breaker-rate', '0', '--rate', '0']
/** Flags that release what a replay holds. */
const RELEASED = ['--max-age', 'none', '--include-unverified', '--include-wrong-token']
const MOST_ROUNDS = 8

test('whoever follows the printed commands ends with what a person decides, and resolves nothing that is sent', async () => {
  const followed = new Set<string>()
  const left = new Set<string>()
  await fc.assert(
    fc.asyncProperty(drawnPayments, async drawn => {
      const {run, readRows} = await openInbox([...alwaysThere(), ...drawn])
      for (let round = 0; ; round++) {
        const groups: Group[] = JSON.parse((await run(['webhook', 'diagnose', '-o', 'json'])).stdout || '[]')
        const rows = await readRows('diagnose', '--no-summary')
        for (const {cause, remedy, detail, count} of groups) {
          const own = rows.filter(row => row.cause === cause)
          expect([own.length, ...new Set(own.map(row => `${row.remedy} ${row.detail}`))]).toEqual([
            count,
            `${remedy} ${detail}`,
          ])
        }
        const open = groups.filter(({remedy}) => remedy === 'replay' || remedy === 'resolve')
        for (const {cause, remedy, detail} of groups.filter(group => !open.includes(group))) {
          left.add(cause)
          expect([cause, remedy, detail]).toEqual([cause, 'by-hand', expect.stringContaining('person must')])
        }
        if (open.length === 0) return
        expect(round, JSON.stringify(open)).toBeLessThan(MOST_ROUNDS)
        for (const {cause, remedy, next} of open) {
          followed.add(cause)
          const words = /storectl (webhook (?:replay|resolve) .*)$/.exec(next ?? '')?.[1]?.split(' ') ?? []
          if (remedy === 'resolve') {
            const chosen = new Set(
              (await readRows('diagnose', '--no-summary', '--cause', cause)).map(({id}) => id),
            )
            const sent = (await readRows('replay', '--dry-run', ...RELEASED, ...OFF)).filter(isSent)
            expect([cause, sent.filter(({id}) => chosen.has(id))]).toEqual([cause, []])
          }
          const {exit, stderr} = await run([...words, ...(remedy === 'replay' ? OFF : []), '--yes'])
          expect([next, stderr, exit === 2]).toEqual([next, stderr, false])
        }
      }
    }),
    {numRuns: sized(1, 20), endOnFailure: true},
  )
  // What is said about everything could be said about nothing.
  expect([...followed]).toEqual(
    expect.arrayContaining(['already-applied', 'maybe-applied', 'token-mismatch']),
  )
  expect([...followed]).toEqual(expect.arrayContaining(['out-of-order', 'access-denied', 'no-transaction']))
  expect([...left]).toEqual(
    expect.arrayContaining(['unknown-result', 'unverified', 'wrong-token', 'blocked']),
  )
}, 300_000)

interface Row {
  readonly id: string
  readonly action?: string
  readonly cause?: string
  readonly remedy?: string
  readonly detail?: string
}

function isSent({action}: Row): boolean {
  return action === 'send'
}

async function openInbox(drawn: readonly Payment[]) {
  const shop = await testShop()
  const home = temporaryFolder()
  await fillInbox(home, shop, drawn)
  const {clientId, clientSecret, webhookToken} = shop.credentials
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: clientId,
    STORECTL_CLIENT_SECRET: clientSecret,
    STORECTL_WEBHOOK_TOKEN: webhookToken,
  }
  const run = (words: readonly string[]) => storectl(words, {home, env, clock: new StoppedClock()})
  const readRows = async (...words: string[]): Promise<Row[]> => {
    const {stdout} = await run(['webhook', ...words, '-o', 'ndjson'])
    return readJsonLines(stdout)
  }
  return {run, readRows}
}

/** Puts the events into the inbox, with how they came and what others saw of their deliveries. */
async function fillInbox(home: string, shop: TestShop, drawn: readonly Payment[]): Promise<void> {
  const transactions = await addTransactions(
    shop,
    drawn.map(({state}) => ({state, amount: 10})),
  )
  const now = new StoppedClock().now()
  const events: ArrivedEvent[] = []
  const sightings = []
  for (const [at, payment] of drawn.entries()) {
    for (const {kind, seen, sender, ageDays} of payment.events) {
      const [type, resourceType, resource] = kind
      const index = events.length
      const createdAt = new Date(now.getTime() - ageDays * 86_400_000 - 60_000 + index)
      const body = JSON.stringify({
        id: eventId(index),
        create_time: createdAt.toISOString(),
        resource_type: resourceType,
        event_type: type,
        resource: {id: `R${index}`, custom_id: transactions[at], ...resource},
        event_version: '1.0',
        resource_version: '2.0',
      })
      const read = readEvent(Buffer.from(body), 'gateway', now) as WebhookEvent
      events.push({...read, arrivedWith: sender})
      if (seen) sightings.push({...read, ...seen, sender, at: new Date(createdAt.getTime() + 1000)})
    }
  }
  const records = await openRecords(join(home, 'records.db'), currentTime)
  await records.inbox.add(shop.url, events)
  await records.inbox.noteObserved(shop.url, sightings)
  await records.close()
}
