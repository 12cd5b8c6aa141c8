import type {View} from '../../output/view.js'
import {UNCLOSED, type Verified} from '../ledger/verify-run.js'
import type {RunLedgerReport} from '../ledger/verify-run-ledger.js'

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

/** What became of a check, as it is printed. Keys are stable. */
export interface VerifiedRow {
  readonly id: string
  readonly kind: string
  /** As it is printed of a run; `missing` where the ledger alone knows it, `null` of the ledger. */
  readonly state: string | null
  /** `unclosed`: its process is gone, and nobody has noted its end. */
  readonly auditLog: 'verified' | 'unclosed' | 'broken'
  /** Entries of the run's journal, or rows of the ledger. */
  readonly records: number
  readonly problem: string | null
  readonly [key: string]: unknown
}

/** @param state of the run, as it is printed */
export function toVerifiedRow(
  {run, checked, damage, miscounted, differences, ends, ledgerRows, isWhole}: Verified,
  state: string,
): VerifiedRow {
  const isUnclosed = isWhole && state === 'unresponsive'
  const problems = [
    ...damage.map(({worker, sequence, what}) => {
      const orWhat = sequence === 1 && what === 'changed' ? ', or the run itself,' : ''
      return `record ${sequence} of ${worker}${orWhat} is ${what}`
    }),
    ...miscounted.map(({result, counted, found}) => `${found} of ${counted} results "${result}" are there`),
    ...differences,
    ...(isUnclosed ? [`${UNCLOSED}: storectl run take-over ${run.id}`] : []),
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

/** A run that the ledger knows and the records do not. @param number of its last row */
export function toMissingRow(id: string, number: number): VerifiedRow {
  const problem = `the run is gone; the last row about it in the ledger of runs is ${number}`
  return {id, kind: 'run', state: 'missing', auditLog: 'broken', records: 0, problem}
}

export function toLedgerRow({checked, problems, head}: RunLedgerReport): VerifiedRow {
  return {
    ...{id: 'ledger of runs', kind: 'ledger', state: null, records: checked},
    auditLog: problems.length === 0 ? 'verified' : 'broken',
    problem: problems.join('; ') || null,
    head,
  }
}
