import {type Verified, verifyJournal} from '../journal/hash-chain.js'
import type {ResultClass} from '../journal/item.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunRow, RunStore} from '../journal/run-store.js'
import {type toRunRow, toVerifiedRow} from './run-view.js'

/** What a report says of a run before it comes to the single items. */
export interface ReportSummary {
  readonly verified: Verified
  readonly timeline: Timeline
  readonly writtenAt: Date
  /** Name and value of what the report is headed with; values are text of any kind. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** Reads the whole journal once. @param row the run as it is printed */
export async function summarizeRun(
  run: RunRow,
  runs: Pick<RunStore, 'listRecords'>,
  row: ReturnType<typeof toRunRow>,
  writtenAt: Date,
): Promise<ReportSummary> {
  const timeline = createTimeline(run)
  const verified = await verifyJournal(run, runs, result => timeline.add(result))
  const drawn = timeline.build()
  return {verified, timeline: drawn, writtenAt, facts: listFacts(row, drawn, verified)}
}

function listFacts(
  row: ReturnType<typeof toRunRow>,
  {results}: Timeline,
  verified: Verified,
): ReportSummary['facts'] {
  const {auditLog, records, problem} = toVerifiedRow(verified)
  const all: [string, string | number | null][] = [
    ['Run', row.id],
    ['Kind', row.kind],
    ['Shop', row.target],
    ['Profile', row.profile],
    ['By', `${row.who} on ${row.host} (pid ${row.pid})`],
    ['Reason', row.reason],
    ['State', row.stopReason === null ? row.state : `${row.state}: ${row.stopReason}`],
    ['Started', row.startedAt],
    ['Ended', row.endedAt],
    ['Continues', row.continues],
    ['Flows', row.flows],
    ['Items', row.total],
    // Those of the journal: what a run under way has counted is some seconds old.
    ['Results', results.map(({name, count}) => `${count} ${name}`).join(', ')],
    ['Options', JSON.stringify(row.options)],
    ['Audit log', problem === null ? `${auditLog}, ${records} entries` : `${auditLog}: ${problem}`],
    ...verified.ends.map(({worker, sequence, hash}): [string, string] => [
      'Chain',
      `${hash} (entry ${sequence} of ${worker})`,
    ]),
  ]
  return all.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)] as const],
  )
}

/** How the results of a run lie in time. */
export interface Timeline {
  readonly from: Date
  readonly stepMs: number
  /** In the order of the legend: what stands, what is held, what is unknown, what failed. */
  readonly results: readonly {
    readonly name: string
    readonly resultClass: ResultClass
    readonly count: number
  }[]
  /** For each step, how many there are of each result, in the order of `results`. */
  readonly steps: readonly (readonly number[])[]
}

/** Bars of the chart at most. */
const STEPS = 80
const SHORTEST_STEP_MS = 100
const LEGEND: readonly ResultClass[] = ['done', 'later', 'held', 'unknown', 'failed']

/**
 * Gathers the results of a run into steps of equal length, from its beginning to its last sign of life. What a clock
 * that was set put outside counts to the step at that end.
 */
export function createTimeline(run: Pick<RunRow, 'startedAt' | 'endedAt' | 'heartbeatAt'>) {
  const from = run.startedAt
  const lengthMs = (run.endedAt ?? run.heartbeatAt).getTime() - from.getTime()
  const stepMs = Math.max(SHORTEST_STEP_MS, Math.ceil((lengthMs + 1) / STEPS))
  const last = Math.max(0, Math.floor(lengthMs / stepMs))
  const found = new Map<string, {resultClass: ResultClass; steps: number[]}>()
  return {
    add({at, result, resultClass}: Pick<JournalEntry, 'at' | 'result' | 'resultClass'>): void {
      const name = result ?? resultClass ?? ''
      const entry = found.get(name) ?? {
        resultClass: resultClass ?? 'unknown',
        steps: new Array<number>(last + 1).fill(0),
      }
      found.set(name, entry)
      const step = Math.floor((at.getTime() - from.getTime()) / stepMs)
      const within = Math.min(last, Math.max(0, step))
      entry.steps[within] = (entry.steps[within] ?? 0) + 1
    },
    /** What has been added so far. */
    build(): Timeline {
      const all = [...found].sort(
        ([a, {resultClass: x}], [b, {resultClass: y}]) => rank(x) - rank(y) || (a < b ? -1 : 1),
      )
      return {
        from,
        stepMs,
        results: all.map(([name, {resultClass, steps}]) => ({
          name,
          resultClass,
          count: steps.reduce((a, b) => a + b, 0),
        })),
        steps: Array.from({length: last + 1}, (_, step) => all.map(([, {steps}]) => steps[step] ?? 0)),
      }
    },
  }
}

function rank(resultClass: ResultClass): number {
  return LEGEND.indexOf(resultClass)
}
