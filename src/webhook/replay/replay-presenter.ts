import type {ExitName} from '../../errors.js'
import type {Counts} from '../../runs/journal/run-store.js'
import {inFlightWords, type Teller, telling} from '../../runs/report/progress-reporter.js'
import type {Replay} from './replay.js'
import type {ReplayRow} from './replay-row.js'
import {Summary} from './summary.js'

/** Where a replay is told of. */
export interface Paper extends Teller {
  /** Prints the rows as they come. */
  print(rows: AsyncIterable<readonly ReplayRow[]>): Promise<unknown>
  wasInterrupted(): boolean
}

/**
 * Prints a replay to its end: a row for each event, how far it is while it runs, and a summary.
 *
 * @returns the exit that it ends with
 * @throws StorectlError what stopped it, unless a person did
 */
export async function report(
  {rows, run, total, inFlight, halt, left, others, goesOn}: Replay,
  paper: Paper,
): Promise<ExitName> {
  const summary = new Summary()
  const counted = summary.counted(rows)
  const told = {
    total,
    done: () => summary.total + sumOf(others()),
    text: () => `${summary.sent} sent${alsoText(sumOf(others()))}, ${summary.text}`,
    lastWords: () => inFlightWords(inFlight, run as string, `storectl run resume ${run}`),
  }
  await paper.print(run === null ? counted : telling(counted, told, paper))
  const wasInterrupted = paper.wasInterrupted()
  summary.addOthers(others())
  await paper.note(summary.closing(run, {left: left(), goesOn: goesOn(), wasInterrupted}))
  const stopped = summary.failure(halt())
  if (stopped && !wasInterrupted) throw stopped
  return summary.exit(undefined)
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function alsoText(others: number): string {
  return others > 0 ? ` here and ${others} ended by other workers` : ''
}
