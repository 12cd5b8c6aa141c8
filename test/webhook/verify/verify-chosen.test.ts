import {expect, test} from 'vitest'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {type OpenVerify, verifyChosen} from '../../../src/webhook/verify/verify-chosen.js'
import {all} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'

/** More than are checked together. */
const COUNT = 300

const createEvent = (at: number, sender: InboxEvent['sender']) =>
  ({
    ...{id: `WH-${String(at).padStart(4, '0')}`, receivedAt: currentTime(), createdAt: currentTime()},
    ...{sender, verification: 'not-checked', verificationReason: null},
  }) as unknown as InboxEvent

/**
 * Where a check of all events says that it has come to.
 *
 * @param answers whether the provider answered, by batch
 * @param sender of the events of the second batch
 */
async function positions(answers: readonly boolean[], sender: InboxEvent['sender'] = 'unverified') {
  const noted: string[] = []
  const left = [...answers]
  const inbox = {
    find: async () => new Map(),
    readContents: async () => new Map(),
    readPosition: async () => undefined,
    addObserved: async (_: string, {to}: {to: string}) => noted.push(to) > 0,
  }
  const deps = {
    ...{inbox, target: 'shop', note: async () => {}, signal: new AbortController().signal},
    askSenders: async () => left.shift() === true,
  } as unknown as OpenVerify
  async function* events() {
    for (let at = 0; at < COUNT; at++) yield createEvent(at, at < 250 ? 'unverified' : sender)
  }
  const progress = {
    ...{openBar: async () => undefined, note: async () => {}, verbose: false},
    ...{clock: new StoppedClock(), stopping: deps.signal},
  }
  expect(await all(await verifyChosen(events(), {words: [], flags: {}}, deps, progress))).toHaveLength(COUNT)
  return noted
}

test('a check of all events begins again behind the last one that the provider was asked about', async () => {
  expect(await positions([true, false])).toEqual([expect.stringContaining('WH-0249')])
  expect(await positions([false, true])).toEqual([])
  expect(await positions([false], 'verified')).toEqual([])
  expect(await positions([true, true])).toEqual([
    expect.stringContaining('WH-0249'),
    expect.stringContaining('WH-0299'),
    '',
  ])
})

test('events of a cause are checked, and none of the others', async () => {
  const deps = {
    ...{target: 'shop', signal: new AbortController().signal, askSenders: async () => true},
    inbox: {find: async () => new Map(), readContents: async () => new Map()},
    narrow: async function* (events: AsyncIterable<InboxEvent>) {
      for await (const event of events) if (event.sender === 'wrong-token') yield event
    },
  } as unknown as OpenVerify
  const events = (async function* () {
    for (let at = 0; at < 4; at++) yield createEvent(at, at % 2 === 0 ? 'unverified' : 'wrong-token')
  })()
  const chosen = {words: [], flags: {cause: ['wrong-token' as const]}}
  const rows = await all(await verifyChosen(events, chosen, deps, {} as never))
  expect(rows.map(({id}) => id)).toEqual(['WH-0001', 'WH-0003'])
})
