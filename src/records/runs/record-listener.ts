import type {Kysely} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>

/** Told of what a kind of run writes down, inside the commit that keeps it. */
export interface RecordListener {
  onResults(db: Db, run: {kind: string; target: string}, results: readonly JournalEntry[]): Promise<void>
  /** Told before of everything, the results among it. */
  onRecords(db: Db, run: {kind: string; target: string}, records: readonly JournalEntry[]): Promise<void>
}
