import type {ExitName} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import {sayingHowFar} from '../run/progress.js'
import type {Replay} from './replay.js'
import type {ReplayRow} from './replay-row.js'
import {Summary} from './summary.js'

/** Where a replay is told of. */
export interface Paper {
  /** Prints the rows as they come. */
  print(rows: AsyncIterable<ReplayRow>): Promise<unknown>
  /** A line for the person. */
  note(text: string): Promise<void>
  readonly clock: Clock
  readonly verbose: boolean
  wasInterrupted(): boolean
}

const SAY_EVERY_MS = 2000

/**
 * Prints a replay to its end: a row for each event, how far it is while it runs, and a summary.
 *
 * @returns the exit that it ends with
 * @throws StorectlError what stopped it, unless a person did
 */
export async function report({rows, run, halt, left}: Replay, paper: Paper): Promise<ExitName> {
  const summary = new Summary()
  const counted = summary.counted(rows)
  const say = () => paper.note(`${summary.total} ended: ${summary.text}`)
  await paper.print(paper.verbose ? sayingHowFar(counted, SAY_EVERY_MS, paper.clock, say) : counted)
  const wasInterrupted = paper.wasInterrupted()
  await paper.note(summary.closing(run, left(), wasInterrupted))
  const stopped = summary.failure(halt())
  if (stopped && !wasInterrupted) throw stopped
  return summary.exit(undefined)
}
