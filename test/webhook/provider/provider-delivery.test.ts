import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {createProviderTransport} from '../../../src/webhook/provider/provider-delivery.js'
import {StoppedClock} from '../../support/clock.js'
import {plannedCapture} from '../replay/replayed-payment.js'

/** A resend that the provider answers, and after which the inbox has the event with other members. */
async function resend(answer: {status: number; body?: object}, later: Partial<InboxEvent> = {}) {
  const {event, content} = plannedCapture().value
  let now: InboxEvent = event
  const call = async () => {
    now = {...event, ...later}
    return {status: answer.status, headers: {}, body: Buffer.from(JSON.stringify(answer.body ?? {}))}
  }
  const find = async () => TRANSACTION
  const refusal = () => new StorectlError('rejected.by_provider', 'refused')
  const transport = createProviderTransport({
    provider: {url: new URL('http://provider'), patient: {call}, signed: {call}, refusal} as never,
    transactions: {find, findSoon: find, askNow: () => undefined},
    ...{versions: undefined, clock: new StoppedClock(), patienceMs: 1000},
    ...{retryAfterMs: () => undefined, stopping: new AbortController().signal},
    findWebhookId: async () => undefined,
    findEvent: async () => now,
  })
  const sent = await transport.deliver({event, content, run: 'run', attempt: 1}, TRANSACTION, () => {})
  return {sent, mayStillArrive: transport.mayStillArrive(event.id)}
}

const TRANSACTION = {
  ...{id: 'a'.repeat(32), state: 'open', amountTotal: 100, currency: 'EUR', payUponInvoice: false},
} as const

test.each([
  ['the shop refused the delivery that was asked for', {attempts: 2}, 'rejected'],
  ['the shop refused an earlier one', {attempts: 1}, 'unknown'],
  ['a stranger called meanwhile', {attempts: 2, sender: 'wrong-token'}, 'unknown'],
  ['a capture is forwarding it', {attempts: 2, isInFlight: true}, 'unknown'],
  ['it has no answer yet', {attempts: 2, status: 'unknown'}, 'unknown'],
] as const)('what came of a resend where %s', async (_, later, result) => {
  const {sent, mayStillArrive} = await resend({status: 202}, later)
  expect([sent, mayStillArrive]).toMatchObject([{result}, true])
})

test.each([
  [500, 'unknown', true],
  [503, 'unknown', true],
  [404, 'failed', false],
  [429, 'later', false],
])('a resend that is answered %i by the provider itself is %s', async (status, resultClass, may) => {
  const body = {errors: [{code: '0', status: String(status), title: 'no', detail: 'no'}]}
  const {sent, mayStillArrive} = await resend({status, body})
  expect([sent, mayStillArrive]).toMatchObject([{resultClass}, may])
})
