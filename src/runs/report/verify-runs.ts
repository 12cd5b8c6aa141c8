import type {VerifiedRow} from '../../contract/run-rows.js'
import type {View} from '../../output/view.js'
import {findRun} from '../find-run.js'
import type {RunReads, RunRow} from '../journal/run-store.js'
import type {RunLedgerHead} from '../ledger/run-ledger-row.js'
import {UNCLOSED, type Verified, verifyRun} from '../ledger/verify-run.js'
import {type RunLedgerReport, verifyRunLedger} from '../ledger/verify-run-ledger.js'
import type {Machine} from '../workers/liveness.js'
import {describeState} from './run-view.js'

export const VERIFIED: View = {
  noun: ['audit log', 'audit logs'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'kind'},
    {path: 'state'},
    {path: 'auditLog', header: 'AUDIT LOG'},
    {path: 'records', kind: 'number'},
    {path: 'problem'},
  ],
}

/** @param state of the run, as it is printed */
export function toVerifiedRow(
  {run, checked, damage, miscounted, differences, ends, ledgerRows, isWhole}: Verified,
  state: VerifiedRow['state'],
): VerifiedRow {
  const isUnclosed = isWhole && state === 'unresponsive'
  const problems = [
    ...damage.map(({worker, sequence, what}) => {
      const orWhat = sequence === 1 && what === 'changed' ? ', or the run itself,' : ''
      return `record ${sequence} of ${worker}${orWhat} is ${what}`
    }),
    ...miscounted.map(({result, counted, found}) => `${found} of ${counted} results "${result}" are there`),
    ...differences,
    ...(isUnclosed ? [`${UNCLOSED}: storectl run resume ${run.id} --take-over`] : []),
  ]
  return {
    ...{id: run.id, kind: run.kind, state},
    auditLog: chooseAuditLog(isWhole, isUnclosed),
    records: checked,
    problem: problems.join('; ') || null,
    ...{damage, miscounted, ends},
    ledgerRows: ledgerRows.map(({number, kind, at, hash}) => ({number, kind, at: at.toISOString(), hash})),
  }
}

function chooseAuditLog(isWhole: boolean, isUnclosed: boolean): VerifiedRow['auditLog'] {
  if (!isWhole) return 'broken'
  return isUnclosed ? 'unclosed' : 'verified'
}

/** A run that the ledger has and the records lack. @param number of its last row */
function toMissingRow(id: string, number: number): VerifiedRow {
  const problem = `the run is gone; the last row about it in the ledger of runs is ${number}`
  return {id, kind: 'run', state: 'missing', auditLog: 'broken', records: 0, problem}
}

function toLedgerRow({checked, problems, head}: RunLedgerReport): VerifiedRow {
  return {
    ...{id: 'ledger of runs', kind: 'ledger', state: null, records: checked},
    auditLog: problems.length === 0 ? 'verified' : 'broken',
    problem: problems.join('; ') || null,
    head,
  }
}

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
