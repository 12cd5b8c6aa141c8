import {expect, test} from 'vitest'
import {appendToChain, computeChainOrigin, computeWorkerOrigin} from '../../src/runs/journal/hash-chain.js'
import type {NewEntry} from '../../src/runs/journal/journal-entry.js'
import type {NewRun} from '../../src/runs/journal/run-store.js'
import type {NewWorker} from '../../src/runs/journal/worker.js'
import {hashRunLedgerRow} from '../../src/runs/ledger/run-ledger-row.js'

const AT = new Date('2026-11-20T12:00:00Z')
const LATER = new Date('2026-11-20T12:00:01Z')

/** The same but for one member, once for each. */
function changeEach<T extends object>(values: T): [string, T][] {
  return Object.entries(values).map(([name, value]) => [name, {...values, [name]: change(value)}])
}

function change(value: unknown): unknown {
  if (value instanceof Date) return LATER
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}-` : {other: value}
}

const ENTRY = {
  ...{kind: 'result', item: 'WH-1', orderingKey: 'id:1', contentHash: 'ab', attempt: 1},
  ...{resultClass: 'done', result: 'applied', status: 200, detail: 'open', facts: {before: 'open'}},
} as const satisfies NewEntry
const POSITION = {runId: 'run', worker: 'one', sequence: 1, at: AT}

const WORKER = {id: 'two', who: 'me', host: 'h', pid: 1, processStart: 's'} as NewWorker

const RUN = {
  ...{id: 'run', kind: 'replay', target: 'shop', profile: 'prod', who: 'me', host: 'h', pid: 1},
  ...{processStart: 's', reason: 'why', startedAt: AT, options: {rate: 1}, total: 3, continues: 'before'},
} as unknown as NewRun

const hashEntry = (entry: object, position: object) =>
  appendToChain(entry as NewEntry, position as typeof POSITION, 'previous').hash

test.each(changeEach({...ENTRY, ...POSITION}))('the hash of an entry covers its %s', (_, entry) => {
  expect(hashEntry(entry, entry)).not.toBe(hashEntry(ENTRY, POSITION))
})

test('the hash of an entry covers the one before it', () => {
  expect(appendToChain(ENTRY, POSITION, 'other').hash).not.toBe(hashEntry(ENTRY, POSITION))
})

test.each(changeEach(RUN))('a chain begins with the %s of its run, of each worker too', (_, run) => {
  expect(computeChainOrigin(run)).not.toBe(computeChainOrigin(RUN))
  expect(computeWorkerOrigin(run, WORKER)).not.toBe(computeWorkerOrigin(RUN, WORKER))
})

test.each(changeEach(WORKER))('the chain of a worker begins with its %s', (_, worker) => {
  expect(computeWorkerOrigin(RUN, worker)).not.toBe(computeWorkerOrigin(RUN, WORKER))
})

const ROW = {number: 2, kind: 'closed' as const, at: AT, runId: 'run', content: '{}'}

test.each(changeEach(ROW))('the hash of a row of the ledger of runs covers its %s', (_, row) => {
  expect(hashRunLedgerRow('previous', row)).not.toBe(hashRunLedgerRow('previous', ROW))
  expect(hashRunLedgerRow('other', ROW)).not.toBe(hashRunLedgerRow('previous', ROW))
})
