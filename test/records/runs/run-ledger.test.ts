import {describe, expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Records} from '../../../src/records/index.js'
import {createRunStore} from '../../../src/records/runs/runs.js'
import {recordsSchema} from '../../../src/records/schema/initial-schema.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {appendToChain, computeChainOrigin} from '../../../src/runs/journal/hash-chain.js'
import type {RunStore} from '../../../src/runs/journal/run-store.js'
import type {OpenRun} from '../../../src/runs/open-run.js'
import {verifyRuns} from '../../../src/runs/report/verify-runs.js'
import {takeOver} from '../../../src/runs/workers/take-over.js'
import type {DatabaseLocation} from '../../../src/storage/engine/database.js'
import {openDatabase} from '../../../src/storage/index.js'
import type {WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {all, begun, intent, openMarking, thisMachine, UNHEARD} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt, tablesAt} from '../support.js'

const entry = (item: string) => ({item, orderingKey: item, contentHash: 'c0ffee', attempt: 1})
const amount = (value: string, currency = 'EUR') => ({amount: {value, currency}})

async function* planned(items: readonly string[]) {
  for (const item of items) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

async function apply(run: OpenRun, item: string, facts = amount('10.50')): Promise<void> {
  await run.journal.write({kind: 'intent', ...entry(item), facts})
  await run.journal.write({kind: 'result', ...entry(item), facts, resultClass: 'done', result: 'applied'})
}

/** Rows of the ledger of runs, with what they say. */
async function readLedger({runs}: {runs: RunStore}) {
  const rows = await all(runs.listRunLedger())
  return rows.map(({number, kind, runId, content}) => ({...JSON.parse(content), number, kind, runId}))
}

/** What is not verified. */
async function listProblems({runs}: {runs: RunStore}) {
  const rows = await all(verifyRuns(runs, {run: undefined, sealed: undefined}, thisMachine))
  return rows.flatMap(({id, problem}) => (problem === null ? [] : [{id, problem}]))
}

function readArrived(id: string): WebhookEvent {
  const at = new Date('2026-11-21T12:00:00Z')
  const body = JSON.stringify({id, create_time: at.toISOString(), event_type: 'PAYMENT.CAPTURE.COMPLETED'})
  const read = readEvent(Buffer.from(body), 'file', at)
  if ('unusable' in read) throw new Error(read.unusable)
  return read
}

/** A run as the version before the ledger stored it. @returns its id */
async function writeOldRun(place: DatabaseLocation): Promise<string> {
  const old = await openDatabase<RecordsTables>(place, {
    migrations: [recordsSchema],
    now: currentTime,
  })
  const at = currentTime()
  const run = {...intent, ...thisMachine, id: 'old', startedAt: at, total: 1, continues: null}
  const written = {...entry('a'), attempt: 0, kind: 'result', resultClass: 'done', result: 'applied'} as const
  const position = {runId: run.id, worker: run.id, sequence: 1, at}
  const {hash} = appendToChain(written, position, computeChainOrigin(run))
  const {kind, target, profile, who, host, pid, processStart, total} = run
  const times = {started_at_ms: at.getTime(), heartbeat_at_ms: at.getTime()}
  await old.writes.run(async db => {
    const process = {who, host, pid, process_start: processStart}
    await db
      .insertInto('run')
      .values({
        ...{
          id: run.id,
          kind,
          target,
          profile,
          ...process,
          ...times,
          total,
          state: 'completed',
          options: '{}',
        },
        ...{counts: '{"applied":1}', ended_at_ms: at.getTime()},
      } as RecordsTables['run'])
      .execute()
    await db
      .insertInto('run_worker')
      .values({
        ...{
          run_id: run.id,
          worker: run.id,
          ...process,
          ...times,
          state: 'left',
          counts: '{}',
          done: 1,
          failed: 0,
        },
      } as RecordsTables['run_worker'])
      .execute()
    await db
      .insertInto('run_record')
      .values({
        ...{
          run_id: run.id,
          worker: run.id,
          sequence: 1,
          at_ms: at.getTime(),
          kind: 'result',
          item: 'a',
          hash,
        },
        ...{ordering_key: 'a', content_hash: 'c0ffee', attempt: 0, result_class: 'done', result: 'applied'},
      } as RecordsTables['run_record'])
      .execute()
  })
  await old.close()
  return run.id
}

const gone = {...thisMachine, isAlive: () => false}

describe.each(ENGINES)('the ledger of runs in $name', engine => {
  test('tells how each run opened and ended', async () => {
    const place = await freshPlace(engine)
    const records = await recordsAt(place)
    const {runs} = records
    const clock = new StoppedClock()
    const next = async (changes = {}) => {
      clock.advance(1000)
      const run = await begun(runs, clock, changes)
      await run.storePlan(2, 2, planned(['a', 'b']))
      return run
    }
    const stopped = await next()
    await apply(stopped, 'a')
    await apply(stopped, 'b', amount('3000', 'JPY'))
    await stopped.end({isComplete: false, halt: new StorectlError('stopped.breaker_open', 'too many')})
    const dead = await next({continues: stopped.id})
    await apply(dead, 'a')
    for (const item of ['b', 'c'])
      await dead.journal.write({kind: 'intent', ...entry(item), facts: amount('2')})
    dead.stopHeartbeat()
    const failing = await next({machine: gone})
    await apply(failing, 'a')
    await failing.fail()
    const discarded = await next()
    await discarded.discard()
    const unplanned = await begun(runs, clock)
    await unplanned.discard()
    const taken = await next()
    taken.stopHeartbeat()
    const [row] = await runs.find(taken.id)
    if (row) await takeOver(row, true, {store: runs, machine: gone, clock})
    expect(await readLedger(records)).toMatchObject([
      {number: 1, kind: 'opened', runId: stopped.id, total: 2, who: 'ada', continues: null},
      {
        ...{number: 2, kind: 'closed', runId: stopped.id, state: 'stopped', stopReason: 'too many'},
        ...{counts: {applied: 2}, amounts: {applied: {EUR: '10.50', JPY: '3000'}}},
      },
      {number: 3, kind: 'resumed', runId: dead.id, continues: stopped.id},
      {
        ...{number: 4, kind: 'found-dead', runId: dead.id, state: 'interrupted', by: failing.id},
        ...{counts: {applied: 1, unknown: 2}, amounts: {applied: {EUR: '10.50'}, unknown: {EUR: '4'}}},
        ends: [{worker: dead.id, sequence: 4}, {sequence: 2}],
      },
      {number: 5, kind: 'opened', runId: failing.id},
      {number: 6, kind: 'closed', runId: failing.id, state: 'interrupted', counts: {applied: 1}},
      {number: 7, kind: 'opened', runId: discarded.id},
      {number: 8, kind: 'discarded', runId: discarded.id},
      {number: 9, kind: 'opened', runId: taken.id},
      {number: 10, kind: 'taken-over', runId: taken.id, by: 'ada on desk', counts: {}},
    ])
    expect(await listProblems(records)).toEqual([])
  })

  test('has no gap after four runs of two operators at once, one of which was killed', async () => {
    const place = await freshPlace(engine)
    const operators = [await recordsAt(place), await recordsAt(place)] as const
    const clock = new StoppedClock()
    const items = Array.from({length: 30}, (_, at) => `item ${at}`)
    const runs = await Promise.all(
      Array.from({length: 4}, async (_, at) => {
        const {runs} = operators[at % 2] as Records
        const run = await begun(runs, clock, {
          target: `https://${at}.example`,
        })
        await run.storePlan(items.length, items.length, planned(items))
        await Promise.all(items.slice(0, at === 3 ? 10 : 30).map(item => apply(run, item)))
        if (at === 3) run.stopHeartbeat()
        else await run.end({isComplete: true})
        return run
      }),
    )
    const [records] = operators
    const ledger = await readLedger(records)
    expect(ledger.map(({number}) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await listProblems(records)).toEqual([])
    const killed = runs[3] as OpenRun
    const rows = await all(verifyRuns(records.runs, {run: killed.id, sealed: undefined}, gone))
    expect(rows).toMatchObject([
      {
        state: 'unresponsive',
        auditLog: 'unclosed',
        problem: expect.stringContaining('closed without a ledger row'),
      },
    ])
    const next = await begun(records.runs, clock, {target: 'https://3.example', total: 0, machine: gone})
    await next.end({isComplete: true})
    const after = await readLedger(records)
    expect(after.slice(7)).toMatchObject([
      {kind: 'found-dead', runId: killed.id, counts: {applied: 10}, amounts: {applied: {EUR: '105.00'}}},
      {kind: 'opened', runId: next.id},
      {kind: 'closed', runId: next.id},
    ])
    expect(await listProblems(records)).toEqual([])
  })

  test('costs no commit of its own at the start of a run or at its end', async () => {
    const database = await tablesAt(await freshPlace(engine))
    let commits = 0
    const run: typeof database.writes.run = (...write) => {
      commits++
      return database.writes.run(...write)
    }
    const store = createRunStore({...database, writes: {...database.writes, run}}, UNHEARD)
    const clock = new StoppedClock()
    const opened = await begun(store, clock, {total: 1})
    expect([commits, (await readLedger({runs: store})).length]).toEqual([1, 1])
    await apply(opened, 'a')
    const before = commits
    await opened.end({isComplete: true})
    expect([commits, (await readLedger({runs: store})).length]).toEqual([before + 1, 2])
  })

  test('has the opening and the end of each run that marks events, without its reason, and each prune that changed anything', async () => {
    const records = await recordsAt(await freshPlace(engine))
    const {inbox} = records
    await inbox.add('shop', [readArrived('A'), readArrived('B')])
    const {end, ...resolving} = await openMarking(records.runs, 'shop', {reason: 'ticket 1'})
    await inbox.resolve('shop', ['A', 'B', 'C'], resolving)
    await inbox.resolve('shop', ['A'], resolving)
    await end()
    const undoing = await openMarking(records.runs, 'shop', {kind: 'undo'})
    const undone = await inbox.reopen('shop', ['B'], {...undoing, resolvedBy: resolving.run.id})
    expect([...undone]).toMatchObject([['B', {result: 'reopened'}]])
    await undoing.end()
    const outdated = {before: currentTime(), keepFailed: false}
    await inbox.prune('shop', outdated, {who: 'ada', events: 2})
    await inbox.prune('shop', outdated, {who: 'ada', events: 0})
    expect(await readLedger(records)).toMatchObject([
      {number: 1, kind: 'opened', runId: resolving.run.id, target: 'shop'},
      {
        ...{number: 2, kind: 'closed', runId: resolving.run.id},
        counts: {resolved: 2, 'not-found': 1, 'was-resolved': 1},
      },
      {number: 3, kind: 'opened', runId: undoing.run.id},
      {number: 4, kind: 'closed', counts: {reopened: 1}},
      {number: 5, kind: 'pruned', target: 'shop', who: 'ada', events: 2, keepFailed: false},
    ])
    expect(JSON.stringify(await readLedger(records))).not.toContain('ticket 1')
    expect(await listProblems(records)).toEqual([])
  })

  test('begins with the runs that were there before it', async () => {
    const place = await freshPlace(engine)
    const id = await writeOldRun(place)
    const records = await recordsAt(place)
    expect(await readLedger(records)).toMatchObject([
      {
        number: 1,
        kind: 'adopted',
        runId: id,
        state: 'completed',
        counts: {applied: 1},
        ends: [{sequence: 1}],
      },
    ])
    expect(await listProblems(records)).toEqual([])
    const {writes} = await tablesAt(place)
    await writes.run(db => db.deleteFrom('run_record').execute())
    expect(await listProblems(records)).toMatchObject([{id, problem: expect.stringContaining('0 of 1')}])
  })
})
