import type {RunReads} from '../journal/run-store.js'
import type {RunLedgerHead} from './run-ledger-row.js'

/**
 * What a home knows of its records, stored outside of them: an older copy of the records does not fit it. This file is all
 * that tells a restored backup from the records as they were.
 */
export interface SeenRecords extends RunLedgerHead {
  /** When the head's row was appended, by the clock of the records, ISO 8601; empty before the first row. */
  readonly at: string
  /** Number of the head when this home saw these records for the first time: of what was before it knows nothing. */
  readonly first: number
  /** Whether `doctor` has said so. */
  readonly isFirstSaid: boolean
  /** How far workers of this home have come that had not ended yet, by their ids. */
  readonly workers: Readonly<Record<string, SeenWorker>>
  /** Why the records count as restored, until a person has checked them; absent where they do not. */
  readonly restored?: string
}

/** What a home knows of records that it has not seen. */
export const NOTHING_SEEN: SeenRecords = {
  ...{number: 0, hash: '', at: '', first: 0, isFirstSaid: false, workers: {}},
}

/** Entries of a worker's chain that are in the records for sure. */
export interface SeenWorker {
  readonly run: string
  readonly sequence: number
}

type Reads = Pick<RunReads, 'find' | 'findRunLedgerRow' | 'listRunLedger' | 'readRunLedgerHead'>

/** Records that are older than what a home has seen of them, or others. */
export interface Restoration {
  /** A sentence. */
  readonly why: string
  /** Somebody has checked them since: another home that shares them. */
  readonly isChecked: boolean
}

/**
 * Compares records with what a home has seen of them. They are read after `seen`, so that what others append meanwhile does
 * no harm.
 *
 * @returns `undefined` where all that was seen is there
 */
export async function findRestoration(seen: SeenRecords, reads: Reads): Promise<Restoration | undefined> {
  const why = seen.restored ?? (await findMissing(seen, reads))
  return why === undefined ? undefined : {why, isChecked: await isChecked(seen, reads)}
}

async function findMissing({number, hash, workers}: SeenRecords, reads: Reads): Promise<string | undefined> {
  const head = await reads.readRunLedgerHead()
  const has = `this home has seen row ${number} of the ledger of runs`
  if (head.number < number) return `${has}, and the records end at row ${head.number}`
  const row = head.number === number ? head : await reads.findRunLedgerRow(number)
  if (number > 0 && row?.hash !== hash) return `${has}, and the records have another one`
  for (const [id, {run, sequence}] of Object.entries(workers)) {
    const entries = (await reads.find(run))[0]?.workers.find(worker => worker.id === id)?.sequence ?? 0
    if (entries < sequence)
      return `this home has seen entry ${sequence} of run ${run}, and the records end at entry ${entries}`
  }
  return undefined
}

/** Whether a row says that somebody has checked them, after what this home has seen last. */
async function isChecked({at}: SeenRecords, reads: Reads): Promise<boolean> {
  for await (const row of reads.listRunLedger())
    if (row.kind === 'restored' && row.at.toISOString() > at) return true
  return false
}
