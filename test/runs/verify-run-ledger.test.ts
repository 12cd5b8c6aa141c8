import {expect, test} from 'vitest'
import {
  hashRunLedgerRow,
  type RunLedgerHead,
  type RunLedgerRow,
} from '../../src/runs/ledger/run-ledger-row.js'
import {verifyRunLedger} from '../../src/runs/ledger/verify-run-ledger.js'

const AT = new Date('2026-11-20T12:00:00Z')

/** A chain of rows with these contents. */
function chain(...contents: string[]): RunLedgerRow[] {
  const rows: RunLedgerRow[] = []
  for (const content of contents) {
    const row = {number: rows.length + 1, kind: 'opened' as const, at: AT, runId: content, content}
    rows.push({...row, hash: hashRunLedgerRow(rows.at(-1)?.hash ?? '', row)})
  }
  return rows
}

async function listProblems(
  rows: readonly RunLedgerRow[],
  head: RunLedgerHead,
  sealed?: RunLedgerHead,
): Promise<readonly string[]> {
  const reads = {
    listRunLedger: async function* () {
      yield* rows
    },
    readRunLedgerHead: async () => head,
  }
  return (await verifyRunLedger(reads, sealed)).problems
}

const ROWS = chain('a', 'b', 'c')
const HEAD = ROWS[2] as RunLedgerRow
const OTHERS = chain('a', 'b', 'd')

test('a whole ledger has no problems, nor has one that has grown since it was sealed', async () => {
  expect(await listProblems(ROWS, HEAD, HEAD)).toEqual([])
  expect(await listProblems(ROWS, HEAD, ROWS[1])).toEqual([])
  expect(await listProblems([], {number: 0, hash: ''})).toEqual([])
})

test.each([
  ['a row was changed', ROWS.with(1, {...HEAD, number: 2}), HEAD, undefined, 'row 2 is changed'],
  ['rows are missing', ROWS.slice(2), HEAD, undefined, 'rows 1 to 2 are missing'],
  ['the end is missing', ROWS.slice(0, 2), HEAD, undefined, 'row 3 is missing'],
  ['the last row was written anew', OTHERS, HEAD, undefined, 'the last row, 3, is not the one'],
  ['there is a row after the last', ROWS, ROWS[1], undefined, 'the last row, 3, is not the one'],
  ['all was written anew since the seal', OTHERS, OTHERS[2], HEAD, 'has another hash'],
  ['the end was cut off since the seal', ROWS.slice(0, 2), ROWS[1], HEAD, 'is missing'],
] as const)('it is named where %s', async (_, rows, head, sealed, problem) => {
  expect((await listProblems(rows, head as RunLedgerRow, sealed)).join('\n')).toContain(problem)
})
