import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {LedgerEntry} from '../../../src/runs/journal/journal-entry.js'
import {HEARTBEAT_MS} from '../../../src/runs/workers/liveness.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import type {ReplayTask} from '../../../src/webhook/replay/replay.js'
import {type RoundRequest, type WatchDeps, watchInbox} from '../../../src/webhook/watch/watch.js'
import {StoppedClock} from '../../support/clock.js'

beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']}))
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A replay that finds nothing to send, and holds an event for each of these reasons. */
const holding = (...details: string[]) =>
  ({
    plan: async () => ({
      ...{sends: 0, total: 0, presentation: {}, summary: {add: () => undefined, describeResults: () => ''}},
      storeInput: async () => undefined,
      listUnsent: async function* () {
        yield details.map(detail => ({item: {key: detail}, result: {}, row: {result: 'held', detail}}))
      },
    }),
  }) as unknown as ReplayTask

const NOTHING = holding()

interface Inbox {
  changes: number
  /** What has changed needs nothing done any more. */
  isDone?: boolean
  /** What has changed is with a capture. */
  readonly isInFlight?: boolean
  /** Events that are `unknown`. */
  readonly unknown?: readonly InboxEvent[]
  /** What the ledger has of any event. */
  readonly ledger?: Partial<LedgerEntry>
}

/** @param openRound makes the replay of a round */
function begin(
  openRound: (inbox: Inbox, narrow: RoundRequest['narrow']) => Promise<ReplayTask>,
  inbox: Inbox = {changes: 0},
  more: {readonly ask?: WatchDeps['ask']; readonly isStopped?: () => boolean} = {},
) {
  const calls: string[] = []
  const note = async (call: string) => void calls.push(call)
  const stop = new AbortController()
  const clock = new StoppedClock()
  const deps: Partial<WatchDeps> = {
    ...{watch: {id: 'w1'} as WatchDeps['watch'], target: 'shop', clock, stopping: stop.signal},
    watches: {
      begin: ({id}) => note(`begin ${id}`),
      writeHeartbeat: id => note(`heartbeat ${id}`),
      readControl: async () => ({
        ...{isPaused: false, askedBy: 'ada on desk'},
        stopReason: more.isStopped?.() ? 'moving' : null,
      }),
      changeControl: async () => true,
      end: id => note(`end ${id}`),
    },
    inbox: {
      readLastPosition: async () => inbox.changes as never,
      listChanges: async (_target, {statuses}, {after}) => {
        const {changes, isDone, isInFlight = false} = inbox
        const length = statuses && isDone ? 0 : changes - Number(after)
        return Array.from({length}, () => ({event: {isInFlight}})) as never
      },
      list: async function* (_target, {statuses}) {
        if (statuses?.join() === 'unknown') yield* inbox.unknown ?? []
        else if (inbox.changes > 0) yield {} as never
      },
    },
    presumeLostAfterMs: 10 * MINUTE_MS,
    store: {
      findLedgerEntries: async (_kind, _target, ids) =>
        new Map(inbox.ledger ? ids.map(id => [id, inbox.ledger as LedgerEntry]) : []),
    },
    refresh: async () => undefined,
    ask: more.ask ?? (async () => ({isGood: true, answer: 'takes events'})),
    note: async () => undefined,
    openRound: async ({narrow}) => ({task: await openRound(inbox, narrow), close: () => note('close')}),
  }
  const ended = watchInbox(deps as WatchDeps).next()
  return {calls, stop, clock, ended}
}

test('a watch with nothing to do writes heartbeats until it ends, and that it has ended', async () => {
  const {calls, stop, ended} = begin(async () => NOTHING)
  await turn()
  for (let beats = 0; beats < 2; beats++) vi.advanceTimersByTime(HEARTBEAT_MS)
  stop.abort()
  expect(await ended).toMatchObject({done: true})
  vi.advanceTimersByTime(10 * HEARTBEAT_MS)
  expect(calls).toEqual(['begin w1', 'heartbeat w1', 'heartbeat w1', 'end w1'])
})

test('what comes during a round is sent within seconds, and what is left is planned again after 10 minutes', async () => {
  const begun: number[] = []
  const {calls, stop, clock, ended} = begin(
    async inbox => {
      begun.push(clock.readTicks())
      // It comes once the plan has read the inbox.
      if (begun.length === 1) inbox.changes++
      return NOTHING
    },
    {changes: 1},
  )
  while (begun.length < 3) await turn()
  stop.abort()
  await ended
  const [first = 0, second = 0, third = 0] = begun
  expect(second - first).toBeLessThan(10_000)
  expect((third - second) / MINUTE_MS).toBeCloseTo(10, 0)
  expect(calls.filter(call => call === 'close')).toHaveLength(3)
})

test.each([
  ['that a capture forwards', 15_000, 'in-flight: a capture forwards it', {isInFlight: true}],
  ['behind one that was delivered since', MINUTE_MS, 'out-of-order: behind another', {isDone: true}],
])('what is held %s is planned again after %i ms', async (_, ms, detail, more) => {
  const begun: number[] = []
  const inbox: Inbox = {changes: 1, ...more}
  const {stop, clock, ended} = begin(async () => {
    begun.push(clock.readTicks())
    inbox.changes++
    return holding(detail)
  }, inbox)
  while (begun.length < 2) await turn()
  stop.abort()
  await ended
  const [first = 0, second = 0] = begun
  expect(second - first).toBeGreaterThanOrEqual(ms)
  expect(second - first).toBeLessThan(ms + 10_000)
})

test.each([
  ['conflict.lease_held', 5000],
  ['usage.where', 30_000],
] as const)('a round that ends with %s is made again after a rest of %i ms', async (code, ms) => {
  const begun: number[] = []
  const {stop, clock, ended} = begin(
    async () => {
      begun.push(clock.readTicks())
      throw new StorectlError(code, 'not now')
    },
    {changes: 1},
  )
  while (begun.length < 2) await turn()
  stop.abort()
  await ended
  const [first = 0, second = 0] = begun
  expect(second - first).toBeGreaterThanOrEqual(ms)
  expect(second - first).toBeLessThan(ms + 10_000)
})

test('a watch whose shop is away ends when a person stops it', async () => {
  let asked = 0
  const ask = async () => {
    if (++asked > 10) throw new Error('it asks on')
    return {isGood: false, answer: 'answered 503'}
  }
  const {calls, ended} = begin(async () => NOTHING, {changes: 1}, {ask, isStopped: () => asked > 3})
  expect(await ended).toMatchObject({done: true})
  expect([asked, calls.at(-1)]).toEqual([4, 'end w1'])
})

const EVENT = {id: 'a', orderingKeys: ['a'], createdAt: new StoppedClock().now(), status: 'failed'}

test.each([
  ['unknown', 4, {status: 'unknown'}, {resultClass: 'unknown', result: 'unknown'}],
  ['refused', 4, {}, {resultClass: 'failed', result: 'rejected'}],
])(
  'what is %s comes again when its time is there, before the next plan would be made',
  async (_, minutes, more, entry) => {
    const begun: number[] = []
    const at = new Date(EVENT.createdAt.getTime() - (10 - minutes) * MINUTE_MS)
    const event = {...EVENT, ...more, changedAt: at} as unknown as InboxEvent
    const inbox = {
      changes: 1,
      ledger: {...entry, at} as LedgerEntry,
      unknown: event.status === 'unknown' ? [event] : [],
    }
    const {stop, clock, ended} = begin(async (_inbox, narrow) => {
      begun.push(clock.readTicks())
      const left = narrow(
        (async function* () {
          yield event
        })(),
      )
      for await (const _left of left);
      return NOTHING
    }, inbox)
    while (begun.length < 2) await turn()
    stop.abort()
    await ended
    expect(((begun[1] ?? 0) - EVENT.createdAt.getTime()) / MINUTE_MS).toBeCloseTo(minutes, 0)
  },
)
