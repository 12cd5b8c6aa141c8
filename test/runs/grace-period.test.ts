import {describe, expect, test} from 'vitest'
import type {Item, ProbeResult, Result} from '../../src/runs/journal/item.js'
import type {NewEntry} from '../../src/runs/journal/journal-entry.js'
import {AdaptiveRate} from '../../src/runs/pool/adaptive-rate.js'
import type {StopLimits} from '../../src/runs/pool/circuit-breaker.js'
import {
  awaitEnd,
  describeGivenUp,
  isPresumedLost,
  resolveEarlierAttempt,
} from '../../src/runs/pool/grace-period.js'
import {WorkerPool} from '../../src/runs/pool/pool.js'
import {RunSignals} from '../../src/runs/workers/run-signals.js'
import {WorkClaimer} from '../../src/runs/workers/work-claimer.js'
import {VirtualClock} from '../support/clock.js'
import {sized} from '../support/sized.js'
import {applied, item} from './support.js'

const IN_DOUBT = {resultClass: 'unknown', result: 'unknown', status: 504, exit: 'unavailable'} as const

/** Looks at an item in doubt until it ends, and tells when that was done, in seconds after the answer. */
async function waitFor(answer: Result, given: {graceMs?: number; probe?: (atS: number) => ProbeResult} = {}) {
  const {graceMs, probe = () => 'not-applied' as const} = given
  const clock = new VirtualClock()
  const begunMs = clock.nowMs
  const closing = new AbortController()
  const looks: number[] = []
  const look = async () => {
    const atS = (clock.nowMs - begunMs) / 1000
    looks.push(atS)
    return probe(atS)
  }
  const deps = {operation: {probe: look}, clock, graceMs, closing: closing.signal, random: () => 0}
  const ended = awaitEnd(item('a'), answer, deps)
  return {ended, looks, closing, clock}
}

describe('a call that was given up', () => {
  test.each([
    [undefined, [0, 2, 5, 10, 20, 40, 60]],
    [0, [0]],
    [7000, [0, 2, 5, 7]],
    [200_000, [0, 2, 5, 10, 20, 40, 80, 160, 200]],
  ])('with a grace period of %j ms is looked for at %j s', async (graceMs, expected) => {
    const {ended, looks} = await waitFor(IN_DOUBT, graceMs === undefined ? {} : {graceMs})
    expect(await ended).toMatchObject({resultClass: 'unknown', status: 504})
    expect(looks).toEqual(expected)
  })

  test('is applied as soon as a look shows it, under the status that it was answered', async () => {
    const shown: Result = {resultClass: 'done', result: 'applied'}
    const {ended, looks} = await waitFor(IN_DOUBT, {probe: atS => (atS >= 8 ? shown : 'not-applied')})
    expect(await ended).toMatchObject({result: 'applied', status: 504})
    expect(looks).toEqual([0, 2, 5, 10])
  })

  test('is unknown at once where no state can show it', async () => {
    const {ended, looks} = await waitFor(IN_DOUBT, {probe: () => 'cannot-tell'})
    expect([await ended, looks]).toMatchObject([{resultClass: 'unknown'}, [0]])
  })

  test('is looked for once more when the run closes', async () => {
    const {ended, looks, closing, clock} = await waitFor(IN_DOUBT)
    void clock.sleep(7000).then(() => closing.abort())
    expect(await ended).toMatchObject({resultClass: 'unknown'})
    expect(looks).toEqual([0, 2, 5, 7])
  })
})

describe('a call that was refused at once', () => {
  const refused = {...IN_DOUBT, status: 503, doubt: 'refused'} as const

  test('may be sent again once two looks, 2 s and 5 s later, show no change', async () => {
    const {ended, looks} = await waitFor(refused)
    expect(await ended).toMatchObject({resultClass: 'later', status: 503})
    expect(looks).toEqual([0, 2, 5])
  })

  test('is sent again no sooner than it asks for', async () => {
    const {ended, looks} = await waitFor({...refused, retryAfterMs: 30_000})
    expect(await ended).toMatchObject({resultClass: 'later'})
    expect(looks).toEqual([0, 2, 30])
  })

  test('stays unknown where one of the looks got no answer', async () => {
    const {ended} = await waitFor(refused, {probe: atS => (atS === 2 ? 'not-now' : 'not-applied')})
    expect(await ended).toMatchObject({resultClass: 'unknown'})
  })
})

test.each<[string, ProbeResult, string | undefined, string]>([
  ['without an effect for ten minutes', 'not-applied', '2026-11-21T11:50:00.000Z', 'later'],
  ['without an effect for less', 'not-applied', '2026-11-21T11:50:00.001Z', 'unknown'],
  ['without an effect since nobody knows when', 'not-applied', undefined, 'unknown'],
  ['whose effect no state shows', 'cannot-tell', '2026-11-01T12:00:00.000Z', 'unknown'],
  ['whose effect cannot be looked up', 'not-now', '2026-11-01T12:00:00.000Z', 'unknown'],
])('an attempt of an earlier run %s is %s', async (_, probed, endedAt, expected) => {
  const clock = new VirtualClock()
  const deps = {
    ...{operation: {probe: async () => probed}, clock, closing: new AbortController().signal},
    ...{random: () => 0, retries: 1, graceMs: 0, presumeLostAfterMs: 600_000},
  }
  const facts = {before: 'open', ...(endedAt === undefined ? {} : {endedAt})}
  const end = await resolveEarlierAttempt({...item('a', 'a', true), attemptFacts: facts}, deps)
  expect(end).toMatchObject({resultClass: expected, facts})
})

test('a worker claims more while what it has is in doubt', async () => {
  let claims = 0
  const signals = new RunSignals()
  const claimer = new WorkClaimer<string>(
    {id: 'run', kind: 'replay', target: 'shop', worker: 'run'},
    signals,
    {
      store: {
        claim: async () => ({block: {number: ++claims, isAgain: false}, others: 0}),
        finish: async () => {},
        readBlock: async (_, block) => [
          {item: `item ${block}`, orderingKey: `key ${block}`, isUnsure: false, metadata: null},
        ],
        findEarlierAttempts: async () => new Map(),
      },
      ...{isFounder: false, readConcurrency: () => 1, canary: 0, waitsForPeers: false},
      read: async items => items.map(each => item(each.item, each.orderingKey)),
      note: async () => {},
    },
  )
  const items = claimer.claimItems()
  for (let taken = 0; taken < 2; taken++) await items.next()
  const next = items.next()
  expect(await Promise.race([next, new Promise(resolve => setImmediate(() => resolve('waits')))])).toBe(
    'waits',
  )
  signals.inDoubt.tell(1)
  expect((await next).value).toMatchObject({key: 'item 3'})
})

test('an attempt counts as not applied ten minutes after its end, and never where that is not known', () => {
  const ended = new Date('2026-11-20T12:00:30.000Z')
  const at = (time: string) => isPresumedLost(ended, new Date(`2026-11-20T${time}Z`), 600_000)
  expect([at('12:10:29.999'), at('12:10:30.000')]).toEqual([false, true])
  expect(isPresumedLost(ended, new Date('2027-01-01'), undefined)).toBe(false)
  expect(isPresumedLost(undefined, new Date('2027-01-01'), 600_000)).toBe(false)
  expect(describeGivenUp(ended, 600_000, 'a change')).toBe(
    'an attempt that ended at 2026-11-20T12:00Z may still be at work; without a change it counts as not applied from 2026-11-20T12:11Z',
  )
})

/** How a run of the test's own went. */
interface Ran {
  readonly results: readonly string[]
  readonly calls: number
  readonly tookS: number
  readonly halt: string | undefined
  readonly mostInDoubt: number
  readonly mostActive: number
  /** Lines for the person. */
  readonly notes: readonly string[]
  /** What a bar shows of calls in doubt, each time that it changes. */
  readonly shown: readonly (string | undefined)[]
}

interface Run {
  readonly count: number
  readonly answer: (index: number) => Result
  readonly probe?: (item: Item<string>) => ProbeResult
  readonly limits?: StopLimits
  readonly concurrency: number
  readonly rate: 'auto' | number
  readonly keys?: number
}

/** Sends items whose answers take 0.1 s. */
async function run({count, answer, probe = () => 'not-applied', limits = {}, ...more}: Run): Promise<Ran> {
  const {concurrency, rate, keys = count} = more
  const clock = new VirtualClock()
  const begunMs = clock.nowMs
  const adaptive = new AdaptiveRate(clock)
  const results: string[] = []
  const entries: NewEntry[] = []
  const ran = {calls: 0, active: 0, mostActive: 0, mostInDoubt: 0}
  const notes: string[] = []
  const shown: (string | undefined)[] = [undefined]
  function* items() {
    for (let index = 0; index < count; index++) yield item(`${index}`, `key ${index % keys}`)
  }
  const signals = new RunSignals()
  signals.inDoubt.listen(inDoubt => {
    ran.mostInDoubt = Math.max(ran.mostInDoubt, inDoubt)
  })
  const pool = new WorkerPool(items(), {
    signals,
    operation: {
      prepare: async () => 'send',
      execute: async ({key}) => {
        ran.mostActive = Math.max(ran.mostActive, ++ran.active)
        ran.calls++
        await clock.sleep(100)
        ran.active--
        return answer(Number(key))
      },
      probe: async each => {
        if (pool.inDoubt !== shown.at(-1)) shown.push(pool.inDoubt)
        return probe(each)
      },
    },
    note: async text => void notes.push(text),
    journal: {
      write: async entry => {
        entries.push(entry)
      },
    },
    ...{clock, limits, retries: 3, blocksKey: true, random: () => 0.5},
    readConcurrency: () => concurrency,
    ratePerSecond: () => (rate === 'auto' ? adaptive.perSecond : rate),
    onCall: call => adaptive.note(call),
    onResult: ({result}) => results.push(result),
    countUnread: () => 0,
    stopping: new AbortController().signal,
  })
  await pool.run()
  return {
    ...ran,
    notes,
    shown: [...shown, pool.inDoubt],
    results,
    halt: signals.halt?.code,
    tookS: (clock.nowMs - begunMs) / 1000,
  }
}

const EVENTS = {concurrency: 4, rate: 'auto'} as const
const ORDERS = {concurrency: 10, rate: 0} as const
const EVENT_LIMITS = {canary: 5, failuresInARow: 5, failureRate: 0.2}
const ORDER_LIMITS = {unavailableInARow: 20}

describe.each([
  ['4,000 events', {...EVENTS, count: sized(1000, 4000)}, EVENT_LIMITS],
  ['10,000 orders', {...ORDERS, count: sized(3000, 10_000)}, ORDER_LIMITS],
] as const)('%s', (_, kind, limits) => {
  test('of which 10 % are answered 504 without effect take at most 2 minutes longer', async () => {
    const without = await run({...kind, answer: () => applied})
    const some = await run({...kind, answer: index => (index % 10 === 0 ? IN_DOUBT : applied)})
    expect(some.results).toHaveLength(kind.count)
    expect(some.results.filter(result => result === 'unknown')).toHaveLength(kind.count / 10)
    expect([some.calls, some.halt]).toEqual([kind.count, undefined])
    expect(some.tookS - without.tookS).toBeLessThanOrEqual(120)
    expect(some.mostInDoubt).toBeLessThanOrEqual(1000)
    expect(some.mostActive).toBeLessThanOrEqual(kind.concurrency)
  })

  test('that are all answered 504 stop in 70 s after at most 5 calls', async () => {
    const {calls, tookS, halt} = await run({...kind, limits, answer: () => IN_DOUBT})
    expect(calls).toBeLessThanOrEqual(5)
    expect(tookS).toBeLessThanOrEqual(70)
    expect(halt).toMatch(/^stopped\./)
  })
})

test('20 in doubt and nothing applied for 20 s: nothing new starts until one of them ends', async () => {
  const {calls, halt, mostInDoubt} = await run({
    ...{...EVENTS, rate: 5, count: 200, limits: {failuresInARow: 5}},
    answer: index => (index < 30 ? applied : IN_DOUBT),
  })
  expect(halt).toBe('stopped.breaker_open')
  expect(mostInDoubt).toBeGreaterThan(90)
  expect(mostInDoubt).toBeLessThan(110)
  expect(calls).toBeLessThan(150)
})

test('nothing starts beside a canary in doubt', async () => {
  const {calls, halt} = await run({
    ...{...EVENTS, concurrency: 1, count: 20, limits: {canary: 5}},
    answer: index => (index === 1 ? IN_DOUBT : applied),
  })
  expect([calls, halt]).toEqual([2, 'stopped.canary_failed'])
})

test('the ordering key of an item in doubt stays closed, and an unknown end blocks it', async () => {
  const {calls, results} = await run({...EVENTS, count: 3, keys: 1, answer: () => IN_DOUBT})
  expect([calls, results]).toEqual([1, ['unknown', 'held', 'held']])
})

test('at most 1,000 are in doubt', async () => {
  const {mostInDoubt, calls} = await run({
    ...{...ORDERS, count: 2200, concurrency: 64},
    answer: index => (index % 2 === 0 ? IN_DOUBT : applied),
  })
  expect([mostInDoubt, calls]).toEqual([1000, 2200])
})

describe('calls in doubt are said on stderr', () => {
  test('once a run, since when and until when', async () => {
    const {notes, shown} = await run({
      ...{...EVENTS, concurrency: 1, rate: 0, count: 40},
      answer: index => (index % 10 === 5 ? IN_DOUBT : applied),
    })
    expect(notes).toEqual([
      'calls in doubt: 1, since 2026-11-21T12:00:00Z; given up, though the shop may still be at work; looking for an effect until 2026-11-21T12:01:00Z',
    ])
    expect(shown).toContain('4 in doubt until 12:01:03Z')
    expect(shown.at(-1)).toBeUndefined()
  })

  test('and once more when so many are in doubt that nothing new starts', async () => {
    const {notes} = await run({
      ...{...EVENTS, rate: 5, count: 200, limits: {failuresInARow: 5}},
      answer: index => (index < 30 ? applied : IN_DOUBT),
    })
    expect(notes).toEqual([
      expect.stringContaining('calls in doubt: 1, since'),
      expect.stringMatching(/^calls in doubt: \d+, since .*; nothing new starts until one of them ends$/),
    ])
  })

  test.each([20, 3])(
    'with the hint that nothing new starts, where that is so at once for some of %i',
    async count => {
      const {notes} = await run({
        ...{...EVENTS, concurrency: 1, count, limits: {canary: 5}},
        answer: index => (index === 1 ? IN_DOUBT : applied),
      })
      expect(notes).toEqual([expect.stringMatching(/^calls in doubt: 1, .*; nothing new starts meanwhile$/)])
    },
  )

  test('and not where nothing is waited for', async () => {
    const {notes} = await run({...EVENTS, count: 4, answer: () => applied})
    expect(notes).toEqual([])
  })
})
