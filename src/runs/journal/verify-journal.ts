import {type ChainReport, verifyChain} from './hash-chain.js'
import type {JournalEntry} from './journal-entry.js'
import type {Counts, RunRow, RunStore} from './run-store.js'

/** What was found in the journal of one run. */
export interface Verified extends ChainReport {
  readonly run: RunRow
  /** What the run counted and the journal no longer shows, by outcome; records cut off a chain's end are found here. */
  readonly miscounted: readonly Miscounted[]
  readonly isWhole: boolean
}

export interface Miscounted {
  readonly outcome: string
  /** By the run when it ended. */
  readonly counted: number
  /** Results in the journal. */
  readonly found: number
}

/**
 * Reads all that was written about a run, and tells whether it still says what it said.
 *
 * A run that is under way has counts that are a few seconds old: of it only the chains are checked.
 *
 * @param onResult told of every result on the way
 */
export async function verifyJournal(
  run: RunRow,
  runs: Pick<RunStore, 'listRecords'>,
  onResult: (result: JournalEntry) => void = () => {},
): Promise<Verified> {
  const found: Record<string, number> = {}
  const count = (record: JournalEntry) => {
    const {outcome} = record
    if (outcome !== undefined) found[outcome] = (found[outcome] ?? 0) + 1
    onResult(record)
  }
  const walked = await verifyChain(tapResults(runs.listRecords(run.id), count), run)
  const miscounted = run.state === 'running' ? [] : compareCounts(run.counts, found)
  return {...walked, run, miscounted, isWhole: walked.damage.length === 0 && miscounted.length === 0}
}

async function* tapResults(
  records: AsyncIterable<JournalEntry>,
  onResult: (result: JournalEntry) => void,
): AsyncGenerator<JournalEntry, void, void> {
  for await (const record of records) {
    if (record.kind === 'result') onResult(record)
    yield record
  }
}

function compareCounts(counted: Counts, found: Counts): Miscounted[] {
  const outcomes = [...new Set([...Object.keys(counted), ...Object.keys(found)])].sort()
  return outcomes
    .map(outcome => ({outcome, counted: counted[outcome] ?? 0, found: found[outcome] ?? 0}))
    .filter(({counted, found}) => counted !== found)
}
