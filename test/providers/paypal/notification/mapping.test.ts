import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {mapNotification} from '../../../../src/providers/paypal/notification/mapping.js'

const capture = {
  event_type: 'PAYMENT.CAPTURE.COMPLETED',
  resource_version: '2.0',
  resource_type: 'capture',
  resource: {id: '27M', custom_id: 'c', final_capture: true, amount: {currency_code: 'USD', value: '2.51'}},
}

function sample(name: string) {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../fixtures/webhook-events/${name}`), 'utf8'),
  )
}

const V2 = {event_type: 'X', resource_version: '2.0', resource_type: 'x'}
const VAULT = {event_type: 'X', resource_version: '3.0', resource_type: 'payment_token'}

describe('the published samples', () => {
  test('a completed capture', () => {
    expect(mapNotification(sample('payment-capture-completed.json'))).toEqual({
      type: 'PAYMENT.CAPTURE.COMPLETED',
      id: 'WH-58D329510W468432D-8HN650336L201105X',
      createTime: '2019-02-14T21:50:07.940Z',
      resource: {
        kind: 'capture',
        id: '27M47624FP291604U',
        customId: undefined,
        amount: {value: '2.51', currency: 'USD'},
        finalCapture: true,
        breakdown: undefined,
      },
    })
  })

  test('a resolved dispute, taken for a v1 resource', () => {
    expect(mapNotification(sample('customer-dispute-resolved.json'))).toMatchObject({
      type: 'CUSTOMER.DISPUTE.RESOLVED',
      resource: {kind: 'v1', parentPayment: undefined},
    })
  })
})

describe('names', () => {
  test('snake_case and camelCase fill the same members', () => {
    const camel = {
      eventType: capture.event_type,
      resourceVersion: '2.0',
      resourceType: 'capture',
      resource: {id: '27M', customId: 'c', finalCapture: true, amount: {currencyCode: 'USD', value: '2.51'}},
    }
    expect(mapNotification(camel)).toEqual(mapNotification(capture))
  })

  test('unknown ones are ignored; null and everything empty is skipped', () => {
    const odd = {...capture, summary: null, links: {}, id: [], create_time: {}, zodiac: 7}
    expect(mapNotification(odd)).toEqual(mapNotification(capture))
  })

  test('a map of links is as good as a list, and a text is neither', () => {
    expect(mapNotification({...capture, links: {self: {}}})).toEqual(mapNotification(capture))
    expect(() => mapNotification({...capture, links: 'self'})).toThrow(
      /must be of type Swag.*LinkCollection, string given/,
    )
  })
})

/** protocol.md 4.3 "Resource class choice". */
test.each([
  ['2.0', 'authorization', 'authorization'],
  ['2.0', 'capture', 'capture'],
  ['2.0', 'refund', 'refund'],
  ['2.0', 'checkout-order', 'none'],
  ['2.0', undefined, 'none'],
  ['3.0', 'payment_token', 'payment-token'],
  ['3.0', 'capture', 'none'],
  ['1.0', 'capture', 'v1'],
  ['2', 'capture', 'v1'],
  [undefined, 'capture', 'v1'],
])('resource_version %s with resource_type %s is a %s', (resource_version, resource_type, kind) => {
  expect(mapNotification({...capture, resource_version, resource_type}).resource.kind).toBe(kind)
})

test.each([
  ['resourceversion', true],
  ['_resource_version', true],
  ['Resource_Version', true],
  ['resource__version', true],
  ['resource.version', false],
  ['resource_versions', false],
])('the name %s is that of a member: %s', (name, isOne) => {
  const {resource_version, ...rest} = capture
  expect(mapNotification({...rest, [name]: resource_version}).resource.kind).toBe(isOne ? 'capture' : 'v1')
})

test('a name that is a whole number breaks the receiver, with its own error', () => {
  const text =
    'Symfony\\Component\\Serializer\\NameConverter\\CamelCaseToSnakeCaseNameConverter::denormalize(): Argument #1 ($propertyName) must be of type string, int given, called in'
  for (const name of ['0', '7', '-3', '123456789012345678'])
    expect(() => mapNotification({...capture, [name]: 'x'})).toThrow(text)
  for (const name of ['07', '-0', '1.5', '1e3', '1234567890123456789'])
    expect(() => mapNotification({...capture, [name]: 'x'})).not.toThrow()
})

describe('what breaks the receiver', () => {
  const failing: [string, object, RegExp][] = [
    ...[
      'id',
      'resource_type',
      'event_type',
      'summary',
      'create_time',
      'event_version',
      'resource_version',
    ].flatMap((name): [string, object, RegExp][] => [
      [`${name} a number`, {...capture, [name]: 7}, /must be of type \??string, int given/],
      [`${name} a bool`, {...capture, [name]: true}, /must be of type \??string, bool given/],
      [`${name} an object`, {...capture, [name]: {a: 1}}, /must be of type \??string, array given/],
    ]),
    [
      'no event_type',
      {...capture, event_type: undefined},
      /^Typed property Swag\\PayPal\\RestApi\\V1\\Api\\Webhook::\$eventType must not be accessed before initialization$/,
    ],
    [
      'event_type null',
      {...capture, event_type: null},
      /eventType must not be accessed before initialization$/,
    ],
    ['a list', [capture], /must be of type string, int given/],
    ['resource a string', {...capture, resource: 'x'}, /string given/],
    ['resource a list', {...capture, resource: [1]}, /must be of type string, int given/],
    ['custom_id a number', {...capture, resource: {custom_id: 7}}, /int given/],
    ['amount a string', {...capture, resource: {amount: '2.51'}}, /string given/],
    ['v1 amount a string', {event_type: 'X', resource: {amount: '2.51'}}, /string given/],
    ['invoice_id of 128', {...capture, resource: {invoice_id: 'x'.repeat(128)}}, /127/],
    ['note_to_payer of 256', {...capture, resource: {note_to_payer: 'x'.repeat(256)}}, /255/],
  ]
  test.each(failing)('%s', (_name, payload, text) => {
    expect(() => mapNotification(JSON.parse(JSON.stringify(payload)))).toThrow(text)
  })

  test('the longest texts that fit do not, and lengths count characters', () => {
    const resource = {...capture.resource, invoice_id: '𝄞'.repeat(127), note_to_payer: 'ß'.repeat(255)}
    expect(mapNotification({...capture, resource}).resource.kind).toBe('capture')
  })
})

test.each<[string, object, string]>([
  [
    'a resource of no known class is never looked into',
    {...V2, resource_type: 'checkout-order', resource: 'x'},
    'none',
  ],
  ['an empty resource is one', {...VAULT, resource: {}}, 'payment-token'],
  ['what is as good as nothing is no link', {...V2, links: [0, null, '', false]}, 'none'],
  [
    'an authorization has no invoice',
    {...V2, resource_type: 'authorization', resource: {invoice_id: 5}},
    'authorization',
  ],
  [
    'names have no case',
    {EVENT_TYPE: 'X', Resource_Version: '2.0', resource_type: 'capture', resource: {}},
    'capture',
  ],
])('%s', (_name, payload, kind) => {
  expect(mapNotification(payload).resource.kind).toBe(kind)
})

test.each<[string, object, RegExp]>([
  [
    'a payment source',
    {...VAULT, resource: {payment_source: {card: {brand: 5}}}},
    /Card::setBrand.*string, int/,
  ],
  ['what v1 keeps of a sale', {event_type: 'X', resource: {payment_mode: 5}}, /setPaymentMode.*int given/],
  [
    'a member in capitals that is a structure',
    {...VAULT, resource: {CUSTOMER: {}}, links: {a: [1]}},
    /must be of type string, int/,
  ],
])('%s of the wrong type breaks the receiver', (_name, payload, text) => {
  expect(() => mapNotification(payload)).toThrow(text)
})
