import {findRun} from '../find-run.js'
import type {RunReads, RunRow} from '../journal/run-store.js'
import type {RunLedgerHead} from '../ledger/run-ledger-row.js'
import {verifyRun} from '../ledger/verify-run.js'
import {verifyRunLedger} from '../ledger/verify-run-ledger.js'
import type {Machine} from '../workers/lease.js'
import {describeState} from './run-view.js'
import {toLedgerRow, toMissingRow, toVerifiedRow, type VerifiedRow} from './verified-view.js'

/** What is verified. */
export interface VerifyQuery {
  /** `last`, an id or the beginning of one; `undefined` for all runs. */
  readonly run: string | undefined
  /** A head of the ledger of runs that was stored elsewhere. */
  readonly sealed: RunLedgerHead | undefined
}

/**
 * A row for each run, the newest first, then one for each that is gone, then one for the ledger of runs where all are
 * verified, a head is given, or the ledger is broken.
 *
 * @param reads of one moment
 * @throws StorectlError as `findRun` does
 */
export async function* verifyRuns(
  reads: RunReads,
  {run, sealed}: VerifyQuery,
  machine: Machine,
): AsyncGenerator<VerifiedRow, void, void> {
  const ledger = await verifyRunLedger(reads, sealed)
  const gone = new Map(ledger.runs)
  for await (const each of run === undefined ? reads.list({}) : [await findRun(reads, run)]) {
    gone.delete(each.id)
    yield await verifyOne(each, reads, machine)
  }
  if (run === undefined) for (const [id, number] of gone) yield toMissingRow(id, number)
  if (run === undefined || sealed || ledger.problems.length > 0) yield toLedgerRow(ledger)
}

async function verifyOne(run: RunRow, reads: RunReads, machine: Machine): Promise<VerifiedRow> {
  const verified = await verifyRun(run, reads)
  return toVerifiedRow(verified, describeState(run, machine))
}
