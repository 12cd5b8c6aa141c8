import {describe, expect} from 'vitest'
import {expectErrors, plainEntry} from '../envelopes.js'
import {
  deliver,
  expectAccepted,
  expectException,
  expectFailed,
  payment,
  stateOf,
  WEBHOOK_CLASS,
} from '../payments.js'
import {conformance} from '../rows.js'
import {byVersion} from '../versions.js'

const row = conformance().needs('webhook token')

const UNKNOWN_ID = 'f'.repeat(32)
/** A type that no shop acts on: what is answered then is about the payload alone. */
const event = (members: object = {}) => ({event_type: 'CHECKOUT.ORDER.APPROVED', ...members})
const v2 = (type: string, resource: object) => event({resource_version: '2.0', resource_type: type, resource})
const captured = (resource: unknown, members: object = {}) => ({
  event_type: 'PAYMENT.CAPTURE.COMPLETED',
  resource_version: '2.0',
  resource_type: 'capture',
  resource,
  ...members,
})
const sold = (parentPayment: string, members: object = {}) => ({
  event_type: 'PAYMENT.SALE.COMPLETED',
  resource_type: 'sale',
  resource: {id: '9T0916710M1105906', parent_payment: parentPayment, state: 'completed'},
  ...members,
})

describe('§4.3 keys', () => {
  row('are camelCase too', async shop => {
    const {id} = await payment(shop)
    const resource = {customId: id, finalCapture: true}
    const body = {
      eventType: 'PAYMENT.CAPTURE.COMPLETED',
      resourceVersion: '2.0',
      resourceType: 'capture',
      resource,
    }
    expectAccepted(await deliver(shop, body))
    expect(await stateOf(shop, id)).toBe('paid')
  })
  row('that are unknown are ignored', async shop =>
    expectAccepted(await deliver(shop, event({foo: 1, bar: {a: []}, resource: {baz: [1], qux: 'x'}}))),
  )

  const skipped = ['id', 'resource_type', 'summary', 'create_time', 'event_version', 'resource_version']
  row.each(
    [...skipped, 'links', 'resource'].flatMap((key): [string, object][] => [
      [`null is skipped: ${key}`, {[key]: null}],
      [`[] is skipped: ${key}`, {[key]: []}],
    ]),
    async (shop, members) => expectAccepted(await deliver(shop, event(members))),
  )
  row('links {} and summary null are fine', async shop =>
    expectAccepted(await deliver(shop, event({summary: null, links: {}}))),
  )
  row('null is skipped inside a resource', async shop =>
    expectAccepted(await deliver(shop, v2('capture', {id: null, custom_id: null, amount: null, links: []}))),
  )
})

describe('§4.3 top-level strings', () => {
  const names = [
    'id',
    'resource_type',
    'event_type',
    'summary',
    'create_time',
    'event_version',
    'resource_version',
  ]
  const values: [title: string, value: unknown][] = [
    ['number', 1],
    ['decimal', 1.5],
    ['bool', true],
    ['object', {a: 1}],
    ['list', ['x']],
  ]
  row.each(
    names.flatMap(name => values.map(([title, value]) => [`${name} a ${title}: 500`, name, value] as const)),
    async (shop, name, value) => expectException(await deliver(shop, event({[name]: value}))),
  )
  row('false is no string either: 500', async shop =>
    expectException(await deliver(shop, event({summary: false}))),
  )
  row('numbers in text are strings', async shop => expectAccepted(await deliver(shop, event({id: '1'}))))
})

describe('§4.3 event_type', () => {
  const UNREAD = `Typed property ${WEBHOOK_CLASS}::$eventType must not be accessed before initialization`
  const bodies: [title: string, body: object][] = [
    ['missing', {id: 'WH-1'}],
    ['null', {id: 'WH-1', event_type: null}],
    ['[]', {id: 'WH-1', event_type: []}],
    ['missing in what has unknown keys alone', {foo: 1}],
  ]
  row.each(bodies, async (shop, body) => {
    const reply = await deliver(shop, body)
    expectErrors(reply, 500, plainEntry(500, UNREAD))
    expect(reply.text).toContain(`${WEBHOOK_CLASS.replaceAll('\\', '\\\\')}::$eventType must`)
  })
})

describe('§4.3 type errors: 500', () => {
  const text = (length: number) => 'x'.repeat(length)
  const NO_RESOURCES: [title: string, body: unknown][] = [
    ['resource a string', event({resource: 'x'})],
    ['resource a non-empty list', event({resource: [1]})],
    ['resource a list of objects', event({resource: [{id: 'x'}]})],
  ]
  const bodies: [title: string, body: unknown][] = [
    ['a top-level list', [event()]],
    ...byVersion(NO_RESOURCES, {'6.7': []}),
    ...['capture', 'authorization', 'refund'].flatMap((type): [string, unknown][] => [
      [`custom_id of a ${type} a number`, v2(type, {custom_id: 1})],
      [`custom_id of a ${type} an object`, v2(type, {custom_id: {orderTransactionId: UNKNOWN_ID}})],
      [`custom_id of a ${type} a bool`, v2(type, {custom_id: true})],
      [`amount of a ${type} a string`, v2(type, {amount: '10.00'})],
    ]),
    ...['capture', 'refund'].flatMap((type): [string, unknown][] => [
      [`invoice_id of a ${type} of 128 characters`, v2(type, {invoice_id: text(128)})],
      [`note_to_payer of a ${type} of 256 characters`, v2(type, {note_to_payer: text(256)})],
    ]),
    ...[{seller_protection: 'x'}, {seller_receivable_breakdown: {gross_amount: 'x'}}, {create_time: 5}].map(
      (members): [string, unknown] => [
        `${Object.keys(members)[0]} of a capture of another type`,
        v2('capture', members),
      ],
    ),
    ['amount of a v1 resource a string', event({resource: {amount: '10.00'}})],
    ['an unknown transaction does not come first', captured({custom_id: UNKNOWN_ID, amount: '10.00'})],
  ]
  row.each(bodies, async (shop, body) => expectException(await deliver(shop, body)))

  const fine: [title: string, body: unknown][] = [
    // From plugin 10 on the provider's own library reads them over.
    ...byVersion([], {'6.7': NO_RESOURCES}),
    ['invoice_id of 127 characters is fine', v2('capture', {invoice_id: text(127)})],
    ['note_to_payer of 255 characters is fine', v2('capture', {note_to_payer: text(255)})],
    ['they count characters, not bytes', v2('capture', {invoice_id: 'ß'.repeat(127)})],
  ]
  row.each(fine, async (shop, body) => expectAccepted(await deliver(shop, body)))
})

describe('§4.3 resource class choice', () => {
  row('"2.0" capture: a v2 payment', async shop => {
    const {id} = await payment(shop, {state: 'authorized'})
    expectAccepted(await deliver(shop, captured({custom_id: id, final_capture: true})))
    expect(await stateOf(shop, id)).toBe('paid')
  })
  row('"2.0" authorization: a v2 payment', async shop => {
    const {id} = await payment(shop, {state: 'authorized'})
    const members = {event_type: 'PAYMENT.AUTHORIZATION.VOIDED', resource_type: 'authorization'}
    expectAccepted(await deliver(shop, captured({custom_id: id}, members)))
    expect(await stateOf(shop, id)).toBe('cancelled')
  })
  row.bundledOnly('"2.0" refund: a v2 payment', async shop => {
    const breakdown = {total_refunded_amount: {value: '119.00', currency_code: 'EUR'}}
    const {id} = await payment(shop, {state: 'paid'})
    const resource = {custom_id: id, seller_payable_breakdown: breakdown}
    const body = {event_type: 'PAYMENT.CAPTURE.REFUNDED', resource_version: '2.0', resource_type: 'refund'}
    expectAccepted(await deliver(shop, {...body, resource}))
    expect(await stateOf(shop, id)).toBe('refunded')
  })
  row.each(
    ['checkout-order', 'payment_token', 'sale', 'Capture', null].map(
      type => [`"2.0" ${type}: no resource`, type] as const,
    ),
    async (shop, resource_type) => {
      const {id} = await payment(shop)
      expectFailed(await deliver(shop, captured({custom_id: id, final_capture: true}, {resource_type})))
      expect(await stateOf(shop, id)).toBe('open')
    },
  )
  row('"2.0" of another type: what is in the resource does not matter', async shop =>
    expectAccepted(await deliver(shop, v2('checkout-order', {custom_id: 1, amount: '10.00'}))),
  )

  row('"3.0" payment_token: a vault token', async shop => {
    const token = {event_type: 'VAULT.PAYMENT-TOKEN.DELETED', resource: {id: `none-${shop.run}`}}
    const reply = await deliver(shop, {...token, resource_version: '3.0', resource_type: 'payment_token'})
    expectAccepted(reply)
  })
  row.each(
    ['capture', 'payment-token', null].map(type => [`"3.0" ${type}: no resource`, type] as const),
    async (shop, resource_type) => {
      const {id} = await payment(shop)
      const members = {resource_version: '3.0', resource_type}
      expectFailed(await deliver(shop, captured({custom_id: id, final_capture: true}, members)))
      expect(await stateOf(shop, id)).toBe('open')
    },
  )

  row.each(
    [undefined, '1.0', '2', '2.00', '4.0', 'x'].map(version => [`${version}: v1`, version] as const),
    async (shop, resource_version) => {
      const {id, parentPayment} = await payment(shop)
      expectAccepted(await deliver(shop, sold(parentPayment, {resource_version})))
      expect(await stateOf(shop, id)).toBe('paid')
    },
  )
  row('v1 whatever the type', async shop => {
    const {id, parentPayment} = await payment(shop)
    expectAccepted(await deliver(shop, sold(parentPayment, {resource_type: 'capture'})))
    expect(await stateOf(shop, id)).toBe('paid')
  })

  const misfits: [title: string, type: string, members: object][] = [
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.DENIED',
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.CAPTURE.REVERSED',
  ].flatMap((type): [string, string, object][] => [
    [`${type} without resource_version: 400`, type, {resource_version: undefined}],
    [`${type} of resource_version "1.0": 400`, type, {resource_version: '1.0'}],
    [`${type} of resource_version "3.0": 400`, type, {resource_version: '3.0'}],
    [`${type} of another resource_type: 400`, type, {resource_type: 'checkout-order'}],
    [`${type} without resource_type: 400`, type, {resource_type: undefined}],
    [`${type} without a resource: 400`, type, {resource: undefined}],
  ])
  row.each(misfits, async (shop, event_type, members) => {
    const {id} = await payment(shop, {state: 'paid_partially'})
    const resource_type = /REFUNDED|REVERSED/.test(event_type) ? 'refund' : 'capture'
    const body = captured({custom_id: id, final_capture: true}, {event_type, resource_type, ...members})
    expectFailed(await deliver(shop, body))
    expect(await stateOf(shop, id)).toBe('paid_partially')
  })
})
