import {expect, test} from 'vitest'
import {createRepairOperation} from '../../src/payment/repair/repair-operation.js'
import type {Result} from '../../src/runs/journal/item.js'
import type {LedgerEntry} from '../../src/runs/journal/journal-entry.js'
import type {ObservedEvent, PaymentEvent} from '../../src/webhook/inbox/inbox.js'
import {NOW, otherEvent, plannedCapture} from '../webhook/replay/replayed-payment.js'

const PAYMENT = 'a'.repeat(32)
const MINUTE_MS = 60_000

/** A repair of a payment by a stored event, with what the records know of it. */
function openRepair(given: {events?: PaymentEvent[]; entry?: Partial<LedgerEntry>; answer?: Result} = {}) {
  const {events = [], entry, answer = {resultClass: 'done', result: 'applied', status: 200}} = given
  const {event, content} = plannedCapture().value
  const noted: ObservedEvent[] = []
  const payment = {state: 'open'}
  const drift = {kind: 'capture-missed', expected: 'paid', transaction: {id: PAYMENT, state: 'open'}}
  const find = async () => ({id: PAYMENT, state: payment.state, amountTotal: 100, payUponInvoice: false})
  const transport = {deliver: async () => answer, mayStillArrive: () => false}
  const operation = createRepairOperation({
    ...{run: 'run', target: 'shop', shop: undefined as never, now: () => NOW, skipFlows: false},
    inbox: {
      find: async () => new Map([[event.id, event]]),
      readContents: async () => new Map([[event.id, content]]),
      findPaymentEvents: async () => new Map([[`id:${PAYMENT}`, events]]),
      noteObserved: async (_, some) => void noted.push(...some),
    },
    transactions: {find, findSoon: find, askNow: () => undefined},
    ...{toShop: transport, viaProvider: transport, fetchEvent: async () => undefined},
    lookUp: async () => ({found: {drift, facts: {}}, isAsked: true, isKnown: true}) as never,
    findLedgerEntries: async () => new Map(entry ? [[PAYMENT, entry as LedgerEntry]] : []),
    presumeLostAfterMs: 10 * MINUTE_MS,
  })
  const value = {
    ...{transaction: PAYMENT, kind: 'capture-missed', expected: 'paid', state: 'open'},
    providerOrders: [],
    repair: {way: 'replay', event: event.id, sha256: event.sha256},
  }
  const item = {key: PAYMENT, orderingKey: PAYMENT, contentHash: '', value: value as never}
  return {operation, item, payment, noted}
}

const agoMs = (minutes: number) => NOW.getTime() - minutes * MINUTE_MS

test.each([
  [
    'an event of which was given up 9 minutes ago',
    {events: [otherEvent('unknown', {changedAtMs: agoMs(9)})]},
  ],
  ['whose repair was given up 9 minutes ago', {entry: {resultClass: 'unknown', at: new Date(agoMs(9))}}],
] as const)('a payment %s is held', async (_, known) => {
  const {operation, item} = openRepair({...known, events: 'events' in known ? [...known.events] : []})
  expect(await operation.prepare(item)).toMatchObject({
    result: 'held',
    detail: expect.stringContaining('may still be at work'),
  })
})

test('a payment whose lost calls are ten minutes old is repaired', async () => {
  const {operation, item} = openRepair({
    events: [otherEvent('unknown', {changedAtMs: agoMs(10)})],
    entry: {resultClass: 'unknown', at: new Date(agoMs(10))},
  })
  expect(await operation.prepare(item)).toBe('send')
})

test('the inbox knows of an event that a repair sent and something gave up, and of its effect', async () => {
  const {operation, item, payment, noted} = openRepair({
    answer: {resultClass: 'unknown', result: 'unknown', status: 504, detail: 'gateway time-out'},
  })
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  expect(noted).toMatchObject([{status: 'unknown', answer: 504, message: 'gateway time-out', at: NOW}])
  expect(await operation.probe(item)).toBe('not-applied')
  payment.state = 'paid'
  expect(await operation.probe(item)).toMatchObject({result: 'applied'})
  expect(noted[1]).toMatchObject({status: 'delivered'})
})
