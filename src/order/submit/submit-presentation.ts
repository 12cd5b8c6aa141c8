import type {OrderRow} from '../../contract/order-rows.js'
import {StorectlError} from '../../errors.js'
import {formatCount, formatCounted} from '../../output/cell.js'
import {printRows} from '../../output/print.js'
import type {Row, View} from '../../output/view.js'
import {RESUME} from '../../runs/pool/circuit-breaker.js'
import type {Presentation, Run} from '../../runs/run.js'
import type {ResultNames, RunSummary} from '../../runs/run-summary.js'
import {formatDifference} from '../compare-orders.js'
import type {OrderSource} from '../draft/read-options.js'
import {NO_ORDER_ROUTE} from './order-response.js'
import type {ReorderBuffer} from './reorder-buffer.js'
import {type EndedOrder, type OrderFiles, recordOrders} from './result-files.js'
import {isFailedOrder, ORDER_RESULTS} from './result-row.js'

export const SUBMIT_RESULTS: ResultNames = {
  done: ['created', 'exists', 'new'],
  failed: ['rejected', 'conflict', 'failed', 'not-sent', 'unknown'],
  held: [],
  skipped: [],
}

/** The files that a submit writes besides its output, as named on the command line. */
export interface ResultFileNames {
  readonly rejects?: string | undefined
  readonly report?: string | undefined
  /** Whether existing files may be replaced. */
  readonly force: boolean
}

/** Where a submit is printed. */
export interface SubmitDisplay {
  /** Whether rows are printed as a table, which a person reads. */
  readonly isTable: boolean
  /** Where failures are repeated. */
  readonly stderr: {
    readonly isTerminal: boolean
    readonly columns: number | undefined
    write(text: string | Uint8Array): Promise<void>
  }
}

export interface SubmitPresentationDeps {
  readonly source: OrderSource
  readonly files: OrderFiles
  readonly fileNames: ResultFileNames
  /** Sorts orders as in the input. */
  readonly order: ReorderBuffer<EndedOrder>
  /** Results come as orders end, not in the order of the input. */
  readonly isUnordered: boolean
  /** Whether `run resume` can read the inputs again. */
  readonly canResume: boolean
  /** Whether an input without orders is an error. */
  readonly failsIfEmpty: boolean
  readonly display: SubmitDisplay
}

/** How a submit is printed: rows in the order of the input, failures repeated at the end, and files. */
export function createSubmitPresentation(deps: SubmitPresentationDeps): Presentation<EndedOrder> {
  const {source, files, fileNames, order, canResume, display} = deps
  const failures = new Failures()
  const resumeCommand = (run: string) =>
    canResume ? `storectl run resume ${run}` : 'the same command with the same orders'
  return {
    view: ORDER_RESULTS,
    show: (ended, run) => {
      // If nothing is sent, the order is that of the input.
      const isUnordered = deps.isUnordered && run.id !== null
      const turn = {order, isUnordered, leave: () => run.close()}
      const rows = recordOrders(ended, files, turn, {source, total: run.total, run: run.id})
      return failures.collect(display.isTable ? limitUnsent(rows, run.summary) : rows)
    },
    printBelow: note => showFailures(failures, display, note),
    summarize,
    describeUnknown,
    resumeCommand,
    describeLoss: () => {
      const names = listFileNames(fileNames)
      return names.length > 0 ? `\nnot written, because the run did not end: ${names.join(', ')}` : ''
    },
    explainHalt: ({code, message, cause, nextSteps}, run) =>
      new StorectlError(code, message, {
        cause,
        nextSteps: [
          ...nextSteps.filter(step => step !== RESUME),
          ...(code === NO_ORDER_ROUTE ? [] : [resumeCommand(run)]),
        ],
      }),
    listNotes: ({summary, total}) => listFileNotes(fileNames, summary, total),
    chooseExit: (exit, {total}) => (deps.failsIfEmpty && total === 0 ? 'empty' : exit),
  }
}

/** `25 orders: 23 created, 1 already existed, 1 not sent` */
function summarize({summary, total}: Run<EndedOrder>): string {
  const results = summary.describeResults().replace(/\bexists\b/, 'already existed')
  const left = total - summary.ended
  const parts = [...(results === '' ? [] : [results]), ...(left > 0 ? [`${formatCount(left)} not sent`] : [])]
  const orders = formatCounted(total, ['order', 'orders'])
  return `${orders}: ${parts.length > 0 ? parts.join(', ') : 'nothing to do'}`
}

function describeUnknown(summary: RunSummary): string {
  const {unknown} = summary
  const count = summary.countOf('unknown')
  const more = count > unknown.length ? ` and ${count - unknown.length} more` : ''
  return `the shop may have: ${unknown.join(', ')}${more}; a new submit looks them up first`
}

/** Most unsent orders that a table lists; the others are only counted. */
const MOST_UNSENT = 100

/** The rows of a table, without the long tail of a run that stopped early. */
async function* limitUnsent(
  rows: AsyncIterable<readonly OrderRow[]>,
  summary: RunSummary,
): AsyncGenerator<readonly OrderRow[]> {
  let unsent = 0
  let ended = 0
  for await (const group of rows) {
    const shown = group.filter(({status, attempts}) => {
      const wasReached = status !== 'not-sent' || attempts > 0
      if (wasReached) ended++
      return wasReached || ++unsent <= MOST_UNSENT
    })
    yield shown
    if (shown.length < group.length && ended === summary.ended) return
  }
}

const FAILURES_VIEW: View = {
  noun: ['failure', 'failures'],
  columns: [{path: 'reference', header: 'FAILED'}, {path: 'status'}, {path: 'detail'}],
  id: 'reference',
}

/** Most failures repeated at the end. */
const MOST_FAILURES = 100

/** Most fields of a conflict shown there. */
const MOST_FIELDS = 8

/** Collects the failures among rows; the first of them, as memory must not grow with their number. */
class Failures {
  readonly first: OrderRow[] = []
  count = 0
  rows = 0

  async *collect(rows: AsyncIterable<readonly OrderRow[]>): AsyncGenerator<readonly OrderRow[]> {
    for await (const group of rows) {
      this.rows += group.length
      for (const row of group) {
        if (!isFailedOrder(row)) continue
        if (++this.count <= MOST_FAILURES) this.first.push(row)
      }
      yield group
    }
  }
}

/** A list of failures alone needs no second table on the same screen. */
async function showFailures(
  {first, count, rows}: Failures,
  {stderr, isTable}: SubmitDisplay,
  note: (text: string) => Promise<void>,
): Promise<void> {
  if (count === 0 || !stderr.isTerminal || (isTable && count === rows)) return
  await stderr.write('\n')
  await printRows(first.flatMap(toFailureRows), stderr, {view: FAILURES_VIEW, format: 'table'})
  if (count > first.length) await note(`and ${count - first.length} more that failed`)
  await stderr.write('\n')
}

/** A conflict takes a line for every field, with both contents. */
function toFailureRows(row: OrderRow): Row[] {
  const {reference, status, differences} = row
  if (!differences?.length) return [row]
  const details = differences.slice(0, MOST_FIELDS).map(each => formatDifference(each))
  if (differences.length > MOST_FIELDS) details.push(`and ${differences.length - MOST_FIELDS} more fields`)
  return details.map(detail => ({reference, status, detail}))
}

function listFileNames({rejects, report}: ResultFileNames): string[] {
  return [rejects, report].filter(file => file !== undefined)
}

/** The notes about files at the end. @param total orders of the input */
function listFileNotes(fileNames: ResultFileNames, {failed, ended}: RunSummary, total: number): string[] {
  const {rejects, force} = fileNames
  const notes: string[] = []
  if (rejects !== undefined && failed > 0) {
    notes.push(`${rejects}: ${failed} ${failed === 1 ? 'order' : 'orders'} to correct; then submit that file`)
  }
  const names = listFileNames(fileNames)
  if (ended < total && names.length > 0 && !force) {
    const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
    notes.push(`${names.join(' and ')} ${are} there now: resume with --force to overwrite ${them}`)
  }
  return notes
}
