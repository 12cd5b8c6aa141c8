import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import type {WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {currentTime} from '../../support/clock.js'
import {
  captureCompleted,
  EVENT_TYPES,
  type EventOptions,
  PAYMENT_STATES,
  providerEvent,
} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {addTransaction, addTransactions, testShop as bundledShop, stateOf} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'
import {
  event,
  eventId,
  file,
  GENERIC,
  ndjson,
  refusal,
  replay,
  TOKEN,
  testShop,
  transactionId,
} from '../support.js'

async function inboxOf(shop: {env: Record<string, string>}, events: object[] = []) {
  const home = temporaryFolder()
  const env = {STORECTL_WEBHOOK_TOKEN: TOKEN, ...shop.env}
  const run = (words: string[], stdin = '') => storectl(words, {home, env, stdin})
  if (events.length > 0) await run(['webhook', 'import', '-'], ndjson(events))
  const diagnose = async (...words: string[]) => {
    const ended = await run(['webhook', 'diagnose', ...words, '-o', 'json'])
    return {...ended, found: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  return {home, run, diagnose}
}

test('tells an event of another shop by its unknown transaction, on what grounds, and what to do', async () => {
  const shop = await testShop()
  const {diagnose} = await inboxOf(shop, [event(1)])
  const {exit, found} = await diagnose(eventId(1))
  expect(exit).toBe(0)
  expect(found).toMatchObject({
    cause: 'unknown-transaction',
    evidence: [`transaction id:${transactionId(1)}`],
    next: `storectl webhook resolve ${eventId(1)} --reason TEXT`,
  })
  expect(shop.received).toEqual([])
})

test.each([
  ['already-final', 'refunded', 'the transaction is refunded', `webhook resolve ${eventId(1)}`],
  ['invalid-transition', 'reminded', 'the transaction is reminded', 'state/reopen'],
  ['already-applied', 'paid', 'its transaction is paid already', 'webhook resolve'],
  ['out-of-order', 'refunded_partially', 'back to paid', '--include-out-of-order'],
  ['not-sent', 'open', 'leads to: paid', `webhook replay ${eventId(1)}`],
])('finds %s from the state %s', async (cause, state, why, next) => {
  const {diagnose} = await inboxOf(await testShop({[transactionId(1)]: state}), [event(1)])
  const {found} = await diagnose(eventId(1))
  expect(found.cause).toBe(cause)
  expect(found.evidence.join()).toContain(`state now: ${state}`)
  expect(found.evidence.join()).toContain(why)
  expect(found.next).toContain(next)
})

test('of an event that names no payment it names no command for one', async () => {
  const {resource, ...rest} = event(1)
  const {diagnose} = await inboxOf(await testShop(), [
    {...rest, resource: {...resource, custom_id: undefined}},
  ])
  expect((await diagnose(eventId(1))).found).toMatchObject({transaction: null, payment: null})
})

test('an event that names no transaction and one of an unknown one have the same words in a plan', async () => {
  const {resource, ...rest} = event(1)
  const shop = await testShop()
  const {run, diagnose} = await inboxOf(shop, [{...rest, resource: {...resource, custom_id: ''}}, event(2)])
  const {found} = await diagnose('--no-summary')
  const plan = JSON.parse((await run(['webhook', 'replay', '--dry-run', '-o', 'json'])).stdout)
  const words = [
    [eventId(1), 'no-transaction'],
    [eventId(2), 'unknown-transaction'],
  ]
  expect(found.map(({id, cause}: {id: string; cause: string}) => [id, cause]).sort()).toEqual(words)
  const held = plan.filter(({id}: {id?: string}) => id !== undefined)
  expect(held.map(({id, reason}: {id: string; reason: string}) => [id, reason]).sort()).toEqual(words)
})

test('what may be another part of a payment is a group of its own, and is sent', async () => {
  const shop = await testShop({[transactionId(1)]: 'refunded_partially', [transactionId(2)]: 'paid'})
  const refund = event(1, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'})
  const {diagnose} = await inboxOf(shop, [refund, event(2)])
  const {found} = await diagnose()
  expect(found).toMatchObject([
    {
      cause: 'already-applied',
      remedy: 'resolve',
      next: expect.stringMatching(/ resolve --cause already-applied /),
    },
    {cause: 'maybe-applied', remedy: 'replay', next: 'storectl webhook replay --cause maybe-applied'},
  ])
})

test('a refusal whose reason is gone is told from one that never was sent', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const {home, diagnose} = await inboxOf(shop)
  shop.intercept = () => refusal(GENERIC)
  await replay(shop, [file(ndjson([event(1)])), '--retries', '0'], {home})
  const {found} = await diagnose(eventId(1))
  expect(found).toMatchObject({cause: 'temporary', next: `storectl webhook replay ${eventId(1)}`})
  expect(found.evidence[0]).toContain(`answered 400: ${GENERIC}`)
})

test('a refused token is named before anything else, with whether it is the shop’s by now', async () => {
  const shop = await bundledShop()
  const home = temporaryFolder()
  const {clientId, clientSecret, webhookToken} = shop.credentials
  const transactionId = await addTransaction(shop)
  const made = captureCompleted({transactionId})
  const path = join(home, 'event.json')
  writeFileSync(path, ndjson([{body: made.body}], 'another'))
  const env = (token: string) => ({
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: clientId,
    STORECTL_CLIENT_SECRET: clientSecret,
    STORECTL_WEBHOOK_TOKEN: token,
  })
  const run = (words: string[], token: string) => storectl([...words, '-o', 'json'], {home, env: env(token)})
  await run(['webhook', 'replay', path, '--yes', '--max-age', 'none'], 'another')
  const rotated = JSON.parse((await run(['webhook', 'diagnose', made.id], 'another')).stdout)
  expect(rotated).toMatchObject({cause: 'token-mismatch', next: 'storectl webhook register'})
  const mended = JSON.parse((await run(['webhook', 'diagnose', made.id], webhookToken)).stdout)
  expect(mended).toMatchObject({
    cause: 'token-mismatch',
    next: `storectl webhook replay ${made.id} --max-age none`,
  })
  await shop.deliver(captureCompleted({seed: 2, transactionId}).body)
  const paid = JSON.parse((await run(['webhook', 'diagnose', made.id], webhookToken)).stdout)
  expect(paid).toMatchObject({cause: 'already-applied', remedy: 'resolve'})
  expect(JSON.stringify([rotated, mended])).not.toContain(webhookToken)
})

test('a shop that is away wants no sign-in', async () => {
  const env = {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_TOKEN: 'a.b.c'}
  const {diagnose} = await inboxOf({env}, [event(1)])
  const {exit, found} = await diagnose(eventId(1))
  expect(exit).toBe(3)
  expect(found).toMatchObject({cause: 'not-diagnosed', next: expect.stringContaining('storectl auth status')})
})

test('what cannot be looked at is said, and ends with 3', async () => {
  const {diagnose} = await inboxOf({env: {STORECTL_URL: 'https://shop.example'}}, [event(1)])
  const {exit, found} = await diagnose(eventId(1))
  expect(exit).toBe(3)
  expect(found.cause).toBe('not-diagnosed')
  expect(found.evidence.join()).toContain('Not signed in')
  expect(found.next).toBe('storectl login --url https://shop.example')
  expect((await diagnose(eventId(1), '--no-check-state')).found.evidence.join()).toContain('--no-check-state')
})

test('many events share their look-ups, are counted, and those that are missing are named', async () => {
  const states = Object.fromEntries(
    Array.from({length: 300}, (_, at) => [transactionId(at), at % 2 ? 'open' : 'paid']),
  )
  const shop = await testShop(states)
  let searches = 0
  shop.searched = () => {
    searches++
  }
  const events = Array.from({length: 400}, (_, at) => event(at))
  const {run, diagnose} = await inboxOf(shop, events)
  const {exit, found} = await diagnose('--summary')
  expect(exit).toBe(0)
  expect(searches).toBe(2)
  expect(found.map(({cause, count}: {cause: string; count: number}) => [cause, count])).toEqual([
    ['already-applied', 150],
    ['not-sent', 150],
    ['unknown-transaction', 100],
  ])
  const stdin = `${eventId(0)}\n${eventId(999)}\n`
  const some = await run(['webhook', 'diagnose', '-', '-o', 'ndjson'], stdin)
  expect(some.exit).toBe(3)
  expect(JSON.parse(some.stdout)).toMatchObject({id: eventId(0), cause: 'already-applied'})
  expect(some.stderr).toContain(`${eventId(999)}: not in the inbox`)
  expect((await diagnose(eventId(999))).exit).toBe(9)
})

test('events with an unknown result share their look-ups, too', async () => {
  const states = Object.fromEntries(Array.from({length: 50}, (_, at) => [transactionId(at), 'open']))
  const shop = await testShop(states)
  let searches = 0
  shop.searched = () => {
    searches++
  }
  const events = Array.from({length: 50}, (_, at) => event(at))
  const {home, diagnose} = await inboxOf(shop, events)
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const now = currentTime()
  const seen = {status: 'unknown', answer: 504, message: null, sender: 'token', at: now} as const
  const read = (each: object) => readEvent(Buffer.from(JSON.stringify(each)), 'x', now) as WebhookEvent
  await records.inbox.noteObserved(
    shop.url,
    events.map(each => ({...read(each), ...seen})),
  )
  await records.close()
  searches = 0
  expect((await diagnose()).found).toMatchObject([{cause: 'unknown-result', count: 50, remedy: 'by-hand'}])
  expect(searches).toBeLessThanOrEqual(2)
})

/** What the shop answers where a cause is right, and whether it changes the state. */
const PROVES: Record<string, (status: number, moved: boolean) => boolean> = {
  'not-sent': (status, moved) => status === 200 && moved,
  'out-of-order': (status, moved) => status === 200 && moved,
  'already-applied': (status, moved) => status === 200 && !moved,
  'maybe-applied': (status, moved) => status === 200 && !moved,
  'already-final': (status, moved) => status === 400 && !moved,
  'invalid-transition': (status, moved) => status === 400 && !moved,
  'unknown-transaction': (status, moved) => status === 400 && !moved,
  'wrong-resource': (status, moved) => status === 400 && !moved,
  'no-transaction': (status, moved) => status === 400 && !moved,
  'missing-field': (status, moved) => status === 500 && !moved,
  malformed: (status, moved) => status === 500 && !moved,
  'no-handler': (status, moved) => status === 200 && !moved,
}

type Loose = {resource_version?: string; resource: Record<string, unknown>}

const SPOILT: readonly [string, (body: Loose) => void][] = [
  ['whole', () => {}],
  ['without a version', body => void delete body.resource_version],
  ['without an id', ({resource}) => void delete resource.custom_id],
  ['with a foreign id', ({resource}) => void Object.assign(resource, {custom_id: 'f'.repeat(32)})],
  ['without final_capture', ({resource}) => void delete resource.final_capture],
  ['with an amount that is text', ({resource}) => void Object.assign(resource, {amount: '10'})],
]

interface Drawn {
  readonly name: string
  readonly type: string
  readonly state: string
  readonly finalCapture: boolean
  readonly spoil: (body: Loose) => void
  readonly parentPayment: string
}

test('what it says of every type in every state is what the bundled shop then does', async () => {
  const shop = await bundledShop()
  const types = [...EVENT_TYPES.handled.filter(type => !type.startsWith('VAULT')), EVENT_TYPES.unhandled[0]]
  const drawn: Drawn[] = []
  for (const type of types)
    for (const state of PAYMENT_STATES)
      for (const finalCapture of [true, false])
        for (const [name, spoil] of SPOILT.slice(0, state === 'open' ? undefined : 1)) {
          const parentPayment = `PAYID-${drawn.length}`
          drawn.push({
            name: `${type} ${state} ${finalCapture} ${name}`,
            type,
            state,
            finalCapture,
            spoil,
            parentPayment,
          })
        }
  const transactions = await addTransactions(shop, drawn)
  const cases = drawn.map(({name, type, state, finalCapture, spoil, parentPayment}, index) => {
    const transaction = transactions[index] as string
    const options: EventOptions = {
      ...{seed: index, transactionId: transaction, parentPayment, finalCapture},
      totalRefunded: finalCapture ? '100.00' : '40.00',
    }
    const body = JSON.parse(providerEvent(type, options).body)
    spoil(body)
    body.id = eventId(index)
    return {name, transaction, state, body}
  })
  const {clientId, clientSecret} = shop.credentials
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: clientId, STORECTL_CLIENT_SECRET: clientSecret}
  const {run} = await inboxOf(
    {env},
    cases.map(each => each.body),
  )
  const {stdout} = await run(['webhook', 'diagnose', '--status', 'pending', '--no-summary', '-o', 'ndjson'])
  const found = new Map(readJsonLines(stdout).map(row => [row.id, row.cause]))
  const wrong: string[] = []
  await Promise.all(
    cases.map(async ({name, transaction, state, body}) => {
      const {status} = await shop.deliver(JSON.stringify(body))
      const moved = (await stateOf(shop, transaction)) !== state
      const cause = found.get(body.id)
      if (!PROVES[cause]?.(status, moved)) wrong.push(`${name}: ${cause}, but ${status}, moved ${moved}`)
    }),
  )
  expect(wrong).toEqual([])
  expect(new Set(found.values())).toEqual(new Set(Object.keys(PROVES)))
})
