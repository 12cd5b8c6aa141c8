import {join} from 'node:path'
import {sql} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {createRunStore} from '../../src/records/runs/runs.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {Execution} from '../../src/runs/execution.js'
import {presentRun} from '../../src/runs/report/present-run.js'
import {verifyRuns} from '../../src/runs/report/verify-runs.js'
import {openDatabase} from '../../src/storage/index.js'
import {DatabaseAwayError, explainPostgresError} from '../../src/storage/postgres/errors.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {all, applied, begun, emptySummary, item, thisMachine, UNHEARD, UNPRESENTED} from './support.js'

test('a full disk during a run names the run, what was in flight and how to resume', async () => {
  const clock = new StoppedClock()
  const location = join(temporaryFolder(), 'records.db')
  const database = await openDatabase<RecordsTables>(location, {
    migrations: recordsMigrations,
    now: () => clock.now(),
  })
  onTestFinished(() => database.close())
  const store = createRunStore(database, UNHEARD)
  const run = await begun(store, clock)
  const stopping = new AbortController().signal
  const execution = new Execution(
    run,
    {
      operation: {
        prepare: async () => 'send',
        probe: async () => 'cannot-tell',
        execute: async () => {
          // From here on SQLite gets no new page, as on a disk that is full.
          await database.writes.run(db => sql`pragma max_page_count = 1`.execute(db))
          return {...applied, detail: 'x'.repeat(20_000)}
        },
        toRow: each => each,
      },
      settings: {concurrency: 1, retries: 0, ratePerSecond: 0},
      blocksKey: false,
      items: [item('WH-1'), item('WH-2')],
      total: 2,
      summary: emptySummary(),
      presentation: {...UNPRESENTED, resumeCommand: id => `storectl run resume ${id}`},
    },
    {store, machine: thisMachine, clock, random: () => 0.5, stopping, note: async () => {}},
  )
  const output = {
    print: async (rows: AsyncIterable<unknown>) => {
      for await (const _ of rows);
    },
    wasInterrupted: () => false,
    openBar: async () => undefined,
    note: async () => {},
    verbose: false,
    clock,
    stopping,
    setLastMessage: () => () => {},
    isBrief: false,
  }
  await expect(presentRun(execution, output)).rejects.toMatchObject({
    code: 'internal.disk_full',
    message: `The disk that holds ${location} is full; the last write was not stored. Run ${run.id} stopped; in flight, and now unknown: WH-1.`,
    nextSteps: ['free some space, then run the command again', `storectl run resume ${run.id}`],
  })
})

test('a full disk at the end of a run leaves its results, and the end that nobody noted is named', async () => {
  const clock = new StoppedClock()
  const location = join(temporaryFolder(), 'records.db')
  const options = {migrations: recordsMigrations, now: () => clock.now()}
  const database = await openDatabase<RecordsTables>(location, options)
  const store = createRunStore(database, UNHEARD)
  const run = await begun(store, clock, {total: 1})
  const entry = {item: 'WH-1', orderingKey: 'WH-1', contentHash: 'c0ffee', attempt: 1}
  await run.journal.write({kind: 'intent', ...entry})
  await run.journal.write({kind: 'result', ...entry, resultClass: 'done', result: 'applied'})
  await database.writes.run(db => sql`pragma max_page_count = 1`.execute(db))
  const halt = new StorectlError('stopped.breaker_open', 'x'.repeat(20_000))
  await expect(run.end({isComplete: false, halt})).rejects.toMatchObject({code: 'internal.disk_full'})
  await database.close()
  const roomy = await openDatabase<RecordsTables>(location, options)
  onTestFinished(() => roomy.close())
  const after = createRunStore(roomy, UNHEARD)
  expect((await after.find(run.id))[0]?.counts).toEqual({applied: 1})
  const query = {run: run.id, sealed: undefined}
  const gone = {...thisMachine, isAlive: () => false}
  expect(await all(verifyRuns(after, query, gone))).toMatchObject([
    {auditLog: 'unclosed', records: 2, problem: expect.stringContaining('closed without a ledger row')},
  ])
  await (await begun(after, clock, {total: 0, machine: gone})).end({isComplete: true})
  expect(await all(verifyRuns(after, query, gone))).toMatchObject([{auditLog: 'verified', problem: null}])
})

test('a PostgreSQL without a free connection is full, not away', () => {
  const cause = Object.assign(new Error('sorry, too many clients already'), {code: '53300'})
  const error = new DatabaseAwayError('no connection', {cause})
  expect(explainPostgresError(error, 'db.example')).toMatchObject({code: 'unavailable.database_full'})
})
