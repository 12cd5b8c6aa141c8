import {expect, test} from 'vitest'
import type {StoredComparison} from '../../../src/payment/reconcile/comparison.js'
import {parsePaymentCondition} from '../../../src/payment/reconcile/payment-fields.js'
import {
  describeComparison,
  findComparison,
  parsePaymentFilter,
  readReconcileOptions,
} from '../../../src/payment/reconcile/reconcile-options.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const ago = (ms: number) => () => new Date(NOW.getTime() - ms)

test('payments of the last 7 days are meant, or those of the span, the sales channel and the condition', () => {
  expect(parsePaymentFilter({}, NOW)).toEqual({
    ...{since: ago(7 * DAY_MS)(), until: NOW, salesChannel: undefined, matches: undefined},
  })
  const flags = {since: ago(9), until: ago(9), 'sales-channel': 'channel', where: 'amount > 1'}
  expect(parsePaymentFilter(flags, NOW)).toEqual({
    ...{since: ago(9)(), until: ago(9)(), salesChannel: 'channel', matches: expect.any(Function)},
  })
  expect(() => parsePaymentFilter({since: ago(8), until: ago(9)}, NOW)).toThrow(
    expect.objectContaining({code: 'usage.time_span', message: '--until is before --since.'}),
  )
})

test('a comparison that is stored is compared as it was asked for', () => {
  const limits = {'min-age': 3, 'pending-after': 4, 'expiring-within': 5, 'owed-after': 6}
  const flags = {...limits, since: ago(9), until: ago(1)} as never
  const asked = describeComparison(flags, {id: 'cmp1', target: 'shop', now: NOW})
  expect(asked).toEqual({
    ...{id: 'cmp1', target: 'shop', startedAt: NOW.toISOString(), completedAt: null},
    ...{since: ago(9)().toISOString(), until: ago(1)().toISOString(), salesChannel: null, where: null},
    ...{minAgeMs: 3, pendingAfterMs: 4, expiringWithinMs: 5, owedAfterMs: 6, olderSince: null},
  })
  expect(readReconcileOptions(asked)).toEqual({
    ...{since: ago(9)(), until: ago(1)(), startedAt: NOW, salesChannel: undefined},
    ...{minAgeMs: 3, pendingAfterMs: 4, expiringWithinMs: 5, owedAfterMs: 6, matches: undefined},
  })
  const usual = describeComparison(limits as never, {id: 'cmp1', target: 'shop', now: NOW})
  expect(readReconcileOptions(usual)).toMatchObject({
    since: ago(7 * DAY_MS)(),
    older: {since: ago(60 * DAY_MS)(), authorizedUntil: ago(29 * DAY_MS - 5)()},
  })
  const narrow = describeComparison(
    {...(flags as object), 'sales-channel': 'channel', where: 'amount > 1'} as never,
    {id: 'cmp1', target: 'shop', now: NOW},
  )
  expect(narrow).toMatchObject({salesChannel: 'channel', where: 'amount > 1'})
  expect(readReconcileOptions(narrow)).toMatchObject({salesChannel: 'channel', matches: expect.any(Function)})
})

const stored = (...ids: string[]) => ids.map(id => ({id}) as StoredComparison)

test('a comparison is named by its id, by the beginning of it in any case, or as the last one', () => {
  const all = stored('abc1', 'abd2', '1abc')
  expect(findComparison(all, 'last').id).toBe('abc1')
  expect(findComparison(all, 'ABD').id).toBe('abd2')
  expect(findComparison(all, '1abc').id).toBe('1abc')
})

test.each([
  [
    'ab',
    stored('abc1', 'abd2'),
    'usage.several_comparisons',
    'Several comparisons begin with ab: abc1, abd2.',
  ],
  ['bc1', stored('abc1'), 'empty.no_comparison', 'No comparison bc1 of this shop is stored.'],
  ['last', [], 'empty.no_comparison', 'No comparison of this shop is stored.'],
])('the word %s among %j is no comparison, and says why', (word, all, code, message) => {
  expect(() => findComparison(all, word)).toThrow(
    expect.objectContaining({code, message, nextSteps: ['storectl payment reconcile']}),
  )
})

const PAYMENT = {
  ...{orderId: 'a'.repeat(32), orderNumber: '10001', orderState: 'completed', salesChannelId: 'b'.repeat(32)},
  ...{units: 1290, currency: 'EUR', earlier: []},
  live: {
    id: 'c'.repeat(32),
    state: 'open',
    createdAt: new Date('2026-11-20T12:00:00Z'),
    providerOrderId: 'P',
  },
}

test.each([
  [`transaction = "${PAYMENT.live.id}"`, `transaction = "${PAYMENT.orderId}"`],
  [`order = "${PAYMENT.orderId}"`, `order = "${PAYMENT.live.id}"`],
  ['orderNumber = "10001"', 'orderNumber = "1000"'],
  ['orderState = "completed"', 'orderState = "open"'],
  ['state = "open"', 'state = "completed"'],
  ['amount = 12.9', 'amount = 1290'],
  ['currency = "EUR"', 'currency = "USD"'],
  [`salesChannel = "${PAYMENT.salesChannelId}"`, `salesChannel = "${PAYMENT.orderId}"`],
  ['providerOrder = "P"', 'providerOrder = "Q"'],
  ['createdAt >= "2026-11-20T12:00:00Z"', 'createdAt > "2026-11-20T12:00:00Z"'],
])('%s holds for a payment, and %s does not', (holds, holdsNot) => {
  expect([holds, holdsNot].map(text => parsePaymentCondition(text)(PAYMENT))).toEqual([true, false])
})

test('an amount is asked for as it is written, in the digits of its currency', () => {
  for (const [currency, amount] of [
    ['JPY', '1290'],
    ['KWD', '1.29'],
  ] as const)
    expect(parsePaymentCondition(`amount = ${amount}`)({...PAYMENT, currency})).toBe(true)
})
