import type {RunReads} from '../journal/run-store.js'
import type {RunLedgerHead} from './run-ledger-row.js'

/**
 * What a home knows about its records, stored outside them: an older copy of the records does not match it. Nothing
 * else distinguishes a restored backup from the records as they were.
 */
export interface SeenRecords extends RunLedgerHead {
  /** When the head's row was appended, by the clock of the records, ISO 8601; empty before the first row. */
  readonly at: string
  /** Number of the head when this home saw these records for the first time: it knows nothing of what was before. */
  readonly first: number
  /** Whether `doctor` has said so. */
  readonly isFirstSaid: boolean
  /** The progress of workers of this home that had not ended yet, by their ids. */
  readonly workers: Readonly<Record<string, SeenWorker>>
  /** Why the records count as restored, until a person has checked them; absent if they do not. */
  readonly restored?: string
}

/** What a home knows about records that it has not seen. */
export const NOTHING_SEEN: SeenRecords = {
  ...{number: 0, hash: '', at: '', first: 0, isFirstSaid: false, workers: {}},
}

/** Entries of a worker's chain that are certainly in the records. */
export interface SeenWorker {
  readonly run: string
  readonly sequence: number
}

type Reads = Pick<RunReads, 'find' | 'findRunLedgerRow' | 'listRunLedger' | 'readRunLedgerHead'>

/** The records are older than what a home has seen of them, or are other ones. */
export interface Restoration {
  /** A sentence. */
  readonly why: string
  /** Somebody has checked them since: another home that shares them. */
  readonly isChecked: boolean
}

/**
 * Compares records with what a home has seen of them. They are read after `seen`, so entries that others append
 * meanwhile are harmless.
 *
 * @returns `undefined` if everything that was seen is there
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

/** Whether a row says that somebody has checked them since this home last saw them. */
async function isChecked({at}: SeenRecords, reads: Reads): Promise<boolean> {
  for await (const row of reads.listRunLedger())
    if (row.kind === 'restored' && row.at.toISOString() > at) return true
  return false
}
