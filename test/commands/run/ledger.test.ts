import {readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {Kysely} from 'kysely'
import {describe, expect, onTestFinished, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import {machineClock} from '../../../src/platform/clock.js'
import {createRunReads} from '../../../src/records/runs/run-reads.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {appendToChain, computeChainOrigin} from '../../../src/runs/journal/hash-chain.js'
import type {JournalEntry} from '../../../src/runs/journal/journal-entry.js'
import type {RunReads, RunRow} from '../../../src/runs/journal/run-store.js'
import {verifyRuns} from '../../../src/runs/report/verify-runs.js'
import {recordsAt, tablesAt} from '../../records/support.js'
import {all, begun, type intent, thisMachine} from '../../runs/support.js'
import {ENGINES, type Engine} from '../../support/engines.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'

type Db = Kysely<RecordsTables>

const ITEMS = ['a', 'b', 'c', 'd']

async function* planned() {
  for (const item of ITEMS) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

type Records = Awaited<ReturnType<typeof recordsAt>>

/** A run of four items, three of them with a result of 10.50 EUR, that was stopped. */
async function writeRun({runs}: Records, changes: Partial<typeof intent> = {}): Promise<string> {
  const run = await begun(runs, machineClock, {reason: 'ticket 1', ...changes})
  await run.storePlan(ITEMS.length, ITEMS.length, planned())
  const facts = {amount: {value: '10.50', currency: 'EUR'}}
  for (const item of ['a', 'b', 'c']) {
    const entry = {item, orderingKey: item, contentHash: 'c0ffee', attempt: 1, facts}
    await run.journal.write({kind: 'intent', ...entry})
    await run.journal.write({kind: 'result', ...entry, resultClass: 'done', result: 'applied', status: 200})
  }
  await run.end({isComplete: false, halt: new StorectlError('stopped.breaker_open', 'too many failed')})
  return run.id
}

/** A home with three runs; the one in the middle is edited. */
async function homeOn(engine: Engine) {
  const {place, url, drop} = await engine.fresh()
  onTestFinished(drop)
  const home = typeof place === 'string' ? dirname(place) : temporaryFolder()
  const env = url === undefined ? {} : {STORECTL_DATABASE_URL: url}
  const records = await recordsAt(place)
  const [first, id, last] = [await writeRun(records), await writeRun(records), await writeRun(records)]
  const run = (words: readonly string[]) => storectl(words, {home, env})
  return {
    ...{place, home, records, first, id, last, run},
    verify: async (...words: string[]) => {
      const {exit, stdout, stderr} = await run(['run', 'verify', ...words, '-o', 'ndjson'])
      const rows = readJsonLines(stdout)
      return {exit, stderr, rows, broken: rows.filter(({auditLog}) => auditLog !== 'verified')}
    },
    edit: async (change: (db: Db, id: string) => Promise<unknown>, which = id) =>
      (await tablesAt(place)).writes.run(db => change(db, which)),
  }
}

/** Every entry of a run anew, so that its chains fit. @param change of each */
async function writeAnew(db: Db, id: string, change: (entry: JournalEntry) => Partial<JournalEntry>) {
  const [row] = await db.selectFrom('run').selectAll().where('id', '=', id).execute()
  const {process_start: processStart, started_at_ms, options, ...rest} = row as RecordsTables['run']
  const header = {...rest, processStart, startedAt: new Date(started_at_ms), options: JSON.parse(options)}
  let previous = computeChainOrigin(header as unknown as RunRow)
  const entries = await db
    .selectFrom('run_record')
    .selectAll()
    .where('run_id', '=', id)
    .orderBy('sequence')
    .execute()
  for (const {run_id, worker, sequence, at_ms, ordering_key, content_hash, facts, ...entry} of entries) {
    const position = {runId: run_id, worker, sequence, at: new Date(at_ms)}
    const read = {
      ...entry,
      orderingKey: ordering_key,
      contentHash: content_hash,
      facts: JSON.parse(facts ?? 'null'),
    }
    const content = {...read, resultClass: entry.result_class} as unknown as JournalEntry
    const changed = {...content, ...change(content)}
    previous = appendToChain(changed, position, previous).hash
    await db
      .updateTable('run_record')
      .set({hash: previous, result: changed.result ?? null, detail: changed.detail ?? null})
      .where('run_id', '=', id)
      .where('sequence', '=', sequence)
      .execute()
  }
  return {hash: previous, sequence: entries.length}
}

async function deleteRun(db: Db, id: string): Promise<void> {
  for (const table of ['run_record', 'run_plan', 'run_worker'] as const)
    await db.deleteFrom(table).where('run_id', '=', id).execute()
  await db.deleteFrom('run').where('id', '=', id).execute()
}

const inRun = (set: Partial<RecordsTables['run']>) => (db: Db, id: string) =>
  db.updateTable('run').set(set).where('id', '=', id).execute()

const inEntry = (set: Partial<RecordsTables['run_record']>) => (db: Db, id: string) =>
  db.updateTable('run_record').set(set).where('run_id', '=', id).where('sequence', '=', 4).execute()

const inLedger = (number: number, set: Partial<RecordsTables['run_ledger']>) => (db: Db) =>
  db.updateTable('run_ledger').set(set).where('number', '=', number).execute()

const lastRows = (db: Db) => db.deleteFrom('run_ledger').where('number', '>', 4).execute()

/** What somebody may do to the run in the middle, whose rows in the ledger are 3 and 4, and how it is named. */
const EDITS: readonly [string, (db: Db, id: string) => Promise<unknown>, RegExp][] = [
  ['an entry', inEntry({status: 500}), /record 4 of \w+ is changed/],
  ['a content hash', inEntry({content_hash: 'beef'}), /record 4 of \w+ is changed/],
  ['an amount', inEntry({facts: '{"amount":{"value":"1.00","currency":"EUR"}}'}), /record 4 .* is changed/],
  [
    'all entries of a run',
    (db, id) => db.deleteFrom('run_record').where('run_id', '=', id).execute(),
    /0 of 3 results "applied".*does not have its last entry, 6/,
  ],
  [
    'the last entries',
    (db, id) => db.deleteFrom('run_record').where('run_id', '=', id).where('sequence', '>', 4).execute(),
    /2 of 3 results "applied"/,
  ],
  ['a whole run', deleteRun, /the run is gone; .* in the ledger of runs is 4/],
  [
    'a whole run with its rows in the ledger',
    async (db, id) => {
      await deleteRun(db, id)
      await db.deleteFrom('run_ledger').where('run_id', '=', id).execute()
    },
    /rows 3 to 4 are missing/,
  ],
  ['a state', inRun({state: 'completed'}), /state "completed", by the ledger of runs "stopped"/],
  ['a state of a run under way', inRun({state: 'running'}), /state "running", by the ledger/],
  ['a stop reason', inRun({stop_reason: 'all is well'}), /stop reason "all is well", by/],
  ['a stop code', inRun({stop_code: null}), /stop code empty, by/],
  ['when it ended', inRun({ended_at_ms: 7}), /end "1970/],
  ['counts', inRun({counts: '{"applied":4}'}), /counts "4 applied", by the ledger of runs "3 applied"/],
  ['why it ran', inRun({reason: 'ticket 2'}), /the run itself was changed since it opened/],
  [
    'counts of a worker',
    (db, id) => db.updateTable('run_worker').set({counts: '{}'}).where('run_id', '=', id).execute(),
    /the counts of \w+ are not those of its entries/,
  ],
  [
    "a worker's chain made anew",
    (db, id) => writeAnew(db, id, () => ({detail: 'all is well'})),
    /does not have its last entry, 6/,
  ],
  [
    "a worker's chain made anew, with the end that it stored",
    async (db, id) => {
      const end = await writeAnew(db, id, () => ({detail: 'all is well'}))
      await db.updateTable('run_worker').set(end).where('run_id', '=', id).execute()
    },
    /does not have its last entry, 6/,
  ],
  [
    'a run made anew from its beginning',
    async (db, id) => {
      await inRun({who: 'somebody else'})(db, id)
      await writeAnew(db, id, () => ({}))
    },
    /the run itself was changed since it opened/,
  ],
  [
    'a worker that was none',
    async (db, id) => {
      const [entry] = await db.selectFrom('run_record').selectAll().where('run_id', '=', id).execute()
      const written = {
        ...({kind: 'answer'} as const),
        ...{item: 'e', orderingKey: 'e', contentHash: '', attempt: 1},
        ...{runId: id, worker: 'other', sequence: 1, at: new Date(0)},
      } as const
      const {hash} = appendToChain(written, written, '')
      await db
        .insertInto('run_record')
        .values({
          ...(entry as RecordsTables['run_record']),
          ...{
            kind: 'answer',
            item: 'e',
            ordering_key: 'e',
            content_hash: '',
            at_ms: 0,
            worker: 'other',
            sequence: 1,
          },
          ...{hash, result: null, result_class: null, status: null, detail: null, facts: null},
        })
        .execute()
    },
    /other has entries that the ledger of runs does not know/,
  ],
  [
    'the row of its end',
    db => db.deleteFrom('run_ledger').where('number', '=', 4).execute(),
    /closed without a ledger row/,
  ],
  [
    'the row of its opening',
    db => db.deleteFrom('run_ledger').where('number', '=', 3).execute(),
    /the ledger of runs has no row of its opening/,
  ],
  ['what a row says', inLedger(4, {content: '{}'}), /row 4 is changed/],
  ['a row that cannot be read', inLedger(4, {content: '{'}), /row 4 of the ledger of runs cannot be read/],
  ['when a row was written', inLedger(4, {at_ms: 7}), /row 4 is changed/],
  ['the last rows', lastRows, /rows 5 to 6 are missing/],
  ['the head', db => db.updateTable('run_ledger_head').set({number: 5}).execute(), /appended last, 5/],
]

async function nameProblems(reads: RunReads): Promise<string> {
  const rows = await all(verifyRuns(reads, {run: undefined, sealed: undefined}, thisMachine))
  return rows.flatMap(({auditLog, problem}) => (auditLog === 'broken' ? [problem] : [])).join('\n')
}

describe.each(ENGINES)('the ledger of runs in $name', engine => {
  test('has a row for each opening and each end, and verifies', async () => {
    const {verify, records, id} = await homeOn(engine)
    const {exit, rows} = await verify('--all')
    expect(rows.map(({auditLog, problem}) => [auditLog, problem])).toEqual(Array(4).fill(['verified', null]))
    expect(rows.at(-1)).toMatchObject({id: 'ledger of runs', records: 6})
    expect(exit).toBe(0)
    const [opened, closed] = await all(records.runs.listRunLedger(id))
    expect([opened?.number, opened?.kind, closed?.number, closed?.kind]).toEqual([3, 'opened', 4, 'closed'])
    expect(JSON.parse(closed?.content ?? '')).toMatchObject({
      ...{state: 'stopped', stopCode: 'stopped.breaker_open', counts: {applied: 3}},
      ...{amounts: {applied: {EUR: '31.50'}}, ends: [{worker: id, sequence: 6}]},
    })
  })

  test('that shows an edit ends the command with exit 3', async () => {
    const {verify, edit} = await homeOn(engine)
    await edit(inRun({state: 'completed'}))
    const {exit, broken} = await verify('--all')
    expect([exit, broken]).toMatchObject([
      3,
      [{auditLog: 'broken', problem: expect.stringContaining('state')}],
    ])
  })

  test('shows each edit', async () => {
    const {place, id} = await homeOn(engine)
    const database = await tablesAt(place)
    const shown = new Map<string, string>()
    for (const [name, change] of EDITS) {
      const undone = new Error('undone')
      const verified = database.writes.run(async db => {
        await change(db, id)
        shown.set(name, await nameProblems(createRunReads({...database, reads: db})))
        throw undone
      })
      await expect(verified).rejects.toBe(undone)
    }
    for (const [name, , named] of EDITS) expect(`${name}: ${shown.get(name)}`).toMatch(named)
    expect(await nameProblems(createRunReads(database))).toBe('')
  })

  test('made anew as a whole differs from a head that was stored elsewhere', async () => {
    const {verify, edit, run, home, last} = await homeOn(engine)
    const head = join(home, 'head.txt')
    const sealed = await run(['run', 'seal', head])
    expect([sealed.exit, sealed.stderr]).toEqual([0, `Written: ${head} (row 6)\n`])
    expect((await verify('--all', '--head', head)).exit).toBe(0)
    await edit(async db => {
      await deleteRun(db, last)
      await lastRows(db)
      const row = db.selectFrom('run_ledger').select(['number', 'hash']).where('number', '=', 4)
      await db
        .updateTable('run_ledger_head')
        .set(await row.executeTakeFirstOrThrow())
        .execute()
    }, last)
    expect((await verify('--all')).exit).toBe(0)
    const {exit, broken} = await verify('--all', '--head', head)
    expect([exit, broken]).toMatchObject([
      3,
      [{id: 'ledger of runs', problem: 'row 6 of the sealed head is missing'}],
    ])
    writeFileSync(head, readFileSync(head, 'utf8').replace('row: 6', 'row: 2'))
    const other = await verify('last', '--head', head)
    expect(other.broken).toMatchObject([{problem: 'row 2 of the sealed head has another hash'}])
  })
})
