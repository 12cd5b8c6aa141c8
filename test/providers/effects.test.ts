import {beforeAll, describe, expect, test} from 'vitest'
import {requireBundledProvider, requireCapability} from '../../src/providers/capabilities.js'
import {findCapture, findEffect} from '../../src/providers/event-effects.js'
import type {ProviderDefinition} from '../../src/providers/provider.js'
import {findProvider, PROVIDERS} from '../../src/providers/providers.js'
import type {Traits} from '../../src/providers/traits.js'
import type {ShopVersions} from '../../src/shopware/versions/version-range.js'

const VERSIONS: ShopVersions = {shop: '6.7.5.0', plugin: '10.6.2', from: 'shop'}
const payment = (state: string, more = {}) => ({state, amountTotal: 119, payUponInvoice: false, ...more})

describe('a provider whose types are data', () => {
  const name = 'datapay'
  const types: ProviderDefinition['types'] = {
    paid: {effect: {to: 'paid', refusedFrom: ['refunded', 'chargeback']}},
    part: {effect: {to: 'paid_partially'}},
    cancelled: {effect: {to: 'cancelled'}},
    failed: {effect: {to: 'failed'}},
    refunded: {effect: {to: 'refunded'}},
    news: {effect: 'nothing'},
    asks: {effect: 'provider-decides'},
    coded: {effect: 'rules'},
  }
  beforeAll(() => {
    const all = PROVIDERS as Map<string, ProviderDefinition>
    all.set(name, {...findProvider('mollie'), name, types})
    return () => void all.delete(name)
  })
  const event = (type: string) => ({
    type,
    traits: {provider: name, key: {by: 'nothing'}, keyText: null} as Traits,
  })
  const judge = (type: string, state: string) => {
    const effect = findEffect(event(type), payment(state), VERSIONS)
    if (effect.kind !== 'cells') return effect
    const {cells, ...rest} = effect
    return {...rest, outcomes: cells.map(({outcomes}) => outcomes)}
  }

  test('moves a payment to the state of the type, unless it is there or the shop refuses it from where it is', () => {
    const paid = {kind: 'cells', step: 'paid', isCancellation: false, isRepeatable: false}
    expect(judge('paid', 'open')).toEqual({...paid, outcomes: [[{isRefused: false, to: 'paid'}]]})
    expect(judge('paid', 'paid')).toEqual({...paid, outcomes: [[{isRefused: false, to: undefined}]]})
    for (const state of ['refunded', 'chargeback'])
      expect(judge('paid', state)).toEqual({...paid, outcomes: [[{isRefused: true, to: undefined}]]})
  })

  test('cancels by a type that leads to cancelled or failed, and by no other', () => {
    const isCancellation = (type: string) => findEffect(event(type), payment('open'), VERSIONS)
    for (const type of ['cancelled', 'failed'])
      expect(isCancellation(type)).toMatchObject({isCancellation: true, isRepeatable: false, step: type})
    for (const type of ['paid', 'part', 'refunded', 'news'])
      expect(isCancellation(type)).toMatchObject({isCancellation: false})
  })

  test('changes nothing by a type that does nothing, has rules in code, or is not known, however often', () => {
    const nothing = {kind: 'cells', step: 'nothing', isCancellation: false, isRepeatable: true}
    for (const type of ['news', 'coded', 'other'])
      expect(judge(type, 'open')).toEqual({...nothing, outcomes: [[{isRefused: false, to: undefined}]]})
    expect(judge('asks', 'open')).toEqual({kind: 'provider-decides'})
  })

  test('reports a capture by a type that leads to paid, and a part of one by a type that leads there', () => {
    expect(Object.keys(types).map(type => [type, findCapture(event(type))])).toEqual([
      ...[['paid', 'final'], ['part', 'part'], ...['cancelled', 'failed', 'refunded', 'news'].map(none)],
      ...['asks', 'coded'].map(none),
    ])
    expect(findCapture(event('other'))).toBeUndefined()
  })
  const none = (type: string) => [type, undefined]
})

describe("PayPal's events", () => {
  const event = (type: string, traits: Partial<Traits> = {}) => ({
    type,
    traits: {key: {by: 'id', id: 'a'.repeat(32)}, keyText: null, ...traits} as Traits,
  })
  const refunded = (value: string) => ({refunded: {value, currency: 'EUR'}})
  const V1 = {key: {by: 'parent-payment', payment: 'PAY-1'}} as const

  test.each<[string, Partial<Traits>, string, boolean, boolean]>([
    ['PAYMENT.CAPTURE.COMPLETED', {finalCapture: true}, 'paid', false, false],
    ['PAYMENT.CAPTURE.COMPLETED', {finalCapture: false}, 'paid_partially', false, true],
    ['PAYMENT.CAPTURE.DENIED', {}, 'cancel', true, false],
    ['PAYMENT.CAPTURE.REFUNDED', refunded('119.00'), 'refund', false, false],
    ['PAYMENT.CAPTURE.REVERSED', refunded('19.00'), 'refund_partially', false, true],
    ['PAYMENT.AUTHORIZATION.VOIDED', {}, 'cancel', true, false],
    ['PAYMENT.AUTHORIZATION.VOIDED', V1, 'cancel', true, false],
    ['PAYMENT.SALE.COMPLETED', V1, 'paid', false, false],
    ['PAYMENT.SALE.DENIED', V1, 'cancel', true, false],
    ['PAYMENT.SALE.REFUNDED', V1, 'refund', false, true],
    ['VAULT.PAYMENT-TOKEN.CREATED', {}, 'paid', false, true],
    ['CHECKOUT.ORDER.APPROVED', {}, 'paid', false, false],
  ])(
    '%s with %j takes the step %s, cancels: %s, stands for itself: %s',
    (type, traits, step, cancels, repeats) => {
      const effect = findEffect(event(type, traits), payment('paid', {resourceId: 'A'}), VERSIONS)
      expect(effect).toMatchObject({step, isCancellation: cancels, isRepeatable: repeats})
      expect(effect).not.toHaveProperty('isOfAnother')
    },
  )

  test('a capture upon invoice stands for itself until its instructions are stored', () => {
    const capture = event('PAYMENT.CAPTURE.COMPLETED', {finalCapture: true})
    const judge = (more: object) =>
      findEffect(capture, payment('open', {payUponInvoice: true, ...more}), {...VERSIONS, plugin: null})
    expect(judge({})).toMatchObject({isRepeatable: true, step: 'paid'})
    expect(judge({hasInstructions: true})).toMatchObject({isRepeatable: false, step: 'paid'})
  })

  test('a void of another authorization says so', () => {
    const voided = event('PAYMENT.AUTHORIZATION.VOIDED', {resourceId: 'B'})
    expect(findEffect(voided, payment('open', {resourceId: 'A'}), VERSIONS)).toMatchObject({
      isOfAnother: true,
    })
    for (const resourceId of ['B', undefined])
      expect(findEffect(voided, payment('open', {resourceId}), VERSIONS)).not.toHaveProperty('isOfAnother')
  })

  test.each([
    ['PAYMENT.CAPTURE.COMPLETED', {}, 'resource.final_capture'],
    ['PAYMENT.CAPTURE.REFUNDED', {}, 'resource.seller_payable_breakdown'],
    ['PAYMENT.CAPTURE.REFUNDED', {refunded: null}, 'resource.seller_payable_breakdown.total_refunded_amount'],
    [
      'PAYMENT.CAPTURE.REFUNDED',
      {refunded: {currency: 'EUR'}},
      'resource.seller_payable_breakdown.total_refunded_amount.value',
    ],
  ])('%s with %j lacks %s', (type, traits, member) => {
    expect(findEffect(event(type, traits), payment('open'), VERSIONS)).toEqual({kind: 'missing', member})
  })

  test('a capture is the last one unless it says that it is a part, and a sale is all', () => {
    const capture = (type: string, traits: Partial<Traits> = {}) => findCapture(event(type, traits))
    expect(capture('PAYMENT.CAPTURE.COMPLETED', {finalCapture: true})).toBe('final')
    expect(capture('PAYMENT.CAPTURE.COMPLETED')).toBe('final')
    expect(capture('PAYMENT.CAPTURE.COMPLETED', {finalCapture: false})).toBe('part')
    expect(capture('PAYMENT.SALE.COMPLETED', {finalCapture: false})).toBe('final')
    for (const type of ['PAYMENT.CAPTURE.DENIED', 'PAYMENT.SALE.REFUNDED', 'CHECKOUT.ORDER.APPROVED'])
      expect(capture(type)).toBeUndefined()
  })
})

test.each([
  ['signature', 'Mollie does not sign its notifications: there is nothing to verify.'],
  ['registration', 'The shop registers no webhook at Mollie: there is no registration to check or change.'],
  ['api', 'storectl does not use the API of Mollie: omit what asks the provider.'],
] as const)('a provider without its %s is refused what needs it', (part, message) => {
  expect(() => requireCapability('mollie', part)).toThrow(
    expect.objectContaining({code: 'usage.provider_cannot', message}),
  )
  expect(requireCapability('paypal', part)).toBe(findProvider('paypal')[part])
})

test('the bundled shop has the plugin of PayPal alone', () => {
  expect(() => requireBundledProvider('PayPal')).not.toThrow()
  expect(() => requireBundledProvider('mollie')).toThrow(
    expect.objectContaining({
      code: 'usage.provider_not_bundled',
      message: 'The bundled shop has the plugin of PayPal alone, not that of Mollie.',
      nextSteps: ['omit --provider'],
    }),
  )
})
