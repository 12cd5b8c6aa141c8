import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {InboxWriter} from '../../src/gateway/inbox-writer.js'
import type {CaptureInbox, HandedOn, LeaseTerm} from '../../src/webhook/inbox/capture-inbox.js'
import {StoppedClock} from '../support/clock.js'

const TARGET = 'https://shop.example'

/** A writer over an inbox that fails while the test says so. */
function openWriter() {
  const clock = new StoppedClock()
  const notes: string[] = []
  const stored: HandedOn[] = []
  const renewed: LeaseTerm[][] = []
  const inbox = {failure: undefined as Error | undefined, writes: 0, renewal: async () => {}}
  const write = async () => {
    inbox.writes++
    if (inbox.failure) throw inbox.failure
  }
  const captures = {
    tryToWrite: write,
    storeResult: async (_target: string, result: HandedOn) => {
      await write()
      stored.push(result)
    },
    take: async (_target: string, {event}: {event: {id: string}}) => {
      await write()
      const inFlightUntilMs = clock.now().getTime()
      return {id: event.id, isKnown: false, wasDelivered: false, wasInDoubt: false, inFlightUntilMs}
    },
    renewLeases: async (_target: string, terms: readonly LeaseTerm[], ms: number) => {
      renewed.push([...terms])
      await inbox.renewal()
      return terms.map(term => ({...term, untilMs: term.untilMs + ms}))
    },
  }
  const writer = new InboxWriter({
    ...{captures: captures as unknown as CaptureInbox, target: TARGET},
    ...{now: () => clock.now(), note: (text: string) => void notes.push(text)},
  })
  const take = (id: string) => writer.take({event: {id}} as never)
  return {writer, clock, notes, stored, renewed, inbox, take}
}

const full = new StorectlError('internal.disk_full', 'The disk is full.')
const NOT_WRITABLE = 'The inbox is not writable, so no event is acknowledged: '
const result = (id: string, inFlightUntilMs: number | null = null): HandedOn => ({
  ...{id, inFlightUntilMs, status: 'delivered', answer: 200, message: null},
  ...{at: new StoppedClock().now(), arrivedWith: 'token'},
})

test('whether anything can be written is tried once a second at most, and a write counts as a try', async () => {
  const {writer, clock, inbox, take} = openWriter()
  expect([await writer.checkWritable(), inbox.writes]).toEqual([undefined, 1])
  clock.advance(999)
  expect([await writer.checkWritable(), inbox.writes]).toEqual([undefined, 1])
  clock.advance(1)
  inbox.failure = full
  expect(writer.isWritable).toBe(true)
  expect(await Promise.all([writer.checkWritable(), writer.checkWritable()])).toEqual([full.code, full.code])
  expect([inbox.writes, writer.isWritable]).toEqual([2, false])
  clock.advance(500)
  await take('WH-1')
  clock.advance(999)
  expect([await writer.checkWritable(), inbox.writes]).toEqual([full.code, 3])
  inbox.failure = new Error('a bug')
  clock.advance(1)
  expect(await writer.checkWritable()).toBe('internal.error')
})

test('an inbox that cannot be written is said once, and again only after a minute; that it can again, as often', async () => {
  const {clock, notes, inbox, take} = openWriter()
  const fail = async () => {
    inbox.failure = full
    expect(await take('WH-1')).toBeUndefined()
  }
  const heal = async () => {
    inbox.failure = undefined
    expect(await take('WH-1')).toMatchObject({id: 'WH-1'})
  }
  await fail()
  await fail()
  expect(notes).toEqual([`${NOT_WRITABLE}The disk is full.`])
  await heal()
  await heal()
  expect(notes.splice(0)).toEqual([`${NOT_WRITABLE}The disk is full.`, 'The inbox is writable again.'])
  clock.advance(59_999)
  await fail()
  await heal()
  expect(notes).toEqual([])
  clock.advance(1)
  await fail()
  await heal()
  expect(notes).toEqual([`${NOT_WRITABLE}The disk is full.`, 'The inbox is writable again.'])
})

test('results that cannot be written wait, and go in order as soon as something can', async () => {
  const {writer, inbox, stored, take} = openWriter()
  inbox.failure = full
  await writer.storeResult(result('WH-1'))
  await writer.storeResult(result('WH-2'))
  await writer.writeWaiting()
  expect(stored).toEqual([])
  inbox.failure = undefined
  await take('WH-3')
  await writer.writeWaiting()
  expect(stored.map(({id}) => id)).toEqual(['WH-1', 'WH-2'])
  await writer.writeWaiting()
  expect(stored).toHaveLength(2)
})

test('10000 results wait, and no more', async () => {
  const {writer, inbox, stored} = openWriter()
  inbox.failure = full
  for (let at = 0; at <= 10_000; at++) await writer.storeResult(result(`WH-${at}`))
  inbox.failure = undefined
  await writer.writeWaiting()
  expect(stored).toHaveLength(10_000)
  expect(stored.at(-1)?.id).toBe('WH-9999')
})

test('a result has the lease as it was renewed, also where that is under way', async () => {
  const {writer, clock, stored, renewed, inbox, take} = openWriter()
  await writer.renewLeases()
  expect(renewed).toEqual([])
  const untilMs = clock.now().getTime()
  await take('WH-1')
  await take('WH-2')
  await writer.renewLeases()
  const first = {id: 'WH-1', untilMs}
  expect(renewed).toEqual([[first, {id: 'WH-2', untilMs}]])
  let goOn = () => {}
  inbox.renewal = () =>
    new Promise(resolve => {
      goOn = resolve
    })
  const renewing = writer.renewLeases()
  const storing = writer.storeResult(result('WH-1', untilMs))
  await writer.storeResult(result('WH-9', untilMs))
  goOn()
  await Promise.all([renewing, storing])
  // Another's result waits for nothing, and keeps the lease that it came with.
  expect(stored.map(({id, inFlightUntilMs}) => [id, inFlightUntilMs])).toEqual([
    ['WH-9', untilMs],
    ['WH-1', untilMs + 60_000],
  ])
  inbox.renewal = async () => {}
  await writer.renewLeases()
  expect(renewed.at(-1)).toMatchObject([{id: 'WH-2'}])
})
