import {describe, expect, test} from 'vitest'
import {deriveEffect, formatAmount} from '../../../../src/providers/paypal/notification/handler-effects.js'
import {
  findHandler,
  findTransactionKey,
  type ResourceKind,
  WEBHOOK_HANDLERS,
} from '../../../../src/providers/paypal/notification/handlers.js'
import {applyActions, STATE_MACHINES} from '../../../../src/shopware/state-machines.js'

const ID = '0192b7a1c2d37e4f8a9b0c1d2e3f4a5c'

function handler(type: string) {
  const found = findHandler(type)
  if (!found) throw new Error(`${type} has no handler`)
  return found
}

/** The state that an event leads to from `state`, or `refused`. */
function outcome(
  type: string,
  state: string,
  members = {},
  captures: {amount: string; final: boolean}[] = [],
) {
  const effect = deriveEffect(
    handler(type).rule,
    members,
    {state, amountTotal: 100, payUponInvoice: false},
    {captures},
  )
  if (effect.kind === 'missing') return `missing ${effect.member}`
  const result = applyActions(STATE_MACHINES.order_transaction, state, effect.actions)
  return result.kind === 'reached' ? result.state : 'refused'
}

function refunded(value: string) {
  return {breakdown: {totalRefunded: {value, currency: 'EUR'}}}
}

test('ten types have a handler and no other has', () => {
  expect(WEBHOOK_HANDLERS.map(handler => handler.eventType)).toEqual([
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.DENIED',
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.CAPTURE.REVERSED',
    'PAYMENT.AUTHORIZATION.VOIDED',
    'PAYMENT.SALE.COMPLETED',
    'PAYMENT.SALE.DENIED',
    'PAYMENT.SALE.REFUNDED',
    'VAULT.PAYMENT-TOKEN.CREATED',
    'VAULT.PAYMENT-TOKEN.DELETED',
  ])
  expect(findHandler('CHECKOUT.ORDER.APPROVED')).toBeUndefined()
  expect(findHandler('payment.capture.completed')).toBeUndefined()
})

describe('the transaction a notification names', () => {
  const key = (kind: ResourceKind, members = {}) =>
    findTransactionKey(handler('PAYMENT.CAPTURE.COMPLETED'), {kind, ...members})

  test.each([
    [ID, {by: 'id', id: ID}],
    [ID.toUpperCase(), {by: 'fault', fault: 'invalid-transaction-id'}],
    [JSON.stringify({orderTransactionId: ID, pluginVersion: '9.6.2'}), {by: 'id', id: ID}],
    ['{"order":1}', {by: 'fault', fault: 'no-transaction-id'}],
    ['{"orderTransactionId":7}', {by: 'fault', fault: 'invalid-transaction-id'}],
    ['{broken', {by: 'fault', fault: 'invalid-transaction-id'}],
    ['10007', {by: 'fault', fault: 'invalid-transaction-id'}],
    [undefined, {by: 'fault', fault: 'no-custom-id'}],
  ])('custom_id %s', (customId, expected) => {
    expect(key('capture', {customId})).toEqual(expected)
  })

  test('a resource of another class is refused before anything is looked up', () => {
    expect(key('v1', {customId: ID})).toEqual({by: 'fault', fault: 'wrong-resource'})
    expect(key('none')).toEqual({by: 'fault', fault: 'wrong-resource'})
  })

  test('v1 resources name the payment', () => {
    const sale = handler('PAYMENT.SALE.COMPLETED')
    expect(findTransactionKey(sale, {kind: 'v1', parentPayment: 'PAY-1'})).toEqual({
      by: 'parent-payment',
      payment: 'PAY-1',
    })
    expect(findTransactionKey(sale, {kind: 'v1'})).toEqual({by: 'fault', fault: 'no-parent-payment'})
  })

  test('a voided authorization may come either way', () => {
    const voided = handler('PAYMENT.AUTHORIZATION.VOIDED')
    expect(findTransactionKey(voided, {kind: 'v1', parentPayment: 'PAY-1'}).by).toBe('parent-payment')
    expect(findTransactionKey(voided, {kind: 'authorization', customId: ID}).by).toBe('id')
  })

  test('a stored payment token names the order or nothing', () => {
    const created = handler('VAULT.PAYMENT-TOKEN.CREATED')
    expect(findTransactionKey(created, {kind: 'payment-token', orderId: '5O1'})).toEqual({
      by: 'provider-order',
      order: '5O1',
    })
    expect(findTransactionKey(created, {kind: 'payment-token'})).toEqual({by: 'nothing'})
  })
})

/** protocol.md 4.5 "Derived outcomes"; the last row's "…" read as every state the rows above leave out. */
const TABLE: [string, string, object, string, string][] = [
  ...rows(
    'PAYMENT.CAPTURE.COMPLETED',
    {finalCapture: true},
    {
      paid: 'open in_progress authorized failed cancelled unconfirmed chargeback paid paid_partially refunded_partially',
      refused: 'refunded reminded',
    },
  ),
  ...rows(
    'PAYMENT.CAPTURE.COMPLETED',
    {finalCapture: false},
    {
      paid_partially: 'open in_progress authorized failed unconfirmed chargeback',
      refused: 'paid cancelled reminded refunded',
    },
  ),
  ...rows(
    'PAYMENT.SALE.COMPLETED',
    {},
    {
      paid: 'open in_progress authorized failed cancelled unconfirmed chargeback paid',
      refused: 'paid_partially reminded refunded refunded_partially',
    },
  ),
  ...rows(
    'PAYMENT.CAPTURE.DENIED',
    {},
    {cancelled: Object.keys(STATE_MACHINES.order_transaction.allowed).join(' ')},
  ),
  ...rows('PAYMENT.AUTHORIZATION.VOIDED', {}, {cancelled: 'open authorized paid refunded cancelled'}),
  ...rows('PAYMENT.CAPTURE.REFUNDED', refunded('100.00'), {
    refunded: 'paid paid_partially refunded_partially cancelled',
    refused: 'open in_progress authorized reminded failed unconfirmed chargeback',
  }),
  ...rows('PAYMENT.CAPTURE.REVERSED', refunded('10.00'), {
    refunded_partially: 'paid paid_partially cancelled refunded_partially',
    refused: 'open in_progress authorized reminded failed unconfirmed chargeback',
  }),
]

function rows(type: string, members: object, byResult: Record<string, string>) {
  return Object.entries(byResult).flatMap(([result, states]) =>
    states.split(' ').map((state): [string, string, object, string, string] => {
      return [type, state, members, result, JSON.stringify(members)]
    }),
  )
}

test.each(TABLE)('%s from %s', (type, state, members, result) => {
  expect(outcome(type, state, members)).toBe(result)
})

describe('a refund', () => {
  test('of all that was captured is whole once a capture is final', () => {
    const split = [
      {amount: '20.10', final: false},
      {amount: '20.20', final: true},
    ]
    expect(outcome('PAYMENT.CAPTURE.REFUNDED', 'paid', refunded('40.30'), split)).toBe('refunded')
    const open = split.map(capture => ({...capture, final: false}))
    expect(outcome('PAYMENT.CAPTURE.REFUNDED', 'paid', refunded('40.30'), open)).toBe('refunded_partially')
  })

  test('changes nothing where all is refunded, and then reads no breakdown', () => {
    expect(outcome('PAYMENT.CAPTURE.REFUNDED', 'refunded')).toBe('refunded')
    expect(outcome('PAYMENT.CAPTURE.REFUNDED', 'paid')).toBe('missing sellerPayableBreakdown')
    expect(outcome('PAYMENT.CAPTURE.REFUNDED', 'paid', {breakdown: {totalRefunded: undefined}})).toBe(
      'missing totalRefundedAmount',
    )
  })
})

test('a capture without final_capture fails, unless the invoice is paid through the provider', () => {
  expect(outcome('PAYMENT.CAPTURE.COMPLETED', 'paid')).toBe('missing finalCapture')
  expect(deriveEffect('capture', {}, {state: 'open', amountTotal: 1, payUponInvoice: true})).toEqual({
    kind: 'actions',
    actions: [],
  })
})

test('what was refunded is paid again from its start, and a part of it from there', () => {
  const capture = (state: string, finalCapture: boolean) =>
    deriveEffect('capture', {finalCapture}, {state, amountTotal: 1, payUponInvoice: false})
  const take = (...actions: string[]) => ({kind: 'actions', actions})
  for (const state of ['refunded', 'refunded_partially']) {
    expect(capture(state, true)).toEqual(take('reopen', 'paid'))
    expect(capture(state, false)).toEqual(take('reopen', 'paid_partially'))
  }
  expect(capture('open', true)).toEqual(take('paid'))
  expect(capture('open', false)).toEqual(take('paid_partially'))
  expect(capture('paid_partially', true)).toEqual(take('do_pay', 'paid'))
  for (const [state, isFinal] of [
    ['paid', true],
    ['paid_partially', false],
  ] as const)
    expect(capture(state, isFinal)).toEqual(take())
})

test('a sale is paid, and refunded as the provider says', () => {
  const derive = (rule: 'sale-paid' | 'sale-refund', saleState?: string) =>
    deriveEffect(
      ...([rule, {}, {state: 'open', amountTotal: 1, payUponInvoice: false}] as const),
      saleState === undefined ? {} : {saleState},
    )
  expect(derive('sale-paid')).toEqual({kind: 'actions', actions: ['paid']})
  expect(derive('sale-refund', 'partially_refunded')).toEqual({
    kind: 'actions',
    actions: ['refund_partially'],
  })
  for (const said of ['refunded', undefined])
    expect(derive('sale-refund', said)).toEqual({kind: 'actions', actions: ['refund']})
})

test('amounts compare as the provider writes them', () => {
  for (const currency of ['HUF', 'JPY', 'TWD']) expect(formatAmount(1499.5, currency)).toBe('1500')
  for (const currency of ['KRW', 'EUR', undefined]) expect(formatAmount(1499.5, currency)).toBe('1499.50')
  expect(formatAmount(20.1 + 20.2, 'EUR')).toBe('40.30')
  expect(formatAmount(1.005, 'EUR')).toBe('1.01')
  expect(formatAmount(1500, 'JPY')).toBe('1500')
})
