import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {ResolutionRow} from '../../../src/contract/event-rows.js'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords, type Records} from '../../../src/records/index.js'
import {openRun} from '../../../src/runs/open-run.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {markEvents} from '../../../src/webhook/triage/mark-events.js'
import {all, thisMachine} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId} from '../support.js'

const TARGET = 'https://shop.example'
const BATCHES = [
  [1, 2],
  [3, 4],
  [5, 6],
].map(batch => batch.map(eventId))

async function inboxOfSix() {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const events = [1, 2, 3, 4, 5, 6].map(at =>
    readEvent(Buffer.from(JSON.stringify(event(at))), 'test', currentTime()),
  )
  await records.inbox.add(TARGET, events as Parameters<Records['inbox']['add']>[1])
  const run = (...words: string[]) => storectl([...words, '-o', 'json'], {home, env: {STORECTL_URL: TARGET}})
  return {home, records, run}
}

/** Resolves the events in three commits, as a process of this machine whose pid nobody has. */
function resolveSix({runs, inbox}: Records, stopping: AbortSignal, onBatch: (at: number) => unknown) {
  const ids = (async function* () {
    for (const [at, batch] of BATCHES.entries()) {
      await onBatch(at)
      yield batch
    }
  })()
  const machine = {...describeMachine({}), who: 'ada', pid: 4_194_303}
  const clock = new StoppedClock(currentTime().toISOString())
  return markEvents(
    {ids, count: 6, reason: 'old'},
    {
      ...{inbox, target: TARGET, who: 'ada', clock, store: runs, stopping},
      openRun: intent =>
        openRun(
          {...intent, target: TARGET, profile: 'url'},
          {store: runs, machine, clock, random: Math.random},
        ),
    },
  )
}

const results = (rows: readonly ResolutionRow[]) => rows.map(({result}) => result)

test('a resolve that Ctrl-C ends has what it resolved, and its undo puts that back', async () => {
  const {records, run} = await inboxOfSix()
  const stop = new AbortController()
  const marked = resolveSix(records, stop.signal, at => at === 2 && stop.abort())
  expect(results(await all(marked.rows))).toEqual(Array(4).fill('resolved'))
  expect(marked.run.isComplete).toBe(false)
  const id = marked.run.id as string
  const shown = JSON.parse((await run('run', 'show', id)).stdout)
  expect([shown.state, shown.verdict]).toEqual(['stopped', 'Stopped: 4 of 6 events resolved, 2 not sent.'])
  const undone = await run('webhook', 'resolve', '--undo', id, '--yes')
  expect([undone.exit, results(JSON.parse(undone.stdout))]).toEqual([0, Array(4).fill('reopened')])
  expect(JSON.parse((await run('webhook', 'list', '--status', 'resolved')).stdout)).toEqual([])
  expect((await run('run', 'verify', '--all')).exit).toBe(0)
  await records.close()
})

test('run stop ends a resolve at its next commit, and a reader that leaves ends it too', async () => {
  const {records, run} = await inboxOfSix()
  const never = new AbortController().signal
  const stopped = resolveSix(records, never, async at => {
    if (at === 1) await records.runs.halt(stopped.run.id as string, {code: 'x.y', reason: 'stopped by bob'})
  })
  expect(await all(stopped.rows)).toHaveLength(2)
  const shown = JSON.parse((await run('run', 'show', stopped.run.id as string)).stdout)
  expect(shown).toMatchObject({state: 'stopped', stopReason: 'stopped by bob', counts: {resolved: 2}})
  const left = resolveSix(records, never, () => {})
  for await (const _ of left.rows) break
  expect((await records.runs.find(left.run.id as string))[0]).toMatchObject({state: 'stopped'})
  await records.close()
})

test('a resolve whose process was killed has what it resolved, and its undo closes it first', async () => {
  const {records, run} = await inboxOfSix()
  const killed = resolveSix(records, new AbortController().signal, at => at === 2 && new Promise(() => {}))
  const rows = killed.rows[Symbol.asyncIterator]()
  for (let at = 0; at < 4; at++) await rows.next()
  const id = killed.run.id as string
  const list = async () => JSON.parse((await run('run', 'list', '--kind', 'resolve')).stdout)[0]
  expect(await list()).toMatchObject({id, state: 'unresponsive', counts: {resolved: 4}})
  // It is in nobody's way.
  const other = await run('webhook', 'resolve', eventId(5), '--reason', 'y')
  expect([other.exit, JSON.parse(other.stdout)]).toMatchObject([0, [{id: eventId(5), result: 'resolved'}]])
  const undone = await run('webhook', 'resolve', '--undo', id, '--yes')
  expect([undone.exit, JSON.parse(undone.stdout)]).toMatchObject([
    0,
    [1, 2, 3, 4].map(at => ({id: eventId(at), result: 'reopened'})),
  ])
  const runs = JSON.parse((await run('run', 'list', '--kind', 'resolve')).stdout)
  expect(runs.map(({state}: {state: string}) => state)).toEqual(['completed', 'interrupted'])
  expect((await run('run', 'verify', '--all')).exit).toBe(0)
  await records.close()
})

test('a resolve that is at work is not taken back, and another one does not wait for it', async () => {
  const {records, run} = await inboxOfSix()
  const {inbox, runs} = records
  const clock = new StoppedClock()
  const machine = {...thisMachine, host: 'elsewhere'}
  const opened = await openRun(
    {kind: 'resolve', target: TARGET, profile: 'url', reason: 'x', options: {}, total: 1},
    {store: runs, machine, clock, random: Math.random},
  )
  const marking = {at: currentTime(), who: 'ada', reason: 'x', run: opened.ref}
  await inbox.resolve(TARGET, [eventId(1)], marking)
  const undone = await run('webhook', 'resolve', '--undo', opened.id)
  expect([undone.exit, undone.stderr]).toEqual([8, expect.stringContaining('It is running')])
  const other = await run('webhook', 'resolve', eventId(2), '--reason', 'y')
  expect([other.exit, results(JSON.parse(other.stdout))]).toEqual([0, ['resolved']])
  await opened.end({isComplete: true})
  await records.close()
})

test('the row of an event has its order and its amount, where the inbox knows them', async () => {
  const {records} = await inboxOfSix()
  const {traits} = (await all(records.inbox.list(TARGET, {ids: [eventId(2)]})))[0] as {
    traits: {keyText: string}
  }
  await records.inbox.noteOrders(TARGET, new Map([[traits.keyText, '10002']]))
  const {rows} = resolveSix(records, new AbortController().signal, () => undefined)
  const amount = {value: '10.00', currency: 'EUR'}
  expect((await all(rows)).slice(0, 3)).toEqual([
    {id: eventId(1), result: 'resolved', orderNumber: null, amount},
    {id: eventId(2), result: 'resolved', orderNumber: '10002', amount},
    {id: eventId(3), result: 'resolved', orderNumber: null, amount},
  ])
  await records.close()
})
