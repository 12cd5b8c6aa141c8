import {afterEach, beforeEach, expect, test, vi} from 'vitest'
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

/** A replay that finds nothing to send. */
const NOTHING = {
  plan: async () => ({
    ...{sends: 0, total: 0, presentation: {}, summary: {describeResults: () => ''}},
    storeInput: async () => undefined,
    listUnsent: async function* () {},
  }),
} as unknown as ReplayTask

interface Inbox {
  changes: number
  /** Events that are `unknown`. */
  readonly unknown?: readonly InboxEvent[]
  /** What the ledger has of any event. */
  readonly ledger?: Partial<LedgerEntry>
}

/** @param openRound makes the replay of a round */
function begin(
  openRound: (inbox: Inbox, narrow: RoundRequest['narrow']) => Promise<ReplayTask>,
  inbox: Inbox = {changes: 0},
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
      readControl: async () => ({isPaused: false, stopReason: null, askedBy: null}),
      changeControl: async () => true,
      end: id => note(`end ${id}`),
    },
    inbox: {
      readLastPosition: async () => inbox.changes as never,
      listChanges: async (_target, _query, {after}) =>
        Array.from({length: inbox.changes - Number(after)}, () => ({event: {isInFlight: false}})) as never,
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
    ask: async () => ({isGood: true, answer: 'takes events'}),
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
