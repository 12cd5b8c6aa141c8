import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import {openRecords} from '../../../src/records/index.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {follow} from '../../../src/webhook/inbox/follow-events.js'
import {openMarking} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {event, eventId} from '../support.js'

const TARGET = 'https://shop.example'
const locked = () => new StorectlError('unavailable.database_locked', 'Another process has it.')

async function opened() {
  const records = await openRecords(`${temporaryFolder()}/records.db`, currentTime)
  const add = (...numbers: number[]) =>
    records.inbox.add(
      TARGET,
      numbers.map(at => {
        const read = readEvent(Buffer.from(JSON.stringify(event(at))), 'test', currentTime())
        if ('unusable' in read) throw new Error(read.unusable)
        return read
      }),
    )
  return {...records, add}
}

test('a database that others keep to themselves is waited for, said once, and nothing is missed', async () => {
  const {inbox, add, close} = await opened()
  await add(1)
  let refusals = 0
  const notes: string[] = []
  const stop = new AbortController()
  const clock = new StoppedClock()
  const events = follow(
    {limit: 10},
    {
      inbox: {
        list: inbox.list,
        readLastPosition: inbox.readLastPosition,
        listChanges: (...asked) => (refusals-- > 0 ? Promise.reject(locked()) : inbox.listChanges(...asked)),
      },
      ...{target: TARGET, clock, signal: stop.signal, refresh: async () => {}},
      onBusy: why => void notes.push(why),
    },
  )
  const next = async () => ((await events.next()).value as InboxEvent).id
  expect(await next()).toBe(eventId(1))
  refusals = 3
  await add(2)
  expect(await next()).toBe(eventId(2))
  refusals = 2
  await add(3)
  expect(await next()).toBe(eventId(3))
  expect(notes).toEqual(['Another process has it.'])
  stop.abort(new Error('enough'))
  await expect(events.next()).rejects.toThrow('enough')
  await close()
})

test('any other failure ends it', async () => {
  const {inbox, close} = await opened()
  const stop = new AbortController()
  const events = follow(
    {},
    {
      inbox: {
        ...inbox,
        listChanges: () => Promise.reject(new StorectlError('internal.database_io', 'The disk failed.')),
      },
      ...{target: TARGET, clock: new StoppedClock(), signal: stop.signal, refresh: async () => {}},
      onBusy: () => {},
    },
  )
  await expect(events.next()).rejects.toThrow('The disk failed.')
  await close()
})

test('many changes at once are all told of, each event as it is', async () => {
  const {inbox, runs, add, close} = await opened()
  const stop = new AbortController()
  const events = follow(
    {limit: 5},
    {
      ...{inbox, target: TARGET, clock: new StoppedClock(), signal: stop.signal},
      ...{refresh: async () => {}, onBusy: () => {}},
    },
  )
  await add(0)
  await events.next()
  const numbers = Array.from({length: 700}, (_, at) => at + 1)
  await add(...numbers)
  await inbox.resolve(TARGET, [eventId(1)], await openMarking(runs, TARGET))
  const told: InboxEvent[] = []
  while (told.length < 700) told.push((await events.next()).value as InboxEvent)
  expect(new Set(told.map(({id}) => id)).size).toBe(700)
  expect(told.at(-1)).toMatchObject({id: eventId(1), status: 'resolved'})
  await close()
})
