import type {Kysely} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>

/** Called with the records of a kind of run, inside their commit. */
export interface RecordListener {
  onResults(db: Db, run: {kind: string; target: string}, results: readonly JournalEntry[]): Promise<void>
  /** Called before, with all records, results included. */
  onRecords(db: Db, run: {kind: string; target: string}, records: readonly JournalEntry[]): Promise<void>
}
