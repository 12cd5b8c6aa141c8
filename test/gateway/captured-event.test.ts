import {createHash} from 'node:crypto'
import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {parseArrivedEvent, readDeliveryStatus, readMissingAnswer} from '../../src/gateway/captured-event.js'
import {findProvider} from '../../src/providers/providers.js'
import {StoppedClock} from '../support/clock.js'
import {WEBHOOK} from './support.js'

const {answers} = findProvider('paypal')
const NOTHING = {isAway: false, provesToken: false, refusesToken: false}

/** The answer of a shop, with an error in its envelope or some other body. */
function read(status: number, detail?: string, tookMs = 0) {
  const errors = [{code: '0', status: String(status), title: 'x', detail}]
  const body = Buffer.from(detail === undefined ? '' : JSON.stringify({errors}))
  return readDeliveryStatus({status, headers: {}, body}, answers, tookMs)
}

const FAILED = 'An error occurred during execution of webhook'

test.each([
  [200, undefined, {status: 'delivered', message: null, provesToken: true}],
  [204, undefined, {status: 'delivered', message: null, provesToken: true}],
  [400, FAILED, {status: 'failed', message: FAILED, provesToken: true}],
  [400, 'No webhook data sent', {status: 'failed', message: 'No webhook data sent', provesToken: true}],
  [
    400,
    'Shopware token is invalid',
    {status: 'failed', message: 'Shopware token is invalid', refusesToken: true},
  ],
  [400, 'something else', {status: 'failed', message: 'something else'}],
  [409, FAILED, {status: 'failed', message: FAILED}],
  [
    403,
    'Shopware token is invalid',
    {status: 'failed', message: 'Shopware token is invalid', refusesToken: true},
  ],
  [404, 'gone', {status: 'failed', message: 'gone'}],
  [429, 'later', {status: 'failed', message: 'later'}],
  [500, 'broken', {status: 'failed', message: 'broken'}],
  [503, 'maintenance', {status: 'failed', message: 'maintenance', isAway: true}],
  [504, 'gave up', {status: 'unknown', message: 'gave up', isAway: true}],
  [500, undefined, {status: 'unknown', message: 'answered 500', isAway: true}],
] as const)('the answer %i "%s" of the shop makes an event %j', (status, detail, found) => {
  expect(read(status, detail)).toEqual({...NOTHING, answer: status, ...found})
})

test('a 503 that came late leaves open what became of the event', () => {
  expect(read(503, 'maintenance', 2000)).toMatchObject({status: 'unknown', isAway: true})
})

test.each([
  ['unavailable.not_connected', 'failed'],
  ['unavailable.no_tls', 'failed'],
  ['unavailable.no_answer', 'unknown'],
] as const)('without an answer, for %s, an event is %s, and the shop is away', (code, status) => {
  expect(readMissingAnswer(new StorectlError(code, 'why'))).toEqual({
    ...{...NOTHING, isAway: true, status, answer: null, message: 'why'},
  })
})

test('a fault of our own is not taken for a shop that is away', () => {
  expect(() => readMissingAnswer(new TypeError('a bug'))).toThrow('a bug')
})

const at = new StoppedClock().now()
const arrival = {target: WEBHOOK, headers: [['Content-Type', 'application/json']] as const, at}
const parse = (body: string) => parseArrivedEvent(Buffer.from(body), arrival)
const hash = (body: string) => createHash('sha256').update(body).digest('hex')

test('an event with an id is one, and a body that lacks nothing but the id is read by its hash', () => {
  const event = {event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {id: 'C1'}}
  const whole = JSON.stringify({id: 'WH-1', ...event})
  expect(parse(whole)).toMatchObject({isWhole: true, event: {id: 'WH-1', source: 'capture', receivedAt: at}})
  const nameless = JSON.stringify(event)
  const sha256 = hash(nameless)
  expect(parse(nameless)).toMatchObject({
    isWhole: false,
    event: {
      ...{id: `body-${sha256.slice(0, 32)}`, type: 'PAYMENT.CAPTURE.COMPLETED', sha256},
      ...{sizeBytes: nameless.length, body: Buffer.from(nameless), orderingKeys: ['provider:C1']},
    },
  })
})

test.each(['not JSON', '[1]', 'null', '7', '{"id": 7}', '{"event_type": ""}', ''])(
  'what is no event, %j, is kept as it came, and says why it is none',
  body => {
    const sha256 = hash(body)
    const {event, isWhole} = parse(body)
    expect(isWhole).toBe(false)
    expect(event).toEqual({
      ...{id: `body-${sha256.slice(0, 32)}`, sha256, sizeBytes: body.length, body: Buffer.from(body)},
      ...{headers: arrival.headers, receivedAt: at, createdAt: at, source: 'capture', orderingKeys: []},
      ...{type: 'unreadable', resourceType: null, resourceVersion: null},
      traits: {key: {by: 'nothing'}, keyText: null, fault: expect.stringMatching(/./)},
    })
  },
)
