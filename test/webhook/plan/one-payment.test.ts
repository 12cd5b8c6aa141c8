import {expect, test} from 'vitest'
import type {Transaction} from '../../../src/payment/transactions.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {makePlan} from '../../../src/webhook/plan/plan.js'
import {event, transactionId} from '../support.js'

const NOW = new Date('2026-11-21T12:00:00Z')

/** A payment that the shop knows under both names. */
const PAYMENT: Transaction = {
  ...{id: transactionId(0), state: 'open', amountTotal: 10, currency: 'EUR', payUponInvoice: false},
}

const RULES = {
  ...{maxAgeMs: undefined, checkState: true, includeOutOfOrder: false, includeUnverified: false},
  ...{includeDelivered: false, includeUnknown: false},
}

const inInbox = (body: object): InboxEvent => {
  const read = readEvent(Buffer.from(JSON.stringify(body)), 'file', NOW)
  if ('unusable' in read) throw new Error(read.unusable)
  return {
    ...read,
    ...{status: 'failed', answer: 400, message: null, attempts: 1, changedAt: NOW, hasConflict: false},
    ...{
      isInFlight: false,
      sender: 'token' as const,
      verification: 'not-checked',
      verificationReason: null,
      orderNumber: null,
      cause: null,
    },
  }
}

test('events of both versions of one payment have one ordering key, where the shop knows that they are one', async () => {
  const sale = {
    ...{id: 'WH-SALE', event_type: 'PAYMENT.SALE.COMPLETED', resource_type: 'sale'},
    ...{create_time: NOW.toISOString(), resource: {id: 'SALE1', parent_payment: 'PAYID-1'}},
  }
  const other = event(1, {createdAt: NOW.toISOString()})
  async function* events() {
    yield* [sale, event(0, {createdAt: NOW.toISOString()}), other].map(inInbox)
  }
  const find = async (key: {readonly by: string; readonly id?: string}) =>
    key.by === 'id' ? {...PAYMENT, id: key.id as string} : PAYMENT
  const plan = await makePlan(
    {target: 'shop', events: events(), rules: RULES, isNamed: false},
    {
      inbox: {findKnownResults: async () => new Map(), noteOrders: async () => {}},
      runs: {findLedgerEntries: async () => new Map()},
      transactions: {find, findSoon: find, askNow: () => {}},
      now: NOW,
      signal: new AbortController().signal,
      openScratch: () => Promise.reject(new Error('nothing is long')),
    },
  )
  const keys: string[] = []
  for await (const {orderingKey} of plan.listEntries()) keys.push(orderingKey)
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[0])
})
