import {join} from 'node:path'
import {StorectlError} from '../../src/errors.js'
import type {Clock} from '../../src/platform/clock.js'
import {openRecords} from '../../src/records/index.js'
import type {Result} from '../../src/runs/journal/item.js'
import type {NewEntry} from '../../src/runs/journal/journal-entry.js'
import type {WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {providerEvent} from '../support/events.js'
import {begun} from './support.js'

const TARGET = 'https://shop.example'

/** What becomes of an event, by its place; what comes after is not sent. */
const RESULTS: readonly Result[] = [
  {resultClass: 'done', result: 'applied', status: 200, facts: {before: 'open', after: 'paid'}},
  {resultClass: 'done', result: 'applied', status: 200, facts: {before: 'open', after: 'paid'}},
  {resultClass: 'done', result: 'unchanged', status: 200, facts: {before: 'paid', after: 'paid'}},
  {resultClass: 'held', result: 'held', detail: 'out-of-order: it would go back to paid'},
  {resultClass: 'failed', result: 'failed', status: 503, detail: 'answered 503', facts: {before: 'open'}},
]

/** An event of order 10001 and so on, worth 10.50 EUR; every seventh 3,000 JPY. */
function buildEvent(index: number, payment: number, at: Date): WebhookEvent {
  const transactionId = payment.toString(16).padStart(32, '0')
  const money = index % 7 === 6 ? {amount: '3000', currency: 'JPY'} : {amount: '10.50', currency: 'EUR'}
  const options = {seed: index + 1, transactionId, createTime: at.toISOString(), ...money}
  const {payload, headers} = providerEvent('PAYMENT.CAPTURE.COMPLETED', options)
  const resource = {...(payload.resource as object), invoice_id: String(10_001 + index)}
  const body = Buffer.from(JSON.stringify({...payload, resource}))
  const event = readEvent(body, 'test', at, Object.entries(headers))
  if ('unusable' in event) throw new Error(event.unusable)
  return event
}

interface StoppedReplay {
  readonly total: number
  readonly ended: number
  readonly payments?: number
  readonly spread?: (index: number) => void
}

/**
 * A home with a replay that a circuit breaker stopped: of `total` events it came to `ended`, by turns of `RESULTS`.
 *
 * @param payments that the events are about, by turns; by default each about its own
 * @param spread called before each result, for whoever wants them at different times
 */
export async function writeStoppedReplay(
  home: string,
  clock: Clock,
  {total, ended, payments = total, spread}: StoppedReplay,
) {
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const events = Array.from({length: total}, (_, index) => buildEvent(index, index % payments, clock.now()))
  await records.inbox.add(TARGET, events)
  const command = "storectl webhook replay --cause shop-unavailable --reason 'ticket 4711' --yes"
  const run = await begun(records.runs, clock, {
    reason: 'ticket 4711: token rotated at 02:10',
    options: {command, words: [], isNamed: false},
  })
  const keys = events.map(({id}) => id)
  const planned = keys.map(item => ({item, orderingKey: item, isUnsure: false, metadata: null}))
  await run.storePlan(
    total,
    total,
    (async function* () {
      yield* planned
    })(),
  )
  for (const [index, event] of events.slice(0, ended).entries()) {
    spread?.(index)
    const {resultClass, result, status, detail, facts} = RESULTS[index % RESULTS.length] as Result
    const attempt = resultClass === 'held' ? 0 : 1
    const entry = {item: event.id, orderingKey: event.id, contentHash: event.sha256, attempt}
    const written: NewEntry = {kind: 'result', ...entry, resultClass, result, status, detail, facts}
    if (attempt > 0) await run.journal.write({kind: 'intent', ...entry})
    await run.journal.write(written)
  }
  const stopReason = 'Failure rate 20 % (4 of the last 20) reached --breaker-rate'
  await run.end({isComplete: false, halt: new StorectlError('stopped.breaker_open', stopReason)})
  await records.close()
  return {id: run.id, keys}
}
