import {join} from 'node:path'
import {sql} from 'kysely'
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {DiskQuota} from '../../src/gateway/disk-quota.js'
import {type CaptureDeps, capture} from '../../src/gateway/index.js'
import {openHttp} from '../../src/http/client.js'
import {machineClock} from '../../src/platform/clock.js'
import {createRecords} from '../../src/records/records.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {openDatabase} from '../../src/storage/index.js'
import {KnownTokens} from '../../src/webhook/event/known-tokens.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {until} from '../support/until.js'
import {event, eventId} from '../webhook/support.js'
import {holdAnswers, rawShop, refuse, sendTo, TOKEN} from './support.js'

const now = currentTime
const diskFull = () => new StorectlError('internal.disk_full', 'The disk is full.')

/** A capture over a database of the test's own, whose room the test decides about. */
async function captureWithRoom(shopUrl: string, maxDiskBytes = 1e9, turns: CaptureDeps['turns'] = undefined) {
  const database = await openDatabase<RecordsTables>(join(temporaryFolder(), 'records.db'), {
    migrations: recordsMigrations,
    now,
  })
  const http = openHttp({
    ...{connectTimeoutMs: 5000, timeoutMs: 5000, connections: 8, env: {}, clock: machineClock},
    userAgent: 'storectl/test',
  })
  const {captures, inbox} = createRecords(database)
  let isFull = false
  const renewed: string[][] = []
  const noted: number[] = []
  const stop = new AbortController()
  const notes: string[] = []
  let url = ''
  const deps: CaptureDeps = {
    turns,
    freeBytes: undefined,
    captures: {
      ...captures,
      storeResult: (...given) => (isFull ? Promise.reject(diskFull()) : captures.storeResult(...given)),
      renewLeases: (target, terms, ms) => {
        renewed.push(terms.map(({id}) => id))
        return captures.renewLeases(target, terms, ms)
      },
      noteNotStored: async (_, calls) => {
        noted.push(calls)
        if (isFull) throw diskFull()
      },
    },
    ...{target: shopUrl, shop: http.to(new URL(shopUrl))},
    ...{
      profile: {provider: 'paypal', tokenPrefix: 'sw'},
      basePath: '',
      token: TOKEN,
      oldToken: undefined,
      knownTokens: new KnownTokens([]),
      onAcceptedToken: async () => {},
      timeoutMs: 5000,
      now,
    },
    stopping: stop.signal,
    onReady: async opened => {
      url = opened.webhookUrl
    },
    onEvent: () => {},
    note: text => notes.push(text),
  }
  const options = {
    ...{listen: {host: '127.0.0.1', port: 0}, metricsListen: undefined, certificate: undefined},
    ...{bodyBytes: 1_000_000, acceptsWhenDown: false, skipsDelivered: false, maxDiskBytes, graceMs: 1000},
  }
  const ended = capture(options, deps)
  onTestFinished(async () => {
    stop.abort()
    await ended
    await http.close()
    await database.close()
  })
  await until('the gateway listens', () => url !== '')
  const pages = (pragma: number) =>
    database.writes.run(db => sql.raw(`pragma max_page_count = ${pragma}`).execute(db))
  return {
    ...{url, notes, renewed, noted},
    fill: () => pages(1),
    makeRoom: () => pages(1_000_000),
    /** Where an update fits into its page, a full disk is not met: so it is said. */
    resultsFit: (fit: boolean) => {
      isFull = !fit
    },
    inbox,
    health: async () => sendTo(url, '', {method: 'GET', target: '/healthz'}),
  }
}

const LARGE = 'x'.repeat(50_000)

test('a full disk is answered 503, nothing that is lost is acknowledged, and it heals by itself', async () => {
  const shop = await rawShop()
  const {url, notes, fill, makeRoom, inbox, health} = await captureWithRoom(shop.url)
  expect((await health()).status).toBe(200)
  expect((await sendTo(url, {...event(1), LARGE})).status).toBe(200)
  await fill()
  for (const index of [2, 3]) {
    expect(await sendTo(url, {...event(index), LARGE})).toMatchObject({
      status: 503,
      headers: {'retry-after': '60'},
    })
  }
  expect(shop.arrived).toHaveLength(1)
  const unwritable = {status: 'unwritable', code: 'internal.disk_full'}
  expect(await health()).toMatchObject({status: 503, body: JSON.stringify(unwritable)})
  expect(notes.filter(text => /is full/.test(text))).toHaveLength(1)

  await makeRoom()
  expect((await sendTo(url, {...event(2), LARGE})).status).toBe(200)
  expect((await health()).status).toBe(200)
  expect(notes.at(-1)).toBe('The inbox is writable again.')
  const ids = [...(await inbox.find(shop.url, [1, 2, 3].map(eventId))).keys()]
  expect(ids.sort()).toEqual([eventId(1), eventId(2)])
})

test('an answer that comes on a full disk goes to the provider, and is written down when there is room', async () => {
  const shop = await rawShop()
  const {url, resultsFit, inbox, notes} = await captureWithRoom(shop.url)
  const one = async () => (await inbox.find(shop.url, [eventId(1)])).get(eventId(1))
  shop.answer = (_call, response) => refuse(response, 400, 'An error occurred during execution of webhook')
  resultsFit(false)
  expect((await sendTo(url, event(1))).status).toBe(400)
  expect(await one()).toMatchObject({status: 'unknown', answer: null})
  expect(notes).toHaveLength(1)
  resultsFit(true)
  expect((await sendTo(url, event(2))).status).toBe(400)
  await until('the event has failed', async () =>
    expect(await one()).toMatchObject({status: 'failed', answer: 400}),
  )
})

test('what the shop has taken from a stranger, and cannot be kept, is not acknowledged', async () => {
  const shop = await rawShop()
  const {url, fill} = await captureWithRoom(shop.url, 0)
  await fill()
  expect((await sendTo(url, {...event(1), LARGE}, {token: 'OfAnotherSalesChannel'})).status).toBe(503)
  expect(shop.arrived).toHaveLength(1)
})

describe('by its timers', () => {
  // Those of the listener and of the shop's client go on.
  beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval']}))
  afterEach(() => void vi.useRealTimers())

  test('a capture renews what is under way every 5 seconds', async () => {
    const shop = await rawShop()
    const end = holdAnswers(shop)
    const {url, renewed} = await captureWithRoom(shop.url)
    const sent = sendTo(url, event(1))
    await until('the event arrives', () => shop.arrived.length === 1)
    await vi.advanceTimersByTimeAsync(4999)
    expect(renewed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(renewed).toEqual([[eventId(1)]])
    end()
    expect((await sent).status).toBe(200)
  })

  test('a capture writes down how many calls were not stored every 2 seconds, each once', async () => {
    const shop = await rawShop()
    const {url, noted, resultsFit} = await captureWithRoom(shop.url, 0)
    shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
    for (const index of [1, 2]) await sendTo(url, event(index), {token: 'no'})
    await vi.advanceTimersByTimeAsync(1999)
    expect(noted).toEqual([])
    resultsFit(false)
    await vi.advanceTimersByTimeAsync(1)
    resultsFit(true)
    await vi.advanceTimersByTimeAsync(2000)
    await vi.advanceTimersByTimeAsync(2000)
    expect(noted).toEqual([2, 2])
    await sendTo(url, event(3), {token: 'no'})
    await vi.advanceTimersByTimeAsync(2000)
    expect(noted).toEqual([2, 2, 1])
  })
})

test('where captures share an inbox, an event has its turn for as long as a call and a write may take', async () => {
  const shop = await rawShop()
  const taken: unknown[] = []
  const turns = {
    take: async (target: string, keys: readonly string[], _: string, ms: number) => {
      taken.push([target, keys.at(-1), ms])
      return true
    },
    leave: async () => {},
  }
  const {url} = await captureWithRoom(shop.url, 1e9, turns)
  expect((await sendTo(url, event(1))).status).toBe(200)
  expect(taken).toEqual([[shop.url, `event:${eventId(1)}`, 5000 + 15_000]])
})

test('without --max-disk calls may fill 1 GiB, and half of the free space at most', async () => {
  const deps = {countBytes: async () => 1000, now, note: () => {}}
  const limit = async (most: number | undefined, free: number | undefined) =>
    (await DiskQuota.open(most, free, deps)).limitBytes
  expect(await limit(undefined, undefined)).toBe(2 ** 30)
  expect(await limit(undefined, 2 ** 40)).toBe(2 ** 30)
  expect(await limit(undefined, 2 ** 20)).toBe(2 ** 19 + 1000)
  expect(await limit(2 ** 20, 10)).toBe(2 ** 20)
})
