import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {findDrift} from '../../../src/payment/drift/find-drift.js'
import {formatMoney, isCurrency, parseUnits} from '../../../src/payment/drift/money.js'
import type {PaymentFacts, ProviderMovement} from '../../../src/payment/drift/payment-facts.js'
import {NOW, type Story, stories, tellFacts, tellKind} from '../../support/payment-oracle.js'

const HOUR_MS = 3_600_000
const rules = {now: NOW, pendingAfterMs: 24 * HOUR_MS}

test('the kind of drift is that of the story, in any order of the movements', () => {
  fc.assert(
    fc.property(stories, fc.boolean(), (story, isReversed) => {
      const {shop, provider} = tellFacts(story)
      const movements = isReversed ? [...provider.movements].reverse() : provider.movements
      // The report may list a movement that the order has as well.
      const listed = [...movements, ...movements.slice(0, 1)]
      expect(findDrift({shop, provider: {...provider, movements: listed}}, rules)?.kind).toBe(tellKind(story))
    }),
    {numRuns: 500},
  )
})

const paid: Story = {
  ...{currency: 'EUR', units: 1000, acts: ['capture'], followed: 1, gaveUp: false, hadAttempt: false},
}
const facts = (story: Partial<Story> = {}) => tellFacts({...paid, ...story})

const withShop = (given: PaymentFacts, shop: Partial<NonNullable<PaymentFacts['shop']>>): PaymentFacts => ({
  ...given,
  shop: given.shop && {...given.shop, ...shop},
})

const withLive = (given: PaymentFacts, state: string): PaymentFacts =>
  withShop(given, {live: {...(given.shop as NonNullable<typeof given.shop>).live, state}})

const withMovement = (given: PaymentFacts, movement: Partial<ProviderMovement>): PaymentFacts => ({
  ...given,
  provider: {
    ...given.provider,
    movements: given.provider.movements.map((each, index) => (index === 0 ? {...each, ...movement} : each)),
  },
})

describe('named cases', () => {
  test.each(['open', 'unconfirmed', 'in_progress', 'authorized'])('a capture is missed from %s', state => {
    expect(findDrift(withLive(facts(), state), rules)).toMatchObject({
      ...{kind: 'capture-missed', expected: 'paid'},
      detail: `provider: 10.00 EUR captured; shop: ${state}, 10.00 EUR`,
    })
  })

  test('only the last of several transactions is live', () => {
    expect(findDrift(facts({hadAttempt: true}), rules)).toBeUndefined()
    const {shop, provider} = withLive(facts({hadAttempt: true}), 'open')
    const old = shop?.earlier[0]
    const onOld = {...provider.movements[0], transactionId: old?.id, orderId: old?.providerOrderId}
    const moved = {shop, provider: {...provider, movements: [onOld as ProviderMovement]}}
    expect(findDrift(moved, rules)).toMatchObject({kind: 'cancelled-late', transaction: {id: old?.id}})
  })

  test('a capture for each of two attempts is one too many', () => {
    const {shop, provider} = facts({hadAttempt: true})
    const [capture] = provider.movements as [ProviderMovement]
    const other = {...capture, id: 'M9', transactionId: shop?.earlier[0]?.id ?? null, orderId: 'ORDER1'}
    const twice = {shop, provider: {...provider, movements: [capture, other]}}
    expect(findDrift(twice, rules)?.kind).toBe('captured-twice')
  })

  test('several captures of one order add up', () => {
    const given = facts()
    const [capture] = given.provider.movements as [ProviderMovement]
    const split = (state: string, ...units: number[]) => {
      const movements = units.map((each, index) => ({...capture, id: `P${index}`, units: each}))
      return withLive({...given, provider: {...given.provider, movements}}, state)
    }
    expect(findDrift(split('paid', 400, 600), rules)).toBeUndefined()
    expect(findDrift(split('paid_partially', 400, 600), rules)).toMatchObject({
      ...{kind: 'capture-missed', expected: 'paid'},
    })
    expect(findDrift(split('paid', 400, 601), rules)?.kind).toBe('amount-differs')
    expect(findDrift(split('paid', 1000, 1000), rules)?.kind).toBe('captured-twice')
  })

  test.each([
    ['JPY', 1200, '1200 JPY captured'],
    ['KWD', 3500, '3.500 KWD captured'],
  ] as const)('amounts of %s agree to the last unit, and differ by one', (currency, units, text) => {
    const given = facts({currency, units})
    expect(findDrift(given, rules)).toBeUndefined()
    const open = findDrift(withLive(given, 'open'), rules)
    expect(open).toMatchObject({kind: 'capture-missed', detail: expect.stringContaining(text)})
    expect(findDrift(withMovement(given, {units: units + 1}), rules)?.kind).toBe('amount-differs')
  })

  test('what is held back is drift from the given age on, whatever zone its time came in', () => {
    const held = facts({acts: ['hold'], followed: 1})
    const at = (text: string) => withMovement(held, {at: new Date(text)})
    expect(findDrift(at('2026-11-19T13:00:01+01:00'), rules)).toBeUndefined()
    expect(findDrift(at('2026-11-19T12:59:59+01:00'), rules)?.kind).toBe('pending')
  })

  test('an order that was cancelled at the provider is open here', () => {
    const given = facts({acts: [], followed: 0})
    const voided = {...given, provider: {movements: [], voidedOrderIds: ['ORDER2']}}
    expect(findDrift(given, rules)).toBeUndefined()
    expect(findDrift(voided, rules)).toMatchObject({kind: 'cancelled-at-provider', expected: 'cancelled'})
    expect(findDrift(withLive(voided, 'paid'), rules)?.kind).toBe('unknown-at-provider')
  })

  test('what was paid without the provider is none of its business', () => {
    const {shop, provider} = withLive(facts({acts: []}), 'paid')
    const live = {...(shop as NonNullable<typeof shop>).live, providerOrderId: null}
    expect(findDrift(withShop({shop, provider}, {live}), rules)).toBeUndefined()
  })

  test('amounts and currencies differ', () => {
    expect(findDrift(withMovement(facts(), {units: 999}), rules)?.kind).toBe('amount-differs')
    expect(findDrift(withMovement(facts(), {units: 1001}), rules)?.kind).toBe('amount-differs')
    expect(findDrift(withMovement(facts(), {currency: 'USD'}), rules)?.detail).toBe(
      'provider: captured in USD; shop: 10.00 EUR',
    )
  })

  test('money that the shop does not know is drift while it is there', () => {
    const {provider} = facts()
    expect(findDrift({shop: undefined, provider}, rules)?.detail).toBe(
      'provider: 10.00 EUR captured for 10001; shop: no such payment',
    )
    const back = facts({acts: ['capture', 'refund']}).provider
    expect(findDrift({shop: undefined, provider: back}, rules)).toBeUndefined()
  })
})

test.each([
  ['12.90', 'EUR', 1290, '12.90 EUR'],
  [1.005, 'EUR', 101, '1.01 EUR'],
  [0.1 + 0.2, 'EUR', 30, '0.30 EUR'],
  ['1200', 'JPY', 1200, '1200 JPY'],
  [1199.6, 'JPY', 1200, '1200 JPY'],
  ['3.5', 'KWD', 3500, '3.500 KWD'],
  [0.0005, 'KWD', 1, '0.001 KWD'],
  ['-0.05', 'EUR', -5, '-0.05 EUR'],
  [-0.05, 'EUR', -5, '-0.05 EUR'],
  [0, 'EUR', 0, '0.00 EUR'],
  ['0.00', 'EUR', 0, '0.00 EUR'],
])('%s %s is %i units', (amount, currency, units, text) => {
  expect(parseUnits(amount, currency)).toBe(units)
  expect(formatMoney(units, currency)).toBe(text)
})

test('a decimal of any size is read exactly, or not at all', () => {
  const digits = fc.integer({min: 0, max: 4})
  fc.assert(
    fc.property(fc.bigInt({min: 0n, max: 10n ** 17n}), digits, fc.boolean(), (all, behind, isMinus) => {
      const text = String(all).padStart(behind + 1, '0')
      const whole = text.slice(0, text.length - behind)
      const amount = behind === 0 ? whole : `${whole}.${text.slice(-behind)}`
      // Half a unit away from zero, in whole numbers.
      const scaled =
        behind <= 2 ? all * 10n ** BigInt(2 - behind) : ((all * 2n) / 10n ** BigInt(behind - 2) + 1n) / 2n
      const expected = whole.length <= 16 && scaled <= 2n ** 53n - 1n ? Number(scaled) : undefined
      const units = parseUnits(isMinus ? `-${amount}` : amount, 'EUR')
      expect(units === undefined ? undefined : Math.abs(units)).toBe(expected)
      if (units) expect(units < 0).toBe(isMinus)
    }),
  )
})

test('whatever is no plain decimal is no amount, in whatever currency', () => {
  const plain = /^-?\d{1,16}(\.\d{1,20})?$/
  const odd = fc.constantFrom('0x10', '1e3', '+1', '1,5', '.5', '5.', 'Infinity', '1_000', '--1', '1n', ' ')
  fc.assert(
    fc.property(
      fc.oneof(odd, fc.string()),
      fc.constantFrom('EUR', 'JPY', 'constructor'),
      (text, currency) => {
        fc.pre(!plain.test(text.trim()))
        expect(parseUnits(text, currency)).toBeUndefined()
      },
    ),
  )
  expect([parseUnits(Number.POSITIVE_INFINITY, 'EUR'), parseUnits(2 ** 53, 'EUR')]).toEqual([
    undefined,
    undefined,
  ])
  expect([parseUnits(null, 'EUR'), parseUnits('1.00', 'constructor')]).toEqual([undefined, 100])
})

test('an amount of the shop that cannot be read is for a person', () => {
  const given = withShop(facts(), {units: 0, doubt: 'shop: the amount of order 10001 cannot be read'})
  expect(findDrift(given, rules)).toMatchObject({
    ...{kind: 'unclear', detail: 'shop: the amount of order 10001 cannot be read'},
  })
})

test('sums beyond what a number holds exactly are for a person', () => {
  const given = facts()
  const [capture] = given.provider.movements as [ProviderMovement]
  const movements = [1, 2].map(each => ({...capture, id: `M${each}`, units: 2 ** 53 - 1}))
  expect(findDrift({...given, provider: {...given.provider, movements}}, rules)?.kind).toBe('unclear')
})

test('what is no number is no amount', () => {
  expect([parseUnits('', 'EUR'), parseUnits('1,5', 'EUR'), parseUnits(Number.NaN, 'EUR')]).toEqual([
    ...[undefined, undefined, undefined],
  ])
})

test('a currency is three capitals', () => {
  const texts = ['EUR', 'eur', 'EURO', 'EU', 'E R', ' EUR', '', 7, null, ['EUR']]
  expect(texts.filter(isCurrency)).toEqual(['EUR'])
})
