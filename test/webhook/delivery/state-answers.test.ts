import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Transaction} from '../../../src/payment/transactions.js'
import type {Result} from '../../../src/runs/journal/item.js'
import {
  checkAfterAcceptance,
  checkAfterFailure,
  checkAfterRefusal,
  createStateClient,
  createStateLookups,
  probeDelivery,
} from '../../../src/webhook/delivery/state-check.js'
import {plannedCapture} from '../replay/replayed-payment.js'

const {event} = plannedCapture().value
const rules = {versions: undefined}

const payment = (state: string): Transaction =>
  ({id: 'a'.repeat(32), state, amountTotal: 100, currency: 'EUR', payUponInvoice: false}) as Transaction

/** What a look-up answers: a state, `none` where the shop does not know the transaction, or an error. */
type Looked = string | StorectlError

const lookUps = (looked: Looked) => {
  const find = async () => {
    if (typeof looked !== 'string') throw looked
    return looked === 'none' ? undefined : payment(looked)
  }
  return {find, findSoon: find, askNow: () => undefined}
}

const away = new StorectlError('unavailable.shop', 'no answer')
const forbidden = new StorectlError('auth.forbidden', 'HTTP 403')
const unhandled = {...event, type: 'CHECKOUT.ORDER.APPROVED'}
const denied = {...event, type: 'PAYMENT.CAPTURE.DENIED'}
const keyed = (key: object) => ({...event, traits: {...event.traits, key}}) as typeof event
const nameless = keyed({by: 'fault', fault: 'no-custom-id'})
const ofOrder = keyed({by: 'provider-order', id: 'O1'})
const ofNothing = keyed({by: 'nothing'})
const named = (state: string) => ({before: 'open', after: state})

test.each([
  [event, 'open', 'paid', {result: 'applied', detail: 'open → paid', facts: named('paid')}],
  [
    ...([event, 'open', 'open'] as const),
    {result: 'unchanged', detail: 'is still open, expected paid', facts: named('open')},
  ],
  [
    ...([event, 'paid', 'paid'] as const),
    {result: 'unchanged', detail: 'is still paid', facts: {before: 'paid', after: 'paid'}},
  ],
  [
    ...([denied, 'paid', 'paid'] as const),
    {
      ...{result: 'unchanged', detail: 'is still paid, expected cancelled'},
      facts: {before: 'paid', after: 'paid'},
    },
  ],
  [
    ...([unhandled, 'open', 'paid'] as const),
    {result: 'unchanged', detail: 'the shop has no handler for CHECKOUT.ORDER.APPROVED'},
  ],
  [event, undefined, 'paid', {result: 'accepted', detail: 'answered 200; state not checked'}],
  [event, 'open', 'none', {result: 'accepted', detail: 'answered 200; state check failed'}],
  [event, 'open', away, {result: 'accepted', detail: 'answered 200; state check failed'}],
])('a 200 comes to what the state shows: %#', async (sent, before, looked, expected) => {
  const deps = {
    rules,
    transactions: lookUps(looked),
    before: before === undefined ? undefined : payment(before),
  }
  expect(await checkAfterAcceptance(sent, 200, deps)).toEqual({resultClass: 'done', status: 200, ...expected})
})

test('a 200 is accepted where states are not looked at', async () => {
  const deps = {rules, transactions: undefined, before: payment('open')}
  expect(await checkAfterAcceptance(event, 200, deps)).toMatchObject({
    ...{result: 'accepted', detail: 'answered 200; state not checked'},
  })
})

const again = {resultClass: 'later', result: 'failed', status: 400, detail: 'said', exit: 'rejected'}
const rejected = {...again, resultClass: 'failed', result: 'rejected'}
const inDoubt = {...again, resultClass: 'unknown', result: 'unknown', exit: 'unavailable'}
const applied = (before: string, after: string) => ({
  ...{resultClass: 'done', result: 'applied', detail: `looked up: ${before} → ${after}`},
  facts: {before, after},
})

test.each([
  ['nothing has changed', event, 'open', 'open', again],
  ['it was applied all the same', event, 'open', 'paid', {...applied('open', 'paid'), status: 400}],
  ['it was so before', event, 'paid', 'paid', inDoubt],
  ['nobody knows how it was before', event, undefined, 'paid', inDoubt],
  [
    ...(['it is not possible', event, 'refunded', 'refunded'] as const),
    {
      ...rejected,
      detail: 'said (out-of-order: the transaction is refunded, from where "paid" is not possible)',
    },
  ],
  [
    ...(['it became impossible', event, 'open', 'refunded'] as const),
    {
      ...rejected,
      detail: 'said (out-of-order: the transaction is refunded, from where "paid" is not possible)',
    },
  ],
  ['it names a payment of the provider', keyed({by: 'parent-payment', id: 'P1'}), 'open', 'open', again],
  ['it has no handler', unhandled, 'open', 'open', again],
  [
    ...(['it names no transaction', nameless, 'open', 'open'] as const),
    {...rejected, detail: 'said (no-transaction: it names no transaction of this shop)'},
  ],
  ['it names an order of the provider', ofOrder, 'open', 'open', inDoubt],
  ['it names nothing', ofNothing, 'open', 'open', inDoubt],
  [
    ...(['the shop does not know it', event, 'open', 'none'] as const),
    {...rejected, detail: 'said (unknown-transaction: the shop does not know its transaction)'},
  ],
  ['nobody answers', event, 'open', away, inDoubt],
])('a refusal where %s', async (_, sent, before, looked, expected) => {
  const deps = {
    rules,
    transactions: lookUps(looked),
    before: before === undefined ? undefined : {state: before},
  }
  expect(await checkAfterRefusal(sent, 'said', deps)).toEqual(expected)
})

test('a refusal is sent again where states are not looked at', async () => {
  expect(await checkAfterRefusal(event, 'said', {rules, transactions: undefined})).toEqual(again)
})

test('a refusal that moved the payment all the same says how', async () => {
  const find = async () => ({...payment('failed'), payUponInvoice: true})
  const transactions = {find, findSoon: find, askNow: () => undefined}
  expect(await checkAfterRefusal(event, 'said', {rules, transactions, before: {state: 'open'}})).toEqual({
    ...rejected,
    ...{detail: 'said (open → failed)', facts: {before: 'open', after: 'failed'}},
  })
})

const failure = (resultClass: Result['resultClass'], more: Partial<Result> = {}): Result => ({
  ...{resultClass, result: 'failed', status: 500, detail: 'HTTP 500'},
  ...more,
})
const busy = failure('later', {status: 503, doubt: 'refused'})
const left = (result: Result) => ({...result, resultClass: 'unknown', result: 'unknown', exit: 'unavailable'})
const refused = failure('failed', {result: 'rejected', exit: 'rejected'})

test.each([
  ['may be sent again and nothing has changed', failure('later'), event, 'open', 'open', failure('later')],
  [
    ...(['may be sent again and was applied', failure('later'), event, 'open', 'paid'] as const),
    {...applied('open', 'paid'), status: 500},
  ],
  ['may be sent again and nobody answers', failure('later'), event, 'open', away, failure('later')],
  [
    ...(['may be sent again and nobody may look', failure('later'), event, 'open', forbidden] as const),
    left(failure('later')),
  ],
  ['would change nothing', failure('later'), event, 'paid', 'paid', left(failure('later'))],
  ['is rejected and nothing has changed', refused, event, 'open', 'open', refused],
  ['is rejected and nobody answers', refused, event, 'open', away, left(refused)],
  [
    ...(['is rejected and was applied', refused, event, 'open', 'paid'] as const),
    {...applied('open', 'paid'), status: 500},
  ],
  ['failed before the shop', failure('failed'), event, 'open', 'paid', failure('failed')],
  ['failed and would change nothing', failure('failed'), event, 'paid', 'paid', left(failure('failed'))],
  ['is in doubt', failure('unknown'), event, 'open', 'paid', failure('unknown')],
  ['is in doubt and would change nothing', failure('unknown'), event, 'paid', 'paid', failure('unknown')],
  [
    ...(['was not signed in', failure('failed', {result: 'rejected', exit: 'auth'}), event] as const),
    ...(['open', 'paid', failure('failed', {result: 'rejected', exit: 'auth'})] as const),
  ],
])('another answer that %s', async (_, result, sent, before, looked, expected) => {
  const deps = {rules, transactions: lookUps(looked), before: payment(before)}
  expect(await checkAfterFailure(sent, result, deps)).toEqual(expected)
})

test.each<[string, Result, Result]>([
  ['refused at once', busy, {...busy, doubt: undefined}],
  [
    'in doubt, though refused at once',
    failure('unknown', {result: 'unknown', status: 503, doubt: 'refused'}),
    failure('later', {status: 503, doubt: undefined}),
  ],
  ...[failure('unknown', {status: 503}), failure('unknown', {status: 429, doubt: 'refused'})].map(
    (result): [string, Result, Result] => ['in doubt', result, result],
  ),
])('without states an answer that is %s', async (_, result, expected) => {
  expect(await checkAfterFailure(event, result, {rules, transactions: undefined})).toEqual(expected)
})

test.each([
  ['has no handler', unhandled, 'open', 'paid', 'not-applied'],
  ['names no transaction', nameless, 'open', 'paid', 'not-applied'],
  ['names nothing', ofNothing, 'open', 'paid', 'cannot-tell'],
  ['names an order of the provider', ofOrder, 'open', 'paid', 'cannot-tell'],
  ['the shop does not know', event, 'open', 'none', 'not-applied'],
  ['nobody answers about', event, 'open', away, 'not-now'],
  ['nobody may look up', event, 'open', forbidden, 'cannot-tell'],
  ['has changed nothing', event, 'open', 'open', 'not-applied'],
  ['has changed its state', event, 'open', 'paid', applied('open', 'paid')],
  ['was so before', event, 'paid', 'paid', 'cannot-tell'],
  ['nobody knows of before', event, undefined, 'paid', 'cannot-tell'],
])('an attempt without an answer, of an event that %s', async (_, sent, before, looked, expected) => {
  const deps = {
    rules,
    transactions: lookUps(looked),
    before: before === undefined ? undefined : {state: before},
  }
  expect(await probeDelivery(sent, deps)).toEqual(expected)
})

test('an attempt without an answer cannot be judged where states are not looked at, and other errors are thrown', async () => {
  expect(await probeDelivery(event, {rules, transactions: undefined})).toBe('cannot-tell')
  expect(await probeDelivery(unhandled, {rules, transactions: undefined})).toBe('not-applied')
  const broken = lookUps(new TypeError('broken') as never)
  await expect(probeDelivery(event, {rules, transactions: broken})).rejects.toThrow(TypeError)
})

const WAY_OUT = 'or add --no-check-state to send without comparing states'

test('a look-up without a sign-in names the way to send without states, any other error is the same', async () => {
  const open = (error: Error) =>
    createStateClient({
      baseUrl: new URL('http://shop'),
      call: async () => {
        throw error
      },
    }).call({} as never)
  const missing = new StorectlError('auth.missing', 'not signed in', {nextSteps: ['sign in']})
  await expect(open(missing)).rejects.toMatchObject({
    ...{code: 'auth.missing', message: 'not signed in', nextSteps: ['sign in', WAY_OUT], cause: missing},
  })
  await expect(open(away)).rejects.toBe(away)
  const broken = new TypeError('broken')
  await expect(open(broken)).rejects.toBe(broken)
})

test('a look-up that the shop refuses names the way to send without states', async () => {
  const patient = {
    baseUrl: new URL('http://shop'),
    call: async () => ({status: 403, headers: {}, body: Buffer.from('{}')}),
  }
  const looked = createStateLookups({patient, refusal: () => forbidden} as never)
  await expect(looked.find({by: 'id', id: 'a'.repeat(32)})).rejects.toMatchObject({
    ...{code: 'auth.forbidden', nextSteps: [WAY_OUT]},
  })
})
