import {expect, test} from 'vitest'
import {
  type Forecast,
  findApplied,
  forecast,
  forecastBoth,
  isShownUnapplied,
  judgeOutlook,
} from '../../../src/webhook/plan/forecast.js'
import {plannedCapture} from '../replay/replayed-payment.js'

const {event} = plannedCapture().value
const PAYMENT = {state: 'open', amountTotal: 100, payUponInvoice: false}

const moves = (to: string, ...or: string[]): Forecast => ({kind: 'moves', to, or})
const STAYS: Forecast = {kind: 'stays', actsAgain: false, or: []}
const REFUSED: Forecast = {kind: 'refused', why: '', isFinal: false}
const BACKWARDS: Forecast = {kind: 'backwards', to: 'paid', why: ''}
const FAULTY: Forecast = {kind: 'faulty', why: ''}
const UNKNOWN: Forecast = {kind: 'unknown-version', why: ''}
const DECIDES: Forecast = {kind: 'provider-decides'}

/** What is foretold now, what was foretold before it was sent, the state now and then. */
test.each<[Forecast, Forecast | undefined, string, string | undefined, string]>([
  [DECIDES, undefined, 'paid', 'paid', 'cannot-tell'],
  [DECIDES, DECIDES, 'paid', 'open', 'applied'],
  [moves('paid'), undefined, 'open', 'open', 'not-applied'],
  [moves('paid', 'refunded'), undefined, 'refunded', 'refunded', 'cannot-tell'],
  [moves('paid', 'refunded'), undefined, 'open', 'open', 'not-applied'],
  [STAYS, moves('paid'), 'paid', 'open', 'applied'],
  [STAYS, undefined, 'paid', 'paid', 'cannot-tell'],
  [REFUSED, moves('paid'), 'paid', 'open', 'cannot-tell'],
  [REFUSED, moves('paid', 'refunded'), 'refunded', 'open', 'applied'],
  [REFUSED, moves('paid', 'refunded'), 'paid', 'open', 'applied'],
  [REFUSED, moves('paid', 'refunded'), 'failed', 'open', 'cannot-tell'],
  [REFUSED, STAYS, 'paid', 'open', 'cannot-tell'],
  [FAULTY, undefined, 'open', 'open', 'not-applied'],
  [BACKWARDS, undefined, 'refunded', 'refunded', 'not-applied'],
  [BACKWARDS, moves('paid'), 'refunded', 'open', 'cannot-tell'],
  [REFUSED, undefined, 'refunded', 'refunded', 'cannot-tell'],
  [UNKNOWN, moves('paid'), 'reminded', 'open', 'cannot-tell'],
])('what is %j, and was %j, in %s after %s is %s', (now, before, state, stateBefore, expected) => {
  expect(judgeOutlook({now, before}, state, stateBefore)).toBe(expected)
})

test('a state shows that an event was not applied where all that may come of it is further', () => {
  const isShown = (state: string, payUponInvoice: boolean) =>
    isShownUnapplied(event, {...PAYMENT, state, payUponInvoice})
  expect([isShown('open', false), isShown('authorized', false), isShown('paid', false)]).toEqual([
    true,
    true,
    false,
  ])
  // Upon invoice it may fail, too.
  expect([isShown('open', true), isShown('authorized', true)]).toEqual([true, false])
})

test('an event that the shop does not handle was not applied', () => {
  const unhandled = {...event, type: 'CHECKOUT.ORDER.APPROVED'}
  expect(findApplied(unhandled, {...PAYMENT, state: 'paid'}, 'open')).toBe('not-applied')
  expect(findApplied(event, {...PAYMENT, state: 'paid'}, 'open')).toBe('applied')
})

test('what was foretold before is that of the state then, without the instructions that came since', () => {
  const invoice = {...PAYMENT, payUponInvoice: true}
  const now = {...invoice, state: 'paid', hasInstructions: true}
  expect(forecastBoth(event, {now, before: 'open'})).toEqual({
    now: forecast(event, now),
    before: forecast(event, {...invoice, state: 'open', hasInstructions: false}),
  })
  for (const before of [undefined, 'paid']) expect(forecastBoth(event, {now, before}).before).toBeUndefined()
})

test('a capture upon invoice of a payment that is paid may still be refused', () => {
  const paid = {...PAYMENT, payUponInvoice: true, state: 'paid'}
  expect(forecast(event, paid)).toEqual({kind: 'stays', actsAgain: true, or: ['refused']})
})

const back = (state: string, to: string) => ({
  ...{kind: 'backwards', to, why: `it would set a ${state} transaction back to ${to}`},
})
const refused = (state: string, step: string, isFinal: boolean) => ({
  ...{kind: 'refused', why: `the transaction is ${state}, from where "${step}" is not possible`, isFinal},
})

test.each([
  ...['paid_partially', 'paid', 'refunded_partially', 'refunded', 'chargeback'].map(
    state => ['PAYMENT.CAPTURE.DENIED', state, back(state, 'cancelled')] as const,
  ),
  ...['open', 'in_progress', 'authorized', 'reminded', 'unconfirmed'].map(
    state => ['PAYMENT.CAPTURE.DENIED', state, moves('cancelled')] as const,
  ),
  ...['refunded_partially', 'chargeback'].map(
    state => ['PAYMENT.CAPTURE.COMPLETED', state, back(state, 'paid')] as const,
  ),
  ...['open', 'authorized', 'paid_partially', 'cancelled', 'failed'].map(
    state => ['PAYMENT.CAPTURE.COMPLETED', state, moves('paid')] as const,
  ),
  ['PAYMENT.CAPTURE.COMPLETED', 'paid', STAYS],
  ['PAYMENT.CAPTURE.COMPLETED', 'refunded', refused('refunded', 'paid', true)],
  ['PAYMENT.SALE.COMPLETED', 'refunded_partially', refused('refunded_partially', 'paid', false)],
  ['PAYMENT.SALE.COMPLETED', 'odd', refused('odd', 'paid', false)],
  ['PAYMENT.SALE.DENIED', 'odd', refused('odd', 'cancel', true)],
  ['PAYMENT.CAPTURE.REFUNDED', 'refunded', {...STAYS, actsAgain: true}],
  [
    'PAYMENT.CAPTURE.DENIED',
    'failed',
    {
      kind: 'unknown-version',
      why: 'not measured for Shopware (version unknown): cancelled in Shopware 6.5 with plugin 8.0, refused in Shopware 6.7 with plugin 10.0',
    },
  ],
] as const)('%s of a payment that is %s is foretold', (type, state, expected) => {
  expect(forecast({...event, type}, {...PAYMENT, state})).toEqual(expected)
})
