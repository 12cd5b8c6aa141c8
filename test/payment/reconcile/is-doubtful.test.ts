import {expect, test} from 'vitest'
import type {ProviderMovement} from '../../../src/payment/drift/payment-facts.js'
import {isDoubtful} from '../../../src/payment/reconcile/is-doubtful.js'
import {MovementIndex} from '../../../src/payment/reconcile/movement-index.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000

const payment = (state: string, more: {providerOrderId?: string | null; ageMs?: number} = {}) => ({
  ...{orderId: 'o', orderNumber: '10001', orderState: 'open', salesChannelId: null},
  ...{units: 1000, currency: 'EUR', earlier: []},
  live: {
    ...{id: 'T1', state, createdAt: new Date(NOW.getTime() - (more.ageMs ?? 2 * HOUR_MS))},
    providerOrderId: more.providerOrderId === undefined ? 'P1' : more.providerOrderId,
  },
})
const movement = (more: Partial<ProviderMovement> = {}): ProviderMovement => ({
  ...{id: 'C1', kind: 'capture', status: 'done', units: 1000, currency: 'EUR', at: NOW},
  ...{orderId: 'P1', transactionId: 'T1', invoiceId: null, captureId: null, ...more},
})

const judge = (of: ReturnType<typeof payment>, reported: readonly ProviderMovement[] = []) =>
  isDoubtful(
    {payment: of, reported},
    {startedAt: NOW, minAgeMs: HOUR_MS},
    {now: NOW, pendingAfterMs: 24 * HOUR_MS},
  )

const WAITING = ['open', 'unconfirmed', 'in_progress', 'authorized', 'reminded']
const AUTHORIZED = movement({id: 'A1', kind: 'authorization'})
const HELD = movement({status: 'pending'})

test.each(WAITING)('a payment that is %s is looked up unless the report has a capture of it', state => {
  expect(judge(payment(state))).toBe(true)
  expect(judge(payment(state), [AUTHORIZED])).toBe(true)
  expect(judge(payment(state), [HELD])).toBe(false)
  expect(judge(payment(state, {providerOrderId: null}))).toBe(false)
})

test('what differs by the report is looked up', () => {
  expect(judge(payment('open'), [movement()])).toBe(true)
  expect(judge(payment('paid'), [movement()])).toBe(false)
  expect(judge(payment('paid'), [movement({units: 1})])).toBe(true)
})

test('a row that only the order explains, or a part of a refund without the refund, is looked up', () => {
  expect(judge(payment('paid'), [movement(), movement({id: 'X', kind: 'other'})])).toBe(true)
  const part = movement({reversed: 'part'})
  const refund = movement({id: 'R', kind: 'refund', captureId: 'C1', units: 100})
  expect(judge(payment('paid'), [part])).toBe(true)
  expect(judge(payment('refunded_partially'), [part, refund])).toBe(false)
})

test('what the shop has given up is looked up while the report may lag behind, and has nothing of it', () => {
  expect(judge(payment('cancelled', {ageMs: HOUR_MS - 1}))).toBe(true)
  expect(judge(payment('cancelled', {ageMs: HOUR_MS}))).toBe(false)
  expect(judge(payment('cancelled', {ageMs: 0, providerOrderId: null}))).toBe(false)
  expect(judge(payment('cancelled', {ageMs: 0}), [movement({status: 'declined'})])).toBe(false)
})

test('movements are found by the transaction, the order and the capture that they name, each once', () => {
  const of = (id: string, more: Partial<ProviderMovement>) =>
    movement({id, orderId: null, transactionId: null, ...more})
  const own = [
    of('C1', {transactionId: 'T1', orderId: 'P1'}),
    of('C2', {orderId: 'P1'}),
    of('C3', {transactionId: 'T0'}),
    of('R1', {kind: 'refund', captureId: 'C1'}),
    of('R3', {kind: 'refund', captureId: 'C3'}),
  ]
  const others = [
    of('C4', {transactionId: 'T9', orderId: 'P9'}),
    of('R4', {transactionId: 'T9', captureId: 'C4'}),
    of('C5', {orderId: 'P9'}),
    of('R6', {captureId: 'C6'}),
    of('C7', {}),
  ]
  const index = new MovementIndex([...own, ...others])
  const earlier = [{id: 'T0', state: 'failed', createdAt: NOW, providerOrderId: null}]
  const whole = {...payment('paid'), earlier}
  const ids = (found: readonly ProviderMovement[]) => found.map(({id}) => id).sort()
  expect(ids(index.find(whole))).toEqual(['C1', 'C2', 'C3', 'R1', 'R3'])
  expect(index.listTransactionIds()).toEqual(['T1', 'T0', 'T9'])
  expect(index.listOrderIds()).toEqual(['P1', 'P9'])
  expect(index.listRest().flat()).toHaveLength(10)
  expect(ids(index.take(whole))).toEqual(['C1', 'C2', 'C3', 'R1', 'R3'])
  expect(index.listRest().map(ids)).toEqual([['C4', 'R4'], ['C5'], ['R6'], ['C7']])
})
