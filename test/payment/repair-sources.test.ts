import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {Call} from '../../src/http/http.js'
import type {ProviderMovement} from '../../src/payment/drift/payment-facts.js'
import {createRepairSources, fetchProviderEvent} from '../../src/payment/repair/repair-sources.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const HEADERS = {accept: 'application/json'}

const stored = (id: string, more: Partial<InboxEvent> = {}) =>
  ({id, sender: 'token', createdAt: NOW, ...more}) as InboxEvent
const event = (id: string) => ({id, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {}})

/** Sources over an inbox and a provider, and what was asked of them. */
function open(events: InboxEvent[], answer: {status?: number; body?: unknown} = {}, nowMs = NOW.getTime()) {
  const asked: {senders: string[][]; calls: Call[]; names: unknown[]} = {senders: [], calls: [], names: []}
  const call = async (sent: Call) => {
    asked.calls.push(sent)
    const {status = 200, body = {}} = answer
    return {status, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))}
  }
  const refusal = (given: {status: number}, doing: string) =>
    new StorectlError('rejected.by_provider', `${doing}: HTTP ${given.status}`)
  const provider = {url: new URL('http://p'), patient: {baseUrl: new URL('http://p'), call}, refusal}
  const sources = createRepairSources({
    ...{target: 'shop', provider, shop: {} as never, now: () => new Date(nowMs)},
    inbox: {
      findPaymentEvents: async (target: string, names: readonly string[]) => {
        asked.names.push([target, names])
        return new Map([[`id:T`, events]])
      },
      find: async (_: string, ids: readonly string[]) =>
        new Map(events.filter(({id}) => ids.includes(id)).map(each => [each.id, each])),
    } as never,
    askSenders: async some => {
      asked.senders.push(some.map(({id}) => id))
      for (const each of some) events[events.indexOf(each)] = {...each, sender: 'verified'}
    },
  })
  return {asked, sources, provider}
}

test('the events of a payment come the newest first, once the provider was asked who sent them', async () => {
  const {asked, sources} = open([
    stored('OLD', {createdAt: new Date(NOW.getTime() - 2), sender: 'unverified'}),
    stored('NEW', {createdAt: NOW}),
    stored('MIDDLE~1', {createdAt: new Date(NOW.getTime() - 1), sender: 'unverified'}),
  ])
  expect((await sources.findEvents('T')).map(({id, sender}) => [id, sender])).toEqual([
    ['NEW', 'token'],
    ['MIDDLE~1', 'unverified'],
    ['OLD', 'verified'],
  ])
  expect(asked).toMatchObject({senders: [['OLD']], names: [['shop', ['id:T']]]})
})

test('where every sender is known, and where there are no events, nobody is asked', async () => {
  const known = open([stored('A'), stored('B', {sender: 'forged'})])
  expect(await known.sources.findEvents('T')).toHaveLength(2)
  expect(known.asked.senders).toEqual([])
  expect(await open([]).sources.findEvents('other')).toEqual([])
})

const movement = (id: string, atMs: number) => ({id, at: new Date(atMs)}) as ProviderMovement
const found = (...movements: ProviderMovement[]) =>
  ({facts: {shop: undefined, provider: {movements, voidedOrderIds: []}}, drift: {}}) as never

test("the provider's events are those of a day around the last movement, and none of the future", async () => {
  const lastMs = NOW.getTime() - 5 * DAY_MS
  const body = {events: [event('WH-1'), {id: 'none'}, 'junk', event('WH-2')]}
  const {asked, sources} = open([], {body})
  const movements = found(movement('LAST', lastMs), movement('FIRST', lastMs - 1))
  expect((await sources.findProviderEvents(movements)).map(({id}) => id)).toEqual(['WH-1', 'WH-2'])
  const query = (endMs: number) =>
    new URLSearchParams({
      page_size: '10',
      start_time: new Date(lastMs - DAY_MS).toISOString(),
      end_time: new Date(endMs).toISOString(),
      transaction_id: 'LAST',
    })
  const path = `/v1/notifications/webhooks-events?${query(lastMs + DAY_MS)}`
  expect(asked.calls).toEqual([{method: 'GET', path, headers: HEADERS}])
  const soon = open([], {body}, lastMs + 7)
  await soon.sources.findProviderEvents(movements)
  expect(soon.asked.calls[0]?.path).toBe(`/v1/notifications/webhooks-events?${query(lastMs + 7)}`)
})

test('without a movement nobody is asked, a list that is none has no events, and a refusal is one', async () => {
  const none = open([])
  expect(await none.sources.findProviderEvents(found())).toEqual([])
  expect(none.asked.calls).toEqual([])
  const odd = open([], {body: {events: 'many'}})
  expect(await odd.sources.findProviderEvents(found(movement('C', 0)))).toEqual([])
  const refused = open([], {status: 403})
  await expect(refused.sources.findProviderEvents(found(movement('C', 0)))).rejects.toThrow(
    'the list of events: HTTP 403',
  )
})

test('one event is asked for by its id; one that the provider does not know, or that is none, is absent', async () => {
  const fetchOne = (answer: {status?: number; body?: unknown}) => {
    const {provider, asked} = open([], answer)
    return {asked, event: fetchProviderEvent('WH/1', provider, NOW)}
  }
  const {asked, event: one} = fetchOne({body: event('WH-1')})
  expect(await one).toMatchObject({id: 'WH-1', source: 'provider', receivedAt: NOW})
  expect(asked.calls).toEqual([
    {method: 'GET', path: '/v1/notifications/webhooks-events/WH%2F1', headers: HEADERS},
  ])
  expect(await fetchOne({status: 404, body: event('WH-1')}).event).toBeUndefined()
  expect(await fetchOne({body: {id: 'none'}}).event).toBeUndefined()
  await expect(fetchOne({status: 500}).event).rejects.toThrow('an event: HTTP 500')
})
