import type {PaymentTally, ReportItem, ResultTally} from '../../contract/run-rows.js'
import {formatSeconds} from '../../output/cell.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunReads, RunRow} from '../journal/run-store.js'
import {type Verified, verifyRun} from '../ledger/verify-run.js'
import {PaymentTallies} from './payment-tallies.js'
import {listReportItems, type ReportItemDeps} from './report-items.js'
import type {GroupTotals} from './result-groups.js'
import {ResultTallies} from './result-tallies.js'
import type {toRunRow} from './run-view.js'
import {createTimeline, type Timeline} from './timeline.js'
import {describeVerdict, type Verdict} from './verdict.js'
import {toVerifiedRow} from './verify-runs.js'

/** The results of a run, by result and by payment. */
export interface RunTally {
  readonly tallies: readonly ResultTally[]
  readonly totals: GroupTotals
  readonly worth: ResultTallies['worth']
  readonly payments: readonly PaymentTally[]
  /** How many payments the run involved. */
  readonly paymentCount: string
  /** The first items, in the order of the report. */
  readonly first: readonly ReportItem[]
}

/** The part of a report before the single items. */
export interface ReportSummary extends RunTally {
  readonly run: RunRow
  readonly verdict: Verdict
  readonly verified: Verified
  readonly timeline: Timeline
  readonly writtenAt: Date
  /** Names and values: who did what, when and why; values are text of any kind. */
  readonly facts: Facts
  /** The same about the audit log behind it. */
  readonly evidence: Facts
  /** Items that were begun and have no result. */
  readonly open: ReadonlySet<string>
}

export type Facts = readonly (readonly [name: string, value: string])[]

type PrintedRun = ReturnType<typeof toRunRow>

export type SummaryDeps = ReportItemDeps & {readonly runs: Pick<RunReads, 'listRecords' | 'listRunLedger'>}

/** Reads the whole journal twice: for the chain and the timeline, and for the result of each item. */
export async function summarizeRun(
  run: RunRow,
  row: PrintedRun,
  deps: SummaryDeps,
  writtenAt: Date,
): Promise<ReportSummary> {
  const timeline = createTimeline(run)
  const open = new Set<string>()
  const listRecords = (id: string) => watchOpen(deps.runs.listRecords(id), open)
  const {listRunLedger} = deps.runs
  const verified = await verifyRun(run, {listRecords, listRunLedger}, result => timeline.add(result))
  const tally = await tallyItems(run, row.state, deps, open)
  const verdict = describeVerdict(row, tally.totals)
  const facts = listFacts(row, writtenAt)
  const evidence = listEvidence(row, verified)
  return {...tally, run, verdict, verified, timeline: timeline.build(), writtenAt, facts, evidence, open}
}

/** Also notes which items have an intent and no result. */
async function* watchOpen(records: AsyncIterable<JournalEntry>, open: Set<string>) {
  for await (const record of records) {
    if (record.kind === 'intent') open.add(record.item)
    else if (record.kind === 'result') open.delete(record.item)
    yield record
  }
}

/** Items of a run that were begun and have no result. Only a run under way has any. */
export async function findOpenItems(run: RunRow, runs: Pick<RunReads, 'listRecords'>): Promise<Set<string>> {
  const open = new Set<string>()
  if (run.state === 'running') for await (const _ of watchOpen(runs.listRecords(run.id), open));
  return open
}

/** Items that a report shows without scripts, and the most that a ticket shows. */
const FIRST = 200

/**
 * Counts the items of a run.
 *
 * @param state as it is printed
 * @param open items that were begun and have no result
 */
export async function tallyItems(
  run: RunRow,
  state: string,
  deps: ReportItemDeps,
  open: ReadonlySet<string>,
): Promise<RunTally> {
  const results = new ResultTallies()
  const payments = new PaymentTallies()
  const first: ReportItem[] = []
  for await (const item of listReportItems(run, state, deps, open)) {
    results.add(item)
    payments.add(item)
    if (first.length < FIRST) first.push(item)
  }
  results.addMissing(run.total)
  return {
    ...{tallies: results.list(), totals: results.totals, worth: results.worth},
    ...{payments: payments.list(), paymentCount: payments.countText, first},
  }
}

function listFacts(row: PrintedRun, now: Date): Facts {
  const {workers} = row
  const helpers = workers.filter(({id}) => id !== row.id).map(({who, host}) => `${who} on ${host}`)
  return dropEmpty([
    ['Reason', row.reason],
    ['Operator', `${row.who} on ${row.host}`],
    ['Joined by', helpers.join(', ')],
    ['Shop', row.target === row.profile ? row.target : `${row.target} (profile ${row.profile})`],
    ['Started', row.startedAt],
    ['Ended', row.endedAt],
    ['Duration', formatSeconds(readDurationSeconds(row, now))],
    ['Command', typeof row.options.command === 'string' ? row.options.command : null],
    ['Run', row.id],
    ['Continues', row.continues],
    ['Flows', row.flows],
    ['Holds released', row.releasedHolds],
  ])
}

/** From the start of a run to its end, or up to now. */
export function readDurationSeconds(row: Pick<PrintedRun, 'startedAt' | 'endedAt'>, now: Date): number {
  const end = row.endedAt === null ? now.getTime() : Date.parse(row.endedAt)
  return Math.max(0, Math.round((end - Date.parse(row.startedAt)) / 1000))
}

function listEvidence(row: PrintedRun, verified: Verified): Facts {
  const {auditLog, records, problem} = toVerifiedRow(verified, row.state)
  const {command: _, ...options} = row.options
  return dropEmpty([
    ['Audit log', problem === null ? `${auditLog}, ${records} entries` : `${auditLog}: ${problem}`],
    ...verified.ends.map(({worker, sequence, hash}): [string, string] => [
      'Last entry',
      `SHA-256 ${hash} (entry ${sequence} of ${worker})`,
    ]),
    ...verified.ledgerRows.map(({number, kind, hash}): [string, string] => [
      'Ledger of runs',
      `row ${number} (${kind}), SHA-256 ${hash}`,
    ]),
    ['Process', `pid ${row.pid} on ${row.host}`],
    ['Workers', row.workersText],
    ['Options', JSON.stringify(options)],
  ])
}

function dropEmpty(all: readonly (readonly [string, string | null])[]): Facts {
  return all.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
}
