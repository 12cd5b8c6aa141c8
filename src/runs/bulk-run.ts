import type {Execution} from './execute.js'
import type {Participant} from './workers/worker-session.js'

/**
 * Hands on the rows that are made of a run's results, and ends the run with them, however they end: what is in flight
 * is finished and recorded first.
 */
export async function* untilEnded<T, Row>(
  run: Participant,
  execution: Execution<T>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void, void> {
  let hasFailed = false
  try {
    yield* rows
  } catch (error) {
    hasFailed = true
    throw error
  } finally {
    await execution.results.return()
    if (hasFailed) await run.fail()
    else await run.end({isComplete: execution.isComplete, halt: execution.halt})
  }
}
