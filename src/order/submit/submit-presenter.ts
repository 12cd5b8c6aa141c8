import type {ExitName} from '../../errors.js'
import {printRows} from '../../output/print.js'
import type {Row, View} from '../../output/view.js'
import {inFlightWords, type Teller, telling} from '../../runs/report/progress-reporter.js'
import {formatDifference} from '../compare-orders.js'
import type {OrderRow} from './result-row.js'
import type {Submitting} from './submit.js'
import type {Summary} from './submit-summary.js'

/** Where a submit is told of. */
interface Paper extends Teller {
  /** Prints the rows as they come. */
  print(rows: AsyncIterable<readonly OrderRow[]>): Promise<unknown>
  /** Whether it prints them as a table, which a person reads. */
  readonly isTable: boolean
  /** Where notes go. */
  readonly stderr: {
    readonly isTerminal: boolean
    readonly columns: number | undefined
    write(text: string | Uint8Array): Promise<void>
  }
  wasInterrupted(): boolean
}

/** Failures that are shown once more at the end. */
const MOST_FAILURES = 100

/** Fields of a conflict that are shown there. */
const MOST_FIELDS = 8

/** Orders that were not sent which a table lists; the rest is only counted. */
const MOST_UNSENT = 100

/**
 * Prints a submit to its end: a row for each order, how far it is while it runs, a table of failures where a person
 * reads, and a summary.
 *
 * @returns the exit that it ends with
 * @throws StorectlError what stopped it, unless a person did
 */
export async function conclude(submitting: Submitting, asked: AskedFiles, paper: Paper): Promise<ExitName> {
  const {rows, run, summary, total} = submitting
  const failures = new Failures()
  const noted = failures.noted(paper.isTable ? listed(rows, summary) : rows)
  await paper.print(run === null ? noted : telling(noted, told(submitting, run, asked), paper))
  await showFailures(failures, paper)
  const wasInterrupted = paper.wasInterrupted()
  await paper.note(summary.closing(total, run, wasInterrupted, carryingOn(submitting)))
  for (const note of fileNotes(asked, summary, total)) await paper.note(note)
  const halt = submitting.halt()
  if (halt && !wasInterrupted) throw summary.explained(halt, carryingOn(submitting))
  return summary.exit()
}

/** The command that carries on. */
function carryingOn({run, canResume}: Submitting): string {
  return canResume ? `storectl run resume ${run}` : 'the same command with the same orders'
}

function told(submitting: Submitting, run: string, {rejects, report}: AskedFiles) {
  const {summary, total, inFlight} = submitting
  const files = [rejects, report].filter(file => file !== undefined)
  const unwritten = files.length > 0 ? `\nnot written, as the run has no end: ${files.join(', ')}` : ''
  return {
    total,
    done: () => summary.done,
    text: () => summary.outcomes,
    lastWords: () => inFlightWords(inFlight, run, carryingOn(submitting)) + unwritten,
  }
}

/** The rows of a table, without the long tail of a run that stopped early. */
async function* listed(rows: AsyncIterable<readonly OrderRow[]>, summary: {readonly done: number}) {
  let unsent = 0
  let ended = 0
  for await (const group of rows) {
    const shown = group.filter(({status}) => {
      if (status !== 'not-sent') ended++
      return status !== 'not-sent' || ++unsent <= MOST_UNSENT
    })
    yield shown
    if (shown.length < group.length && ended === summary.done) return
  }
}

const FAILURES: View = {
  noun: ['failure', 'failures'],
  columns: [{path: 'reference', header: 'FAILED'}, {path: 'status'}, {path: 'detail'}],
  id: 'reference',
}

const FAILED = new Set(['rejected', 'conflict', 'failed', 'unknown'])

/** Collects the failures among rows; the first of them, as memory must not grow with their number. */
class Failures {
  readonly first: OrderRow[] = []
  count = 0
  rows = 0

  async *noted(rows: AsyncIterable<readonly OrderRow[]>): AsyncGenerator<readonly OrderRow[]> {
    for await (const group of rows) {
      this.rows += group.length
      for (const row of group) {
        if (FAILED.has(row.status) && ++this.count <= MOST_FAILURES) this.first.push(row)
      }
      yield group
    }
  }
}

/** A list of nothing but failures needs no table of them, where it is before the same eyes. */
async function showFailures({first, count, rows}: Failures, {stderr, isTable, note}: Paper): Promise<void> {
  if (count === 0 || !stderr.isTerminal || (isTable && count === rows)) return
  await stderr.write('\n')
  await printRows(first.flatMap(linesOf), stderr, {view: FAILURES, format: 'table'})
  if (count > first.length) await note(`and ${count - first.length} more that failed`)
  await stderr.write('\n')
}

/** A conflict takes a line for every field, with both contents. */
function linesOf(row: OrderRow): Row[] {
  const {reference, status, differences} = row
  if (!differences?.length) return [row]
  const details = differences.slice(0, MOST_FIELDS).map(each => formatDifference(each))
  if (differences.length > MOST_FIELDS) details.push(`and ${differences.length - MOST_FIELDS} more fields`)
  return details.map(detail => ({reference, status, detail}))
}

/** The files that a submit was to write. */
interface AskedFiles {
  readonly rejects?: string | undefined
  readonly report?: string | undefined
  /** Whether files that are there may be replaced. */
  readonly force: boolean
}

/** What there is to say about them at the end. @param total orders of the input */
function fileNotes({rejects, report, force}: AskedFiles, summary: Summary, total: number): string[] {
  const notes: string[] = []
  const {failed, done} = summary
  if (rejects !== undefined && failed > 0) {
    notes.push(`${rejects}: ${failed} ${failed === 1 ? 'order' : 'orders'} to mend; then submit that file`)
  }
  const files = [rejects, report].filter(file => file !== undefined)
  if (done < total && files.length > 0 && !force) {
    const are = files.length === 1 ? 'is' : 'are'
    notes.push(
      `${files.join(' and ')} ${are} there now: carrying on wants --force to replace ${files.length === 1 ? 'it' : 'them'}`,
    )
  }
  return notes
}
