import {expect, test} from 'vitest'
import type {LedgerEntry} from '../../../src/runs/journal/journal-entry.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {judgeOffline, type Known} from '../../../src/webhook/plan/action.js'
import {forecast} from '../../../src/webhook/plan/forecast.js'
import type {Rules} from '../../../src/webhook/plan/judged.js'
import {providerEvent} from '../../support/events.js'
import {NOW, plannedCapture} from '../replay/replayed-payment.js'

const since = (ms: number): Rules => ({
  ...{maxAgeMs: undefined, includeOutOfOrder: false, includeUnverified: false, checkState: true},
  ...{includeDelivered: true, countsSinceMs: ms, includeUnknown: false},
})
const known: Known = {
  ...{now: NOW, isNamed: false, isUnsure: false, ledger: undefined},
  ...{transaction: undefined, deliveredUpTo: undefined, captures: []},
}

test.each([
  [0, 'skip'],
  [1, undefined],
])('a delivery %i ms before the moment from which on they count is judged by it', (ms, action) => {
  const {event} = plannedCapture().value
  const rules = since(NOW.getTime() + ms)
  expect(judgeOffline({...event, status: 'delivered'}, rules, known)?.action).toBe(action)
  const ledger = {resultClass: 'done', result: 'applied', at: NOW, runId: 'run'} as LedgerEntry
  expect(judgeOffline(event, rules, {...known, ledger})?.action).toBe(action)
})

test('what cancels a payment that has money moves it back', () => {
  const {body} = providerEvent('PAYMENT.CAPTURE.DENIED', {transactionId: 'a'.repeat(32)})
  const event = readEvent(Buffer.from(body), 'file', NOW, [])
  if ('unusable' in event) throw new Error(event.unusable)
  const kinds = ['open', 'authorized', 'paid_partially', 'paid'].map(state => [
    state,
    forecast(event, {state, amountTotal: 100, payUponInvoice: false}).kind,
  ])
  expect(kinds).toEqual([
    ['open', 'moves'],
    ['authorized', 'moves'],
    ['paid_partially', 'backwards'],
    ['paid', 'backwards'],
  ])
})
