import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {InboxWriter} from '../../src/gateway/inbox-writer.js'
import {openLeaseClock} from '../../src/platform/lease-clock.js'
import {createRecords} from '../../src/records/records.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {openDatabase} from '../../src/storage/index.js'
import type {WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'

const TARGET = 'https://shop.example'

/** A capture with one event under way, on a machine whose clock can be set while time goes on evenly. */
async function oneUnderWay() {
  const clock = new StoppedClock()
  let leaseMs = 0
  const options = {migrations: recordsMigrations, now: () => clock.now(), readLeaseMs: () => leaseMs}
  const database = await openDatabase<RecordsTables>(join(temporaryFolder(), 'records.db'), options)
  const {captures, inbox} = createRecords(database)
  const writer = new InboxWriter({captures, target: TARGET, now: () => clock.now(), note: () => {}})
  const event = readEvent(Buffer.from('{"id": "WH-1", "event_type": "X"}'), 'capture', clock.now(), [])
  const arrival = {busyMs: 30_000, arrivedWith: 'token' as const, message: null, hasRoom: true}
  const take = () => writer.take({...arrival, event: event as WebhookEvent})
  const kept = await take()
  if (typeof kept !== 'object') throw new Error('not stored')
  const isInFlight = async () => (await inbox.find(TARGET, ['WH-1'])).get('WH-1')?.isInFlight
  const pass = (ms: number) => {
    leaseMs += ms
  }
  return {clock, writer, kept, isInFlight, pass, take, close: () => database.close()}
}

const RESULT = {status: 'delivered', answer: 200, message: null, arrivedWith: 'token' as const} as const

test('what a killed capture had under way is free after half a minute, and what a slow one has is not', async () => {
  const {writer, isInFlight, pass, kept, clock, close} = await oneUnderWay()
  for (let seconds = 0; seconds < 120; seconds += 5) {
    pass(5000)
    await writer.renewLeases()
    expect(await isInFlight()).toBe(true)
  }
  pass(30_001)
  expect(await isInFlight()).toBe(false)
  await writer.renewLeases()
  expect(await isInFlight()).toBe(true)
  await writer.storeResult({...kept, ...RESULT, at: clock.now()})
  expect(await isInFlight()).toBe(false)
  await close()
})

test('an event that another call has taken up is left to it', async () => {
  const {writer, isInFlight, pass, take, kept, clock, close} = await oneUnderWay()
  await take()
  pass(5000)
  await writer.renewLeases()
  await writer.storeResult({...kept, ...RESULT, at: clock.now()})
  expect(await isInFlight()).toBe(true)
  await close()
})

test('a clock that is set forward or back ends no lease, and leaves none for longer', async () => {
  const {clock, isInFlight, pass, close} = await oneUnderWay()
  clock.advance(600_000)
  expect(await isInFlight()).toBe(true)
  clock.advance(-1_200_000)
  expect(await isInFlight()).toBe(true)
  pass(30_001)
  expect(await isInFlight()).toBe(false)
  await close()
})

test('a lease of before the start of the machine is over', async () => {
  const folder = temporaryFolder()
  const [first, second] = ['0a1bffff', '7a1bffff'].map((start, at) => {
    const file = join(folder, `${at}`)
    writeFileSync(file, start)
    return openLeaseClock(file)()
  }) as [number, number]
  expect(Math.abs(first - second)).toBeGreaterThan(3_600_000)
  // SQLite takes no larger number for a whole one.
  expect(second).toBeLessThan(2 ** 51)
})
