import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Transaction} from '../../../src/payment/transactions.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {createProviderTransport} from '../../../src/webhook/provider/provider-delivery.js'
import {StoppedClock} from '../../support/clock.js'
import {plannedCapture} from '../replay/replayed-payment.js'

interface Sent {
  readonly type?: string
  /** What is known of the payment before; `undefined` where nothing is. */
  readonly before?: Transaction | undefined
  readonly isStopped?: boolean
}

/** A resend that the provider answers, and after which the inbox has the event with other members. */
async function resend(
  answer: {status: number; body?: object},
  later: Partial<InboxEvent> = {},
  {type, isStopped = false, ...rest}: Sent = {},
) {
  const before = 'before' in rest ? rest.before : TRANSACTION
  const {event: planned, content} = plannedCapture().value
  const event = {...planned, ...(type !== undefined && {type})}
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
    ...{
      retryAfterMs: () => undefined,
      stopping: isStopped ? AbortSignal.abort() : new AbortController().signal,
    },
    findWebhookId: async () => undefined,
    findEvent: async () => now,
  })
  const sent = await transport.deliver({event, content, run: 'run', attempt: 1}, before, () => {})
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

test.each<[string, Sent, object]>([
  ['of a type that the shop does not handle', {type: 'CHECKOUT.ORDER.APPROVED'}, {result: 'unchanged'}],
  [
    'whose payment nobody has found',
    {before: undefined},
    {result: 'accepted', detail: 'the provider will deliver it; the state does not show it yet'},
  ],
  [
    'whose payment has its state already',
    {before: {...TRANSACTION, state: 'paid'}},
    {result: 'unchanged', facts: {before: 'paid', after: 'paid'}},
  ],
])('what the provider will deliver counts as done at once for an event %s', async (_, sent, expected) => {
  const taken = await resend({status: 202}, {}, sent)
  expect(taken.sent).toMatchObject({resultClass: 'done', status: 202, ...expected})
})

test.each([
  [{status: 'PENDING'}, true],
  [{status: 'SUCCESS', transmissions: [{status: 'PENDING'}]}, false],
  [{transmissions: [{status: 'SUCCESS'}, {status: 'PENDING'}]}, true],
  [{transmissions: [{status: 'SUCCESS'}]}, false],
])('an answer of %j is told as one that the provider still tries by itself, or not', async (body, isTold) => {
  const {sent} = await resend({status: 202, body})
  expect(sent).toMatchObject({result: 'unknown', detail: expect.stringContaining('after 1 s')})
  expect(sent.detail?.includes('still tries to deliver it by itself')).toBe(isTold)
})

test('a run that is stopped waits for nothing, and says so', async () => {
  const {sent} = await resend({status: 202}, {attempts: 2}, {isStopped: true})
  expect(sent).toMatchObject({result: 'unknown', detail: expect.stringContaining('when the run was stopped')})
})
