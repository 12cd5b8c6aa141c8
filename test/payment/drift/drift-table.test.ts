import {expect, test} from 'vitest'
import {findDrift} from '../../../src/payment/drift/find-drift.js'
import {countDigits} from '../../../src/payment/drift/money.js'
import type {
  PaymentFacts,
  ProviderMovement,
  ProviderPayment,
  ShopPayment,
} from '../../../src/payment/drift/payment-facts.js'
import {sumMovements} from '../../../src/payment/drift/sum-movements.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000
const rules = {now: NOW, pendingAfterMs: 24 * HOUR_MS}

const movement = (more: Partial<ProviderMovement> = {}): ProviderMovement => ({
  ...{id: 'C1', kind: 'capture', status: 'done', units: 1000, currency: 'EUR', at: NOW},
  ...{orderId: 'ORDER1', transactionId: 'T1', invoiceId: null, captureId: null},
  ...more,
})
const refund = (units: number, more: Partial<ProviderMovement> = {}) =>
  movement({id: 'R1', kind: 'refund', units, captureId: 'C1', ...more})

/** A payment over 10.00 EUR in a state of the shop, with what the provider has of it. */
const payment = (
  state: string,
  movements: readonly ProviderMovement[],
  {shop = {}, provider = {}}: {shop?: Partial<ShopPayment>; provider?: Partial<ProviderPayment>} = {},
): PaymentFacts => ({
  shop: {
    ...{orderId: 'O1', orderNumber: '10001', orderState: 'open', salesChannelId: null},
    ...{units: 1000, currency: 'EUR', earlier: []},
    live: {id: 'T1', state, createdAt: NOW, providerOrderId: 'ORDER1'},
    ...shop,
  },
  provider: {movements, voidedOrderIds: [], ...provider},
})

const WAITING = ['open', 'unconfirmed', 'in_progress', 'authorized', 'reminded']
const GIVEN_UP = ['cancelled', 'failed']
const MONEY = {
  paid: [movement()],
  'paid in part': [movement({units: 400})],
  refunded: [movement(), refund(1000)],
  'refunded in part': [movement(), refund(400)],
  'captured for the last time, and less': [movement({units: 400, isFinal: true})],
  'captured in two parts, one for the last time, and less': [
    movement({units: 400, isFinal: true}),
    movement({id: 'C2', units: 200, isFinal: false}),
  ],
}

/** By what the provider has and the state of the shop: the kind, and the state that a repair leads to. */
const TABLE: [keyof typeof MONEY, string[], string, string | undefined][] = [
  ['paid', [...WAITING, 'paid_partially'], 'capture-missed', 'paid'],
  ['paid', GIVEN_UP, 'cancelled-late', 'paid'],
  ['paid', ['refunded', 'refunded_partially'], 'amount-differs', undefined],
  ['paid in part', WAITING, 'partial-missed', 'paid_partially'],
  ['paid in part', GIVEN_UP, 'cancelled-late', 'paid_partially'],
  ['paid in part', ['paid', 'refunded', 'refunded_partially'], 'amount-differs', undefined],
  ['refunded', [...WAITING, 'paid', 'paid_partially', 'refunded_partially'], 'refund-missed', 'refunded'],
  ['refunded in part', WAITING, 'capture-missed', 'paid'],
  ['refunded in part', GIVEN_UP, 'cancelled-late', 'refunded_partially'],
  ['refunded in part', ['paid', 'paid_partially'], 'partial-missed', 'refunded_partially'],
  ['refunded in part', ['refunded'], 'amount-differs', undefined],
  ['captured for the last time, and less', GIVEN_UP, 'cancelled-late', undefined],
  [
    'captured for the last time, and less',
    [...WAITING, 'paid', 'paid_partially', 'refunded', 'refunded_partially'],
    ...(['amount-differs', undefined] as const),
  ],
  [
    'captured in two parts, one for the last time, and less',
    [...WAITING, 'paid', 'paid_partially', 'refunded', 'refunded_partially'],
    ...(['amount-differs', undefined] as const),
  ],
]

test.each(TABLE)('what is %s at the provider and %j in the shop is %s', (money, states, kind, expected) => {
  for (const state of states) {
    const found = findDrift(payment(state, MONEY[money]), rules)
    expect([state, found?.kind, found?.expected, found?.transaction?.id]).toEqual([
      state,
      kind,
      expected,
      'T1',
    ])
  }
})

test.each([
  ['paid', ['paid', 'chargeback']],
  ['paid in part', ['paid_partially', 'chargeback']],
  ['refunded', ['refunded', 'cancelled', 'failed', 'chargeback']],
  ['refunded in part', ['refunded_partially', 'chargeback']],
  ['captured for the last time, and less', ['chargeback']],
] as const)('what is %s at the provider is no drift in the shop as %j', (money, states) => {
  for (const state of states) expect(findDrift(payment(state, MONEY[money]), rules), state).toBeUndefined()
})

const held = (hours: number) =>
  movement({status: 'pending', at: new Date(NOW.getTime() - hours * HOUR_MS - 1)})
const declined = movement({status: 'declined'})
const authorization = (status: 'done' | 'declined') => movement({id: 'A1', kind: 'authorization', status})
const dispute = (status: 'done' | 'pending', at = NOW) => movement({id: 'D1', kind: 'dispute', status, at})
const voided = {provider: {voidedOrderIds: ['ORDER1']}}
const named = {id: 'PP-1', state: 'REQUIRED_ACTION', dueAt: new Date('2026-11-30T08:15:42Z')}
const LATER = new Date(NOW.getTime() + 1)

test.each<[string, PaymentFacts, string | undefined, string | undefined, string | undefined]>([
  [
    ...(['captured', payment('open', MONEY.paid), 'capture-missed', 'paid'] as const),
    'provider: 10.00 EUR captured; shop: open, 10.00 EUR',
  ],
  [
    ...(['refunded in part', payment('paid', MONEY['refunded in part'])] as const),
    ...(['partial-missed', 'refunded_partially'] as const),
    'provider: 10.00 EUR captured, 4.00 EUR refunded; shop: paid, 10.00 EUR',
  ],
  [
    'declined',
    payment('open', [declined]),
    'cancelled-at-provider',
    'cancelled',
    'provider: declined; shop: open',
  ],
  [
    ...(['cancelled', payment('open', [], voided), 'cancelled-at-provider', 'cancelled'] as const),
    'provider: cancelled; shop: open',
  ],
  ['declined, given up', payment('cancelled', [declined]), undefined, undefined, undefined],
  ['authorized', payment('open', [declined, authorization('done')]), undefined, undefined, undefined],
  [
    ...([
      'an authorization that is voided',
      payment('open', [authorization('done'), authorization('declined')]),
    ] as const),
    ...(['cancelled-at-provider', 'cancelled', 'provider: declined; shop: open'] as const),
  ],
  [
    'held back for a while, declined',
    payment('open', [held(1), {...declined, id: 'C2'}]),
    undefined,
    undefined,
    undefined,
  ],
  [
    ...(['held back for a day', payment('open', [held(24)]), 'pending', undefined] as const),
    'provider: 10.00 EUR held back since 2026-11-19T11:59Z; shop: open',
  ],
  [
    'held back for a day less a moment',
    payment('open', [{...held(24), at: new Date(NOW.getTime() - 24 * HOUR_MS)}]),
    undefined,
    undefined,
    undefined,
  ],
  ['held back, and captured since', payment('paid', [held(30), movement()]), undefined, undefined, undefined],
  [
    'held back, and another captured',
    payment('paid', [{...held(30), id: 'C2'}, movement()]),
    'pending',
    undefined,
    'provider: 10.00 EUR held back since 2026-11-19T05:59Z; shop: paid',
  ],
  [
    ...(['paid without money', payment('paid', []), 'unknown-at-provider', 'open'] as const),
    'shop: paid, 10.00 EUR; provider: nothing captured',
  ],
  [
    ...(['paid and declined', payment('paid', [declined]), 'unknown-at-provider', 'cancelled'] as const),
    'shop: paid, 10.00 EUR; provider: nothing captured',
  ],
  ['paid, nothing to pay', payment('paid', [], {shop: {units: 0}}), undefined, undefined, undefined],
  [
    'in dispute',
    payment('paid', [movement(), dispute('pending')]),
    'disputed',
    undefined,
    'provider: in dispute; shop: paid',
  ],
  [
    ...([
      'in a named dispute',
      payment('paid', [movement()], {provider: {dispute: named}}),
      'disputed',
    ] as const),
    ...([
      undefined,
      'provider: in dispute PP-1 (REQUIRED_ACTION), an answer is due by 2026-11-30T08:15Z; shop: paid',
    ] as const),
  ],
  [
    ...([
      'in a dispute with nothing due',
      payment('paid', [movement()], {provider: {dispute: {...named, dueAt: null}}}),
    ] as const),
    ...(['disputed', undefined, 'provider: in dispute PP-1 (REQUIRED_ACTION); shop: paid'] as const),
  ],
  [
    'in dispute, as the shop knows',
    payment('chargeback', [movement(), dispute('pending')]),
    undefined,
    undefined,
    undefined,
  ],
  [
    'a dispute that has ended',
    payment('paid', [movement(), dispute('pending'), dispute('done', LATER)]),
    undefined,
    undefined,
    undefined,
  ],
  [
    'a dispute that has ended, listed first',
    payment('paid', [movement(), dispute('done', LATER), dispute('pending')]),
    undefined,
    undefined,
    undefined,
  ],
  [
    ...([
      'captured twice',
      payment('paid', [movement(), movement({id: 'C2'})]),
      'captured-twice',
      undefined,
    ] as const),
    'provider: 2 captures, 20.00 EUR in all; shop: 10.00 EUR',
  ],
  [
    ...([
      'captured twice, more in the second',
      payment('paid', [movement({units: 600}), movement({id: 'C2'})]),
    ] as const),
    ...(['captured-twice', undefined, 'provider: 2 captures, 16.00 EUR in all; shop: 10.00 EUR'] as const),
  ],
  [
    ...([
      'captured in parts that are too much',
      payment('paid', [movement({units: 600}), movement({id: 'C2', units: 600})]),
    ] as const),
    ...(['amount-differs', undefined, 'provider: 12.00 EUR captured; shop: 10.00 EUR'] as const),
  ],
  [
    ...([
      'captured, and there was nothing to pay',
      payment('paid', [movement()], {shop: {units: 0}}),
    ] as const),
    ...(['amount-differs', undefined, 'provider: 10.00 EUR captured; shop: 0.00 EUR'] as const),
  ],
  [
    ...(['refunded in part, by the smallest unit', payment('paid', [movement(), refund(1)])] as const),
    ...(['partial-missed', 'refunded_partially'] as const),
    'provider: 10.00 EUR captured, 0.01 EUR refunded; shop: paid, 10.00 EUR',
  ],
  [
    ...(['refunded but for the smallest unit', payment('paid', [movement(), refund(999)])] as const),
    ...(['partial-missed', 'refunded_partially'] as const),
    'provider: 10.00 EUR captured, 9.99 EUR refunded; shop: paid, 10.00 EUR',
  ],
  [
    ...(['captured once and too much', payment('paid', [movement({units: 2000})])] as const),
    ...(['amount-differs', undefined, 'provider: 20.00 EUR captured; shop: 10.00 EUR'] as const),
  ],
  [
    'captured twice, one given back',
    payment('paid', [movement(), movement({id: 'C2'}), refund(1000)]),
    undefined,
    undefined,
    undefined,
  ],
  [
    ...([
      'refunded in another currency',
      payment('paid', [movement(), refund(1, {currency: 'USD'})]),
    ] as const),
    ...(['amount-differs', undefined, 'provider: captured in USD; shop: 10.00 EUR'] as const),
  ],
  [
    ...([
      'unbelievable',
      payment('paid', [movement()], {provider: {doubts: ['another order', 'more']}}),
    ] as const),
    ...(['unclear', undefined, 'another order'] as const),
  ],
  [
    ...([
      'too much to add up',
      payment('paid', [movement({units: 2 ** 53 - 1}), movement({id: 'C2'})]),
    ] as const),
    ...(['unclear', undefined, 'provider: the movements come to more than can be added exactly'] as const),
  ],
  [
    ...([
      'too much to add up of what was refunded',
      payment('paid', [movement(), refund(2 ** 53 - 1), refund(2, {id: 'R2'})]),
    ] as const),
    ...(['unclear', undefined, 'provider: the movements come to more than can be added exactly'] as const),
  ],
  [
    ...(['unknown in the shop', {...payment('paid', [movement(), refund(400)]), shop: undefined}] as const),
    ...(['unknown-in-shop', undefined, 'provider: 6.00 EUR captured; shop: no such payment'] as const),
  ],
])('a payment that is %s', (_, given, kind, expected, detail) => {
  const found = findDrift(given, rules)
  expect([found?.kind, found?.expected, found?.detail]).toEqual([kind, expected, detail])
})

test('a capture that says itself that it was given back counts as refunded once', () => {
  const capture = movement({reversed: 'all'})
  expect(sumMovements([capture])).toMatchObject({captured: 1000, refunded: 1000, kept: []})
  expect(sumMovements([movement({reversed: 'part'})])).toMatchObject({refunded: 0, kept: [1000]})
  expect(sumMovements([capture, refund(400)])).toMatchObject({refunded: 400, kept: [600]})
  expect(sumMovements([capture, refund(400, {captureId: null})])).toMatchObject({refunded: 400, kept: [600]})
  expect(sumMovements([capture, movement({id: 'C2'}), refund(400, {captureId: 'C2'})])).toMatchObject({
    ...{refunded: 1400, kept: [600]},
  })
  const other = movement({id: 'C2', units: 400, reversed: 'all'})
  expect(sumMovements([movement({units: 600}), other]).kept).toEqual([600])
})

test('refunds are taken of the captures that they name, and what is over of the first ones', () => {
  const captures = [movement({units: 600}), movement({id: 'C2', units: 400})]
  expect(sumMovements([...captures, refund(400, {captureId: 'C2'})]).kept).toEqual([600])
  expect(sumMovements([...captures, refund(100, {captureId: null})]).kept).toEqual([500, 400])
  expect(sumMovements([...captures, refund(700, {captureId: null})]).kept).toEqual([300])
  expect(sumMovements([...captures, refund(500, {captureId: 'C2'})]).kept).toEqual([500])
  expect(sumMovements([...captures, refund(100, {captureId: 'C9'})]).kept).toEqual([500, 400])
  // To the smallest unit.
  expect(sumMovements([...captures, refund(1)]).kept).toEqual([599, 400])
  expect(sumMovements([...captures, refund(599)]).kept).toEqual([1, 400])
})

test('what was held back and declined since is no longer held back', () => {
  expect(sumMovements([held(30), declined]).pending).toEqual([])
  expect(sumMovements([held(30), {...declined, id: 'C2'}]).pending).toHaveLength(1)
})

test('a movement that is listed twice counts once, by its last row', () => {
  expect(sumMovements([movement(), movement({units: 900})])).toMatchObject({captured: 900, captures: [{}]})
  expect([...sumMovements([movement(), refund(1, {currency: 'USD'})]).currencies]).toEqual(['EUR', 'USD'])
})

test('an attempt that has the money is the one that matters, by its own id or its order', () => {
  const earlier = [{id: 'T0', state: 'cancelled', createdAt: NOW, providerOrderId: 'ORDER0'}]
  const found = (more: Partial<ProviderMovement>) =>
    findDrift(payment('open', [movement(more)], {shop: {earlier}}), rules)?.transaction?.id
  expect(found({transactionId: 'T0', orderId: null})).toBe('T0')
  expect(found({transactionId: null, orderId: 'ORDER0'})).toBe('T0')
  expect(found({transactionId: 'T1', orderId: null})).toBe('T1')
  expect(found({transactionId: null, orderId: 'ORDER1'})).toBe('T1')
  expect(found({transactionId: null, orderId: null})).toBe('T1')
})

test('the live attempt matters where it has money too, and an earlier one only for a capture that is done', () => {
  const earlier = [{id: 'T0', state: 'cancelled', createdAt: NOW, providerOrderId: 'ORDER0'}]
  const own = {transactionId: 'T0', orderId: 'ORDER0'}
  const found = (state: string, ...movements: ProviderMovement[]) =>
    findDrift(payment(state, movements, {shop: {earlier}}), rules)
  const both = found('paid', movement(), movement({id: 'C0', ...own}))
  expect(both).toMatchObject({kind: 'captured-twice', transaction: {id: 'T1'}})
  const refunded = found('open', movement(own), refund(400, own), {...authorization('done'), ...own})
  expect(refunded).toMatchObject({kind: 'cancelled-late', transaction: {id: 'T0'}})
  expect(found('paid', {...authorization('done'), ...own})).toMatchObject({
    ...{kind: 'unknown-at-provider', transaction: {id: 'T1'}},
  })
  expect(found('open', {...held(30), ...own})).toMatchObject({kind: 'pending', transaction: {id: 'T1'}})
})

test('money of an unnamed order is not that of an earlier attempt without an order', () => {
  const earlier = [{id: 'T0', state: 'cancelled', createdAt: NOW, providerOrderId: null}]
  const unnamed = [movement({transactionId: null, orderId: null})]
  expect(findDrift(payment('open', unnamed, {shop: {earlier}}), rules)).toMatchObject({
    ...{kind: 'capture-missed', transaction: {id: 'T1'}},
  })
})

/** ISO 4217, but for HUF and TWD, of which the provider takes no decimals. */
const NO_DIGITS = 'BIF CLP DJF GNF HUF ISK JPY KMF KRW PYG RWF TWD UGX VND VUV XAF XOF XPF'
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND'

test('each currency has the digits that the provider takes for it', () => {
  for (const currency of NO_DIGITS.split(' '))
    expect([currency, countDigits(currency)]).toEqual([currency, 0])
  for (const currency of THREE_DIGITS.split(' '))
    expect([currency, countDigits(currency)]).toEqual([currency, 3])
  for (const currency of ['EUR', 'USD', 'constructor']) expect(countDigits(currency)).toBe(2)
})
