import {OpenAttempts} from '../journal/assert-records.js'
import {type ChainReport, computeChainOrigin, verifyChain} from '../journal/hash-chain.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunReads, RunRow} from '../journal/run-store.js'
import type {Amounts, ChainEnd, Counts} from '../journal/worker.js'
import {ResultTotaler} from './result-totals.js'
import type {ClosingContent, OpeningContent, RunLedgerRow} from './run-ledger-row.js'

/** What the journal and the ledger of runs show about one run. */
export interface Verified extends ChainReport {
  readonly run: RunRow
  /** What was counted and the journal does not show, by result; records cut off a chain's end are found here. */
  readonly miscounted: readonly Miscounted[]
  /** Sentences: what else differs from the ledger of runs, or from what the workers stored. */
  readonly differences: readonly string[]
  /** The run's rows of the ledger of runs. */
  readonly ledgerRows: readonly RunLedgerRow[]
  readonly isWhole: boolean
}

export interface Miscounted {
  readonly result: string
  /** According to the ledger of runs, or to its workers if the run has not ended. */
  readonly counted: number
  /** Results in the journal. */
  readonly found: number
}

/** The text for a run that has ended without a row that says so. */
export const UNCLOSED = 'closed without a ledger row'

/**
 * Reads all entries of a run, and compares its chains, items, counts and amounts with its rows of the ledger of runs,
 * or with what its workers stored if it has not ended. `verifyRunLedger` checks whether those rows are complete.
 *
 * A run may continue meanwhile, unless it is read in a snapshot: then only missing results are reported.
 *
 * @param onResult called for every result on the way
 */
export async function verifyRun(
  run: RunRow,
  runs: Pick<RunReads, 'listRecords' | 'listRunLedger'>,
  onResult: (result: JournalEntry) => void = () => {},
): Promise<Verified> {
  const ledgerRows: RunLedgerRow[] = []
  for await (const row of runs.listRunLedger(run.id)) ledgerRows.push(row)
  const {opening, closing, unreadable} = readRows(ledgerRows)
  const found = new Found(closing?.ends ?? listWorkerEnds(run), [run.id, ...run.workers.map(({id}) => id)])
  const chains = await verifyChain(found.watch(runs.listRecords(run.id), onResult), run)
  const miscounted = compareCounts(closing?.counts ?? run.counts, found.totals.counts, closing !== undefined)
  const differences = [
    ...unreadable,
    ...compareOpening(run, opening, closing),
    ...(closing ? compareClosing(run, closing, chains, found) : compareState(run)),
    ...found.listMissing(),
    ...(chains.damage.length === 0 ? await found.listUnintended(() => runs.listRecords(run.id)) : []),
    ...compareWorkers(run, found, closing !== undefined),
  ]
  const isWhole = chains.damage.length + miscounted.length + differences.length === 0
  return {...chains, run, miscounted, differences, ledgerRows, isWhole}
}

/** The newest rows of its kind. */
interface Rows {
  readonly opening: OpeningContent | undefined
  readonly closing: ClosingContent | undefined
  readonly unreadable: readonly string[]
}

function readRows(rows: readonly RunLedgerRow[]): Rows {
  let opening: OpeningContent | undefined
  let closing: ClosingContent | undefined
  const unreadable: string[] = []
  for (const {number, content} of rows) {
    const read = parseContent(content)
    if (read === undefined) unreadable.push(`row ${number} of the ledger of runs cannot be read`)
    else if ('ends' in read && 'counts' in read && 'amounts' in read) closing = read as ClosingContent
    if (read && 'origin' in read) opening = read as OpeningContent
  }
  return {opening, closing, unreadable}
}

function parseContent(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}

/** What the journal shows. */
class Found {
  readonly totals = new ResultTotaler()
  readonly #byWorker = new Map<string, ResultTotaler>()
  readonly #awaited: Map<string, ChainEnd>
  readonly #attempts = new OpenAttempts()
  readonly #own: ReadonlySet<string>
  #unintended: JournalEntry | undefined
  /** What chains of others than the workers say about an attempt, read in any order; by attempt and item. */
  readonly #strays = new Map<string, JournalEntry>()

  /**
   * @param ends entries that have to be there
   * @param own ids of the run's workers: an attempt and its result are in one chain
   */
  constructor(ends: readonly ChainEnd[], own: readonly string[]) {
    this.#own = new Set(own)
    this.#awaited = new Map(ends.map(end => [end.worker, end]))
  }

  async *watch(
    records: AsyncIterable<JournalEntry>,
    onResult: (result: JournalEntry) => void,
  ): AsyncGenerator<JournalEntry, void, void> {
    for await (const record of records) {
      const {worker, sequence, hash} = record
      const end = this.#awaited.get(worker)
      if (end?.sequence === sequence && end.hash === hash) this.#awaited.delete(worker)
      if (!this.#attempts.takes(record)) this.#noteUnfollowed(record)
      this.totals.addEntry(record)
      const own = this.#byWorker.get(worker) ?? new ResultTotaler()
      this.#byWorker.set(worker, own)
      own.addEntry(record)
      if (record.kind === 'result') onResult(record)
      yield record
    }
  }

  countOf(worker: string): Counts {
    return this.#byWorker.get(worker)?.counts ?? {}
  }

  #noteUnfollowed(record: JournalEntry): void {
    if (this.#own.has(record.worker)) this.#unintended ??= record
    else this.#strays.set(nameAttempt(record), record)
  }

  /** The first result or answer of an attempt whose intent is not where it may be. @param read reads the run once more */
  async listUnintended(read: () => AsyncIterable<JournalEntry>): Promise<string[]> {
    if (this.#strays.size > 0)
      for await (const record of read())
        if (record.kind === 'intent') this.#strays.delete(nameAttempt(record))
    const unintended = this.#unintended ?? [...this.#strays.values()][0]
    if (!unintended) return []
    const {item, worker, sequence} = unintended
    return [`entry ${sequence} of ${worker} records an attempt of ${item} that has no intent`]
  }

  /** Ends of chains that are not there. */
  listMissing(): string[] {
    return [...this.#awaited.values()].map(
      ({worker, sequence}) => `the chain of ${worker} does not have its last entry, ${sequence}`,
    )
  }
}

function nameAttempt({attempt, item}: JournalEntry): string {
  return `${attempt} ${item}`
}

function listWorkerEnds({workers}: RunRow): ChainEnd[] {
  return workers.flatMap(({id: worker, sequence, hash}) => (sequence > 0 ? [{worker, sequence, hash}] : []))
}

/** A run that ended while its plan was made has not opened. */
function compareOpening(
  run: RunRow,
  opening: OpeningContent | undefined,
  closing: ClosingContent | undefined,
): string[] {
  if (!opening) {
    const isUnplanned = run.total === null && (run.state === 'running' || closing !== undefined)
    return isUnplanned ? [] : ['the ledger of runs has no row of its opening']
  }
  return opening.origin === computeChainOrigin(run) ? [] : ['the run itself was changed since it opened']
}

function compareState({state}: RunRow): string[] {
  return state === 'running' ? [] : [UNCLOSED]
}

function compareClosing(
  run: RunRow,
  closing: ClosingContent,
  {ends}: ChainReport,
  {totals}: Found,
): string[] {
  const {state, stopCode, stopReason, endedAt, counts, amounts} = closing
  const compared: [string, unknown, unknown][] = [
    ['state', run.state, state],
    ['stop code', run.stopCode, stopCode],
    ['stop reason', run.stopReason, stopReason],
    ['end', run.endedAt?.toISOString() ?? null, endedAt],
    ['counts', formatCounts(run.counts), formatCounts(counts)],
    ['amounts', formatAmounts(totals.amounts), formatAmounts(amounts)],
  ]
  const known = new Map(closing.ends.map(({worker, sequence}) => [worker, sequence]))
  const added = ends.filter(({worker, sequence}) => sequence > (known.get(worker) ?? 0))
  return [
    ...compared.flatMap(([what, is, was]) =>
      is === was ? [] : [`${what} ${describe(is)}, by the ledger of runs ${describe(was)}`],
    ),
    ...added.map(({worker}) => `${worker} has entries that the ledger of runs does not know`),
  ]
}

function describe(value: unknown): string {
  return value === null || value === '' ? 'empty' : `"${value}"`
}

/** @param hasEnded else there may be more by now */
function compareWorkers({workers}: RunRow, found: Found, hasEnded: boolean): string[] {
  return workers
    .filter(({id, counts}) => compareCounts(counts, found.countOf(id), hasEnded).length > 0)
    .map(({id}) => `the counts of ${id} are not those of its entries`)
}

function compareCounts(counted: Counts, found: Counts, hasEnded: boolean): Miscounted[] {
  const results = [...new Set([...Object.keys(counted), ...Object.keys(found)])].sort()
  return results
    .map(result => ({result, counted: counted[result] ?? 0, found: found[result] ?? 0}))
    .filter(({counted, found}) => found < counted || (hasEnded && found > counted))
}

function formatCounts(counts: Counts): string {
  return listSorted(counts)
    .map(([result, count]) => `${count} ${result}`)
    .join(', ')
}

function formatAmounts(amounts: Amounts): string {
  return listSorted(amounts)
    .flatMap(([result, sums]) => listSorted(sums).map(([currency, sum]) => `${sum} ${currency} ${result}`))
    .join(', ')
}

function listSorted<T>(values: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
}
