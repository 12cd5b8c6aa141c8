import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {CapturedMoney} from '../../src/language/amount-totals.js'
import {
  type ComparedPayment,
  describeDifference,
  isOrderNeeded,
  readCapture,
} from '../../src/payment/compare-amounts.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {sized} from '../support/sized.js'

type Money = {readonly value: string; readonly currency: string}
type Kind = 'final' | 'part' | 'sale' | 'refund'

/** An event as the provider sends it, read as the inbox has it. */
function read(id: string, kind: Kind, amount?: Money) {
  const isSale = kind === 'sale'
  const type = {
    final: 'CAPTURE.COMPLETED',
    part: 'CAPTURE.COMPLETED',
    sale: 'SALE.COMPLETED',
    refund: 'CAPTURE.REFUNDED',
  }[kind]
  const body = {
    ...{id, event_type: `PAYMENT.${type}`, create_time: '2026-11-21T10:00:00Z'},
    ...(isSale ? {} : {resource_version: '2.0', resource_type: kind === 'refund' ? 'refund' : 'capture'}),
    resource: {
      ...(isSale ? {parent_payment: 'PAYID-1'} : {custom_id: 'a'.repeat(32)}),
      ...(kind === 'refund' || isSale ? {} : {final_capture: kind === 'final'}),
      ...(kind === 'refund'
        ? {seller_payable_breakdown: {total_refunded_amount: {value: '1.00', currency_code: 'EUR'}}}
        : {}),
      ...(amount === undefined
        ? {}
        : {
            amount: isSale
              ? {total: amount.value, currency: amount.currency}
              : {value: amount.value, currency_code: amount.currency},
          }),
    },
  }
  const event = readEvent(Buffer.from(JSON.stringify(body)), 'file', new Date('2026-11-21T12:00:00Z'))
  if ('unusable' in event) throw new Error(event.unusable)
  return event
}

const eur = (value: string): Money => ({value, currency: 'EUR'})
const over = (amountTotal: number, currency: string | undefined = 'EUR', state = 'open') => ({
  ...{state, amountTotal},
  ...(currency === '' ? {} : {currency}),
})

const compare = (
  kind: Kind,
  amount: Money | undefined,
  transaction: ComparedPayment['transaction'],
  more: Partial<ComparedPayment> = {},
) => describeDifference(read('WH-1', kind, amount), {transaction, captures: [], ...more})

test.each([
  ['as much', 'final', eur('227.98'), over(227.98)],
  ['other digits', 'final', eur('227.9'), over(227.9)],
  ['no digits', 'final', eur('227'), over(227)],
  ['a sale', 'sale', eur('227.90'), over(227.9)],
  ['yen', 'final', {value: '1200', currency: 'JPY'}, over(1200, 'JPY')],
  ['yen with digits', 'final', {value: '1200.00', currency: 'JPY'}, over(1200.4, 'JPY')],
  ['three digits', 'final', {value: '3.500', currency: 'KWD'}, over(3.5, 'KWD')],
  ['a double that misses what it stands for', 'final', eur('0.30'), over(0.1 + 0.2)],
  ['many digits', 'final', eur('9007199254740.91'), over(9007199254740.91)],
  ['a part', 'part', eur('1.00'), over(227.98)],
  ['a refund', 'refund', eur('1.00'), over(227.98)],
  ['no amount', 'final', undefined, over(227.98)],
] as const)('nothing differs: %s', (_, kind, amount, transaction) => {
  expect(compare(kind, amount, transaction)).toBeUndefined()
})

test.each([
  ['less', 'final', eur('1.00'), over(227.98), '1.00 EUR captured; the payment is over 227.98 EUR'],
  ['more', 'final', eur('227.99'), over(227.98), '227.99 EUR captured; the payment is over 227.98 EUR'],
  ['a sale', 'sale', eur('1.00'), over(227.98), '1.00 EUR captured; the payment is over 227.98 EUR'],
  [
    'a hundredth of a cent',
    'final',
    eur('227.9801'),
    over(227.98),
    '227.9801 EUR captured; the payment is over 227.98 EUR',
  ],
  [
    'another currency',
    'final',
    {value: '227.98', currency: 'HUF'},
    over(227.98),
    '227.98 HUF captured; the payment is over 227.98 EUR',
  ],
  [
    'a currency in other letters',
    'final',
    {value: '227.98', currency: 'eur'},
    over(227.98),
    '227.98 eur captured; the payment is over 227.98 EUR',
  ],
  [
    'no number',
    'final',
    eur('227,98'),
    over(227.98),
    '227,98 EUR, which cannot be read, captured; the payment is over 227.98 EUR',
  ],
  [
    'a number in other words',
    'final',
    eur('2.2798e2'),
    over(227.98),
    '2.2798e2 EUR, which cannot be read, captured; the payment is over 227.98 EUR',
  ],
  [
    'a shop without the currency',
    'final',
    eur('227.98'),
    over(227.98, ''),
    '227.98 EUR captured; the amount of the payment cannot be read',
  ],
  [
    'a shop without the amount',
    'final',
    eur('227.98'),
    over(Number.NaN),
    '227.98 EUR captured; the amount of the payment cannot be read',
  ],
  [
    'less than the rest of a payment',
    'final',
    eur('-1'),
    over(227.98),
    '-1 EUR captured; the payment is over 227.98 EUR',
  ],
] as const)('it differs: %s', (_, kind, amount, transaction, said) => {
  expect(compare(kind, amount, transaction)).toBe(said)
})

const before = (...values: readonly (string | undefined)[]): CapturedMoney[] =>
  values.map((value, at) => ({id: `WH-B${at}`, amount: value === undefined ? undefined : eur(value)}))

test.each([
  ['captures before it count', before('100.00', '27.98'), undefined],
  ['too few', before('100.00'), '100.00 EUR captured, and 100.00 EUR before; the payment is over 227.98 EUR'],
  [
    'too many',
    before('100.00', '28'),
    '100.00 EUR captured, and 128.00 EUR before; the payment is over 227.98 EUR',
  ],
  ['one without an amount may be the rest', before(undefined), undefined],
  [
    'in another currency',
    [{id: 'WH-B', amount: {value: '127.98', currency: 'USD'}}],
    '100.00 EUR captured, and 127.98 USD before; the payment is over 227.98 EUR',
  ],
  ['the same event twice counts once', [...before('127.98'), ...before('127.98')], undefined],
  ['the event itself does not count', [...before('127.98'), {id: 'WH-1', amount: eur('100.00')}], undefined],
] as const)('%s', (_, captures, said) => {
  expect(compare('final', eur('100.00'), over(227.98), {captures: [...captures]})).toBe(said)
})

const PARTLY = over(227.98, 'EUR', 'paid_partially')

test.each([
  ['less may be the rest', '100.00', [], undefined, undefined],
  ['more never is', '228.00', [], undefined, '228.00 EUR captured; the payment is over 227.98 EUR'],
  ["the provider's order has the rest", '100.00', [], [eur('127.98'), eur('100.00')], undefined],
  [
    "the provider's order has not",
    '1.00',
    [],
    [eur('100.00')],
    "1.00 EUR captured; the payment is over 227.98 EUR; the provider's order has 100.00 EUR",
  ],
  [
    "the provider's order has none",
    '1.00',
    [],
    [],
    "1.00 EUR captured; the payment is over 227.98 EUR; the provider's order has no capture",
  ],
  [
    'what is known counts',
    '1.00',
    before('100.00'),
    undefined,
    '1.00 EUR captured, and 100.00 EUR before; the payment is over 227.98 EUR',
  ],
] as const)('of a payment that is paid in part, %s', (_, value, captures, ordered, said) => {
  expect(compare('final', eur(value), PARTLY, {captures: [...captures], ordered})).toBe(said)
})

test("the provider's order is needed for the last capture of a payment whose earlier ones are missing", () => {
  const isNeeded = (
    kind: Kind,
    transaction: ComparedPayment['transaction'],
    captures: CapturedMoney[] = [],
  ) => isOrderNeeded(read('WH-1', kind, eur('1.00')), {transaction, captures})
  expect(isNeeded('final', PARTLY)).toBe(true)
  expect(isNeeded('sale', PARTLY)).toBe(true)
  expect(isNeeded('final', PARTLY, before('1.00'))).toBe(false)
  expect(isNeeded('final', over(1))).toBe(false)
  expect(isNeeded('part', PARTLY)).toBe(false)
  expect(isNeeded('refund', PARTLY)).toBe(false)
})

test('an event whose amount the shop asks the provider for is no capture, and is not compared', () => {
  const traits = {...read('WH-1', 'final', eur('1.00')).traits, provider: 'mollie'}
  const event = {id: 'tr_1', type: 'payment.changed', traits}
  expect(readCapture(event)).toBeUndefined()
  expect(describeDifference(event, {transaction: over(227.98), captures: []})).toBeUndefined()
})

/** Cents, so that the oracle reckons with whole numbers alone. */
const cents = fc.integer({min: 1, max: 30_000})
const drawn = fc.record({
  kind: fc.constantFrom<Kind>('final', 'part', 'sale', 'refund'),
  cents: fc.oneof(cents, fc.constant(undefined)),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  id: fc.integer({min: 0, max: 5}),
  digits: fc.boolean(),
})

const write = (amount: number, digits: boolean) =>
  digits || amount % 10 > 0 ? (amount / 100).toFixed(2) : String(amount / 100)

test('what random captures come to is what whole cents come to', () => {
  let [differing, same] = [0, 0]
  const check = (
    others: readonly (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[],
    last: number,
    fits: boolean,
    state: string,
  ) => {
    const captures = others.flatMap(({kind, id, cents: of, currency, digits}) => {
      const event = read(
        `WH-B${id}`,
        kind,
        of === undefined ? undefined : {value: write(of, digits), currency},
      )
      return readCapture(event) ?? []
    })
    const counted = [
      ...new Map(others.filter(({kind}) => kind !== 'refund').map(each => [each.id, each])).values(),
    ]
    const sum = counted.reduce((all, {cents: of = 0}) => all + of, last)
    const due = fits ? sum : sum + 1 + (last % 7)
    const isOther = counted.some(({currency, cents: of}) => of !== undefined && currency !== 'EUR')
    const isMissing =
      counted.some(({cents: of}) => of === undefined) || (state === 'paid_partially' && counted.length === 0)
    const expected = isOther || (sum !== due && !(isMissing && sum < due))
    const found = compare('final', eur(write(last, false)), over(due / 100, 'EUR', state), {captures})
    if (expected) differing++
    else same++
    expect(found !== undefined).toBe(expected)
  }
  fc.assert(
    fc.property(
      fc.array(drawn, {maxLength: 5}),
      cents,
      fc.boolean(),
      fc.constantFrom('open', 'paid_partially'),
      check,
    ),
    {numRuns: sized(500, 20_000)},
  )
  expect(Math.min(differing, same)).toBeGreaterThan(20)
})
