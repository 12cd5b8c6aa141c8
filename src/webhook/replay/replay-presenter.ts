import type {ExitName, StorectlError} from '../../errors.js'
import type {Counts} from '../../runs/journal/run-store.js'
import {inFlightWords, type Teller, telling} from '../../runs/report/progress-reporter.js'
import {exitOfRun, haltedWith} from '../../runs/run-exit.js'
import type {Replay} from './replay.js'
import {EXIT_OF, type ReplayRow} from './replay-row.js'

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

/** Outcomes in the order they are told. */
const WORDS = ['applied', 'noop', 'accepted', 'rejected', 'failed', 'unknown', 'held', 'invalid', 'skipped']
const DONE = new Set(['applied', 'noop', 'accepted'])

/** How a worker's part of a replay stands at its end. */
interface Closing {
  /** Events without a result. */
  readonly left: number
  /** Whether other workers go on with them. */
  readonly goesOn: boolean
  readonly wasInterrupted: boolean
}

/** Counts what became of a replay's events while they go by. */
class Summary {
  readonly counts = new Map<string, number>()
  readonly #exits = new Set<ExitName>()
  readonly #tally = {done: 0, failed: 0, held: 0}
  #others = 0
  /** Events that were sent. */
  sent = 0
  /** Ids of events that may have been applied, the first few. */
  readonly unknown: string[] = []

  /** Hands the rows on and counts them. */
  async *counted(
    rows: AsyncIterable<readonly ReplayRow[]>,
  ): AsyncGenerator<readonly ReplayRow[], void, void> {
    for await (const group of rows) {
      for (const row of group) this.#count(row)
      yield group
    }
  }

  #count(row: ReplayRow): void {
    this.counts.set(row.outcome, (this.counts.get(row.outcome) ?? 0) + 1)
    this.#exits.add(row[EXIT_OF])
    if (row.attempts > 0) this.sent++
    const kind = kindOf(row)
    if (kind) this.#tally[kind]++
    if (row.outcome === 'unknown' && this.unknown.length < 10) this.unknown.push(row.id)
  }

  /** How the replay ends. @param halt what stopped it before its end */
  exit(halt: StorectlError | undefined): ExitName {
    return exitOfRun({...this.#tally, exits: this.#exits}, halt)
  }

  /** `12 applied, 3 noop, 1 held`, or `nothing to do`. */
  get text(): string {
    const said = WORDS.filter(word => this.counts.has(word)).map(word => `${this.counts.get(word)} ${word}`)
    return said.length > 0 ? said.join(', ') : 'nothing to do'
  }

  /** Counts what other workers of the run have ended, for how it ends: what it came to is the same for all of them. */
  addOthers(counts: Counts): void {
    for (const [outcome, count] of Object.entries(counts)) {
      this.#others += count
      const kind = kindOf({outcome, attempts: outcome === 'invalid' ? 0 : 1})
      if (kind) this.#tally[kind] += count
    }
  }

  /** The last lines of a replay, for people. */
  closing(run: string | null, {left, goesOn, wasInterrupted}: Closing): string {
    const lines = [run === null ? `${this.text}; nothing was sent` : `${this.text} (run ${run})`]
    if (this.unknown.length > 0) lines.push(`may have been applied: ${this.unknown.join(', ')}`)
    const how = wasInterrupted ? 'interrupted' : 'stopped'
    if (this.#others > 0) lines.push(`other workers of the run ended ${this.#others}`)
    if (goesOn) lines.push(`others go on with ${left}: storectl run show ${run} --follow`)
    else if (left > 0) lines.push(`${how}; ${left} not sent; to carry on: storectl run resume ${run}`)
    return lines.join('\n')
  }

  /** What stopped the replay, with the exit that all of it together asks for. */
  failure(halt: StorectlError | undefined): StorectlError | undefined {
    return halt && haltedWith(halt, this.exit(halt))
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** What is skipped counts for nothing: it was done before. */
function kindOf({
  outcome,
  attempts,
}: Pick<ReplayRow, 'outcome' | 'attempts'>): 'done' | 'failed' | 'held' | undefined {
  if (DONE.has(outcome)) return 'done'
  if (outcome === 'skipped') return undefined
  const isKeptBack = outcome === 'held' || (outcome === 'invalid' && attempts === 0)
  return isKeptBack ? 'held' : 'failed'
}
