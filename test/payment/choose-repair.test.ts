import {expect, test} from 'vitest'
import {chooseRepair, type RepairSources} from '../../src/payment/repair/choose-repair.js'
import type {InboxEvent, WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {captureCompleted, type EventOptions, providerEvent} from '../support/events.js'
import {NOW} from '../webhook/replay/replayed-payment.js'

const PAYMENT = 'a'.repeat(32)

function read({body}: {body: string}): WebhookEvent {
  const event = readEvent(Buffer.from(body), 'file', NOW, [])
  if ('unusable' in event) throw new Error(event.unusable)
  return event
}

const capture = (options: EventOptions = {}) => read(captureCompleted({transactionId: PAYMENT, ...options}))

/** An event as the inbox has it. */
const store = (event: WebhookEvent, more: Partial<InboxEvent> = {}): InboxEvent => ({
  ...event,
  ...({status: 'failed', attempts: 1, answer: 400, message: null, changedAt: NOW} as const),
  ...{hasConflict: false, isInFlight: false, sender: 'token' as const},
  ...({verification: 'not-checked', verificationReason: null, orderNumber: null, cause: null} as const),
  ...more,
})

/** How a payment over 100.00 EUR that is `open` is repaired. */
async function choose({
  stored = [],
  listed = [],
  expected = 'paid',
  allowed = ['paid', 'paid_partially', 'cancelled'],
  state = 'open',
}: {
  stored?: InboxEvent[]
  listed?: WebhookEvent[]
  expected?: string
  allowed?: string[]
  state?: string
}) {
  const live = {id: PAYMENT, state, createdAt: NOW, providerOrderId: 'O-1'}
  const shop = {
    ...{orderId: 'b'.repeat(32), orderNumber: '10001', orderState: 'open', salesChannelId: null},
    ...{units: 10_000, currency: 'EUR', live, earlier: []},
  }
  const found = {
    drift: {kind: 'capture-missed', transaction: live, expected, detail: ''} as const,
    facts: {shop, provider: {movements: [], voidedOrderIds: []}},
  }
  const sources: RepairSources = {
    findEvents: async () => stored,
    findProviderEvents: async () => listed,
    listTransitions: async () => allowed.map(to => ({action: `to_${to}`, to})),
  }
  return (await chooseRepair(found, sources, {skipFlows: false})).repair
}

const TRANSITION = {way: 'transition', action: 'to_paid'}

test('a stored event goes before one of the provider, and that before a transition', async () => {
  const event = capture()
  expect(await choose({stored: [store(event)], listed: [event]})).toEqual({
    ...{way: 'replay', event: event.id, sha256: event.sha256},
  })
  expect(await choose({listed: [event]})).toEqual({way: 'resend', event: event.id})
  expect(await choose({})).toEqual(TRANSITION)
  expect(await choose({allowed: []})).toEqual({
    way: 'by-hand',
    why: 'the shop allows no transition from open to paid',
  })
})

test.each([
  ['over another amount', capture({amount: '1.00'})],
  ['in another currency', capture({currency: 'USD'})],
  ['that is not the last capture', capture({finalCapture: false})],
  ['of another payment', capture({transactionId: 'c'.repeat(32)})],
  ['of a denied capture', read(providerEvent('PAYMENT.CAPTURE.DENIED', {transactionId: PAYMENT}))],
  ['that the shop cannot read', {...capture(), traits: {...capture().traits, fault: 'no JSON'}}],
] as const)('an event %s does not repair a payment to paid, whoever has it', async (_, event) => {
  expect(await choose({stored: [store(event)]})).toEqual(TRANSITION)
  expect(await choose({listed: [event]})).toEqual(TRANSITION)
})

test('a part alone leads to paid in part', async () => {
  const [part, last] = [capture({amount: '40.00', finalCapture: false}), capture({seed: 2})]
  expect(await choose({stored: [store(part)], expected: 'paid_partially'})).toMatchObject({event: part.id})
  expect(await choose({stored: [store(last)], expected: 'paid_partially'})).toMatchObject({way: 'transition'})
})

test.each([
  ['was delivered', {status: 'delivered'}, 'replay'],
  ['was delivered and has no known sender', {status: 'delivered', sender: 'unverified'}, 'transition'],
  ['was not delivered', {status: 'failed'}, 'transition'],
] as const)('a part that %s counts or not beside the last capture', async (_, more, way) => {
  const part = store(capture({amount: '40.00', finalCapture: false}), more)
  const last = store(capture({seed: 2, amount: '60.00'}))
  expect(await choose({stored: [last, part]})).toMatchObject({way})
})
