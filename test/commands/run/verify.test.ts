import {join} from 'node:path'
import {expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords} from '../../../src/records/index.js'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {appendToChain} from '../../../src/runs/journal/hash-chain.js'
import {openDatabase} from '../../../src/storage/index.js'
import {all, begun} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'

const ITEMS = ['a', 'b', 'c', 'd']

async function* planned() {
  for (const item of ITEMS) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

/** A home with a run of four items that were all applied. */
async function homeWithRun() {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {reason: 'ticket 1'})
  await run.storePlan(ITEMS.length, ITEMS.length, planned(), {plan: 'c0ffee'})
  for (const item of ITEMS) {
    const entry = {item, orderingKey: item, contentHash: 'c0ffee', attempt: 1}
    await run.journal.write({kind: 'intent', ...entry})
    await run.journal.write({kind: 'result', ...entry, resultClass: 'done', result: 'applied', status: 200})
  }
  await run.end({isComplete: true})
  await records.close()
  return {home, id: run.id}
}

/** Somebody writes to the database behind our back. */
async function tamper(
  home: string,
  change: (db: Awaited<ReturnType<typeof opened>>['writes']) => Promise<unknown>,
) {
  const database = await opened(home)
  await change(database.writes)
  await database.close()
}

const opened = (home: string) =>
  openDatabase<RecordsTables>(join(home, 'records.db'), {
    migrations: recordsMigrations,
    now: currentTime,
  })

async function verify(home: string, words: readonly string[] = ['last']) {
  const ended = await storectl(['run', 'verify', ...words, '-o', 'ndjson'], {home})
  return {
    ...ended,
    rows: readJsonLines(ended.stdout),
  }
}

test('a record that nobody touched is whole', async () => {
  const {home, id} = await homeWithRun()
  const {exit, rows} = await verify(home)
  expect(rows).toMatchObject([{id, auditLog: 'verified', records: 8, problem: null}])
  expect(exit).toBe(0)
  const shown = JSON.parse((await storectl(['run', 'show', id, '-o', 'json'], {home})).stdout)
  expect(shown.options).toEqual({plan: 'c0ffee'})
})

const DAMAGES = [
  ['an answer that was changed', /^record 4 of \w+ is changed/, {set: {status: 500}, sequence: 4}],
  [
    'a time that was changed',
    /^record 1 of \w+, or the run itself, is changed/,
    {set: {at_ms: 7}, sequence: 1},
  ],
  ['a record that was taken out', /^record 5 of \w+ is missing/, {sequence: 5}],
  ['the first record gone', /^record 1 of \w+ is missing/, {sequence: 1}],
  ['the end cut off', /3 of 4 results "applied"/, {sequence: 7, andAfter: true}],
] as const

test.each(DAMAGES)('%s is found', async (_, named, damage) => {
  const {home} = await homeWithRun()
  await tamper(home, writes =>
    writes.run(async db => {
      const {sequence} = damage
      const at = 'andAfter' in damage ? '>=' : '='
      if ('set' in damage)
        await db.updateTable('run_record').set(damage.set).where('sequence', at, sequence).execute()
      else await db.deleteFrom('run_record').where('sequence', at, sequence).execute()
    }),
  )
  const {exit, rows} = await verify(home)
  expect(rows).toMatchObject([{auditLog: 'broken', problem: expect.stringMatching(named)}])
  expect(exit).toBe(3)
})

test.each([
  ['why', {reason: 'another ticket'}],
  ['who', {who: 'somebody else'}],
  ['where', {target: 'https://other.example'}],
  ['when', {started_at_ms: 7}],
  ['by which plan', {options: '{"plan":"beef"}'}],
  ['how many', {total: 3}],
])('what a run says of itself is part of its record: %s', async (_, change) => {
  const {home} = await homeWithRun()
  await tamper(home, writes => writes.run(db => db.updateTable('run').set(change).execute()))
  const {exit, rows} = await verify(home)
  expect(rows).toMatchObject([{auditLog: 'broken', problem: expect.stringContaining('or the run itself')}])
  expect(exit).toBe(3)
})

test('of a run under way the end that was cut off is found', async () => {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {machine: describeMachine({}), total: 2})
  for (const item of ['a', 'b']) {
    const entry = {item, orderingKey: item, contentHash: 'c0ffee', attempt: 0}
    await run.journal.write({kind: 'result', ...entry, resultClass: 'done', result: 'applied'})
  }
  await run.journal.write({kind: 'intent', item: 'c', orderingKey: 'c', contentHash: 'c0ffee', attempt: 1})
  expect((await verify(home)).exit).toBe(0)
  for (const [sequence, named] of [
    [3, 'does not have its last entry, 3'],
    [2, '1 of 2 results'],
  ] as const) {
    await tamper(home, writes =>
      writes.run(db => db.deleteFrom('run_record').where('sequence', '>=', sequence).execute()),
    )
    const {exit, rows} = await verify(home)
    expect([exit, JSON.stringify(rows)]).toEqual([3, expect.stringContaining(named)])
  }
  run.stopHeartbeat()
  await records.close()
})

test('a chain that begins with nothing is damaged: it would say nothing about who sent what where', async () => {
  const {home, id} = await homeWithRun()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const written = await all(records.runs.listRecords(id))
  await records.close()
  await tamper(home, writes =>
    writes.run(async db => {
      let previous = ''
      for (const entry of written) {
        previous = appendToChain(entry, entry, previous).hash
        const row = db.updateTable('run_record').set({hash: previous})
        await row.where('sequence', '=', entry.sequence).execute()
      }
    }),
  )
  expect((await verify(home)).rows).toMatchObject([
    {auditLog: 'broken', problem: expect.stringContaining('or the run itself')},
  ])
})

test('of all runs the damaged one is named, whichever it is', async () => {
  const {home, id} = await homeWithRun()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const later = await begun(records.runs, machineClock)
  await later.end({isComplete: true})
  await records.close()
  await tamper(home, writes => writes.run(db => db.updateTable('run_record').set({detail: 'x'}).execute()))
  const {exit, rows} = await verify(home, ['--all'])
  expect(rows.map(row => [row.id, row.auditLog])).toEqual([
    [later.id, 'verified'],
    [id, 'broken'],
    ['ledger of runs', 'verified'],
  ])
  expect(exit).toBe(3)
})

test('one run or all of them has to be said', async () => {
  for (const words of [[], ['last', '--all']]) {
    const {exit, stderr} = await storectl(['run', 'verify', ...words])
    expect(exit).toBe(2)
    expect(stderr).toContain('storectl run verify last')
  }
})
