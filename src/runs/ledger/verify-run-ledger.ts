import type {RunReads} from '../journal/run-store.js'
import {hashRunLedgerRow, type RunLedgerHead, type RunLedgerRow} from './run-ledger-row.js'

/** What the ledger of runs shows. */
export interface RunLedgerReport {
  /** Rows that were read. */
  readonly checked: number
  /** Sentences: gaps, and rows that were changed. */
  readonly problems: readonly string[]
  /** The last row. */
  readonly head: RunLedgerHead
  /** Runs that opened or ended according to the ledger, and were not discarded; with the last row of each. */
  readonly runs: ReadonlyMap<string, number>
}

/**
 * Walks the ledger of runs from end to end: numbers without gaps, each row with the hash of the one before.
 *
 * @param sealed a head that was stored elsewhere: the row of its number has to have its hash
 */
export async function verifyRunLedger(
  reads: Pick<RunReads, 'listRunLedger' | 'readRunLedgerHead'>,
  sealed?: RunLedgerHead,
): Promise<RunLedgerReport> {
  const walk = new Walk()
  let sealedHash: string | undefined
  for await (const row of reads.listRunLedger()) {
    walk.add(row)
    if (row.number === sealed?.number) sealedHash = row.hash
  }
  const {head, checked, runs} = walk
  const stored = await reads.readRunLedgerHead()
  if (stored.number > head.number) walk.problems.push(nameMissing(head.number + 1, stored.number))
  else if (stored.number !== head.number || stored.hash !== head.hash)
    walk.problems.push(
      `the last row, ${head.number}, is not the one that was appended last, ${stored.number}`,
    )
  if (sealed && sealed.number > 0 && sealedHash !== sealed.hash) {
    const why = sealedHash === undefined ? 'is missing' : 'has another hash'
    walk.problems.push(`row ${sealed.number} of the sealed head ${why}`)
  }
  return {checked, problems: walk.problems, head, runs}
}

class Walk {
  checked = 0
  readonly problems: string[] = []
  readonly runs = new Map<string, number>()
  head: RunLedgerHead = {number: 0, hash: ''}

  add(row: RunLedgerRow): void {
    const {number, kind, runId, hash} = row
    const expected = this.head.number + 1
    // A row after a gap is checked with its own stored hash: the one before it is unknown.
    if (number > expected) this.problems.push(nameMissing(expected, number - 1))
    else if (hashRunLedgerRow(this.head.hash, row) !== hash) this.problems.push(`row ${number} is changed`)
    this.head = {number, hash}
    this.checked++
    if (runId === null) return
    if (kind === 'discarded') this.runs.delete(runId)
    else this.runs.set(runId, number)
  }
}

function nameMissing(from: number, to: number): string {
  return from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`
}
