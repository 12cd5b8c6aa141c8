import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {Presenter} from '../../src/output/presenter.js'
import type {WatchRow} from '../../src/runs/journal/watch-store.js'
import {presentStatus} from '../../src/status/present-status.js'
import {collectShift} from '../../src/status/shift.js'
import {collectStatus, type ShopSources} from '../../src/status/shop-status.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'
import {begun, store, thisMachine} from '../runs/support.js'
import {StoppedClock} from '../support/clock.js'

const HOUR_MS = 3_600_000
const NOW = new StoppedClock().now()
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)
const TARGET = 'https://shop.example'

async function* none() {}

/** A shop that is signed in, without anything. */
const QUIET = {
  ...{target: TARGET, machine: thisMachine, now: NOW, since: undefined, shopWords: ''},
  signIn: {profile: 'shop', url: TARGET, signedIn: true, expiresAt: null, problem: null},
  inbox: {
    ...{list: none, readPosition: async () => undefined},
    ...{countGroups: async () => [], sumGroups: async () => new Map()},
  },
  runs: {list: none, findHeldDetails: async () => new Map()},
  ...{captures: {listHeartbeats: async () => []}, watches: {list: none}},
  ...{findComparison: async () => null, examineShop: () => []},
} as unknown as ShopSources

test('events that failed lately are the matter of a watch at work, and never of a paused one; what is held is for a person', async () => {
  const {host, pid, processStart} = thisMachine
  const see = async (watch: Partial<WatchRow> | undefined, createdAt: Date, isHeld = false) => {
    const event = {id: 'a', status: 'failed', isInFlight: false, createdAt, traits: {}} as InboxEvent
    const row = {host, pid, processStart, heartbeatAt: NOW, heartbeatAgeMs: 0, endedAt: null, probe: null}
    const {problems} = await collectStatus({
      ...QUIET,
      inbox: {
        ...QUIET.inbox,
        list: async function* () {
          yield event
        },
      },
      runs: {...QUIET.runs, findHeldDetails: async () => new Map(isHeld ? [['a', 'not-found']] : [])},
      watches: {
        list: async function* () {
          if (watch) yield {...row, awaySince: null, isPaused: false, ...watch} as WatchRow
        },
      },
    })
    return problems
  }
  const failed = ['1 event failed']
  expect(await see(undefined, ago(1))).toEqual(failed)
  expect(await see({}, ago(1))).toEqual([])
  expect(await see({awaySince: ago(1)}, ago(1))).toEqual([])
  expect(await see({isPaused: true}, ago(1))).toEqual(failed)
  expect(await see({}, ago(25))).toEqual(failed)
  expect(await see({}, ago(1), true)).toEqual(['1 event held'])
})

test('all runs that are under way or were interrupted are named, of every kind, and of other shops none', async () => {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const kinds = ['replay', 'submit', 'resolve', 'resolve', 'undo'] as const
  for (const kind of kinds) await begun(runs, clock, {kind})
  const other = 'https://other.example'
  const {ref} = await begun(runs, clock, {kind: 'repair', target: other})
  await runs.interrupt(ref, () => [], 'ada on desk')
  // What an undo has closed is over: nothing resumes it.
  const undone = await begun(runs, clock, {kind: 'resolve'})
  await runs.interrupt(undone.ref, () => [], 'ada on desk')
  const seen = await collectStatus({...QUIET, runs})
  expect(seen.runs.map(({kind, state}) => `${kind} ${state}`).sort()).toEqual(
    kinds.map(kind => `${kind} running`).sort(),
  )
  const {runs: ofOther} = await collectStatus({...QUIET, runs, target: other})
  expect(ofOther).toMatchObject([{kind: 'repair', state: 'interrupted'}])
})

test('what was done since a time is what ended since then, or has not ended, whenever it began', async () => {
  const clock = new StoppedClock(ago(10).toISOString())
  const runs = await store(clock)
  const before = await begun(runs, clock, {kind: 'resolve'})
  const during = await begun(runs, clock, {kind: 'resolve'})
  const open = await begun(runs, clock, {kind: 'resolve'})
  clock.advance(HOUR_MS)
  await before.end({isComplete: true})
  clock.advance(6 * HOUR_MS)
  await during.end({isComplete: true})
  const shift = await collectShift(ago(8), {...QUIET, runs})
  expect(new Set(shift.runs.map(({id}) => id))).toEqual(new Set([during.id, open.id]))
})

test('the note for the next shift shows texts of others as texts', async () => {
  const problem = new StorectlError('auth.refused', '<img src=x> | **shop**\u001b[2J')
  const row = await collectStatus({...QUIET, signIn: {...QUIET.signIn, signedIn: false, problem}})
  let note = ''
  const write = async (text: string) => {
    note += text
  }
  await presentStatus([row], {isAll: false, now: NOW}, {format: 'markdown', write} as unknown as Presenter)
  expect(note).toContain('## What is open')
  for (const text of ['<img', '**shop', ' | \\*', '\u001b']) expect(note).not.toContain(text)
})
