import type {CompiledQuery, Kysely, RawBuilder} from 'kysely'
import type {Erased} from '../webhook/prune.js'
import type {WriteQueue} from './writes.js'

/** An open database: reads on one connection, writes queued on another. */
export interface Database<Tables> {
  /** Which engine answers; for what must differ, and nothing else. */
  readonly engine: 'sqlite' | 'postgres'
  /** Where it lies, for messages. */
  readonly location: string
  /** Sees what was committed, never a write that is under way. */
  readonly reads: Kysely<Tables>
  readonly writes: WriteQueue<Tables>
  /** The rows of a compiled query as arrays, in the order of its columns: for wide rows on their way out. */
  readRows(query: CompiledQuery): Promise<unknown[][]>
  /**
   * As `readRows`, for queries that differ in nothing but values: each shape is compiled once, with slots in place of the
   * values, and those that were asked for last are kept.
   *
   * @param values by the names of the slots
   */
  readShaped(shape: string, compile: () => CompiledQuery, values: object): Promise<unknown[][]>
  /** Looks at everything as it stood at one moment, while others go on writing. */
  snapshot<T>(look: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  readonly locks: RowLocks
  /** Milliseconds since 1970 by the clock that all who share the database go by. */
  nowMs(): RawBuilder<number>
  /** The same as a value, read within a write. */
  readNowMs(db: Kysely<Tables>): Promise<number>
  /** Gives back what was deleted: rewrites the file of SQLite without it. */
  erase(): Promise<Erased>
  /** Waits for the writes that were begun, then closes. Closing twice does no harm. */
  close(): Promise<void>
}

/**
 * What stands at the end of a select whose rows others must leave as they are until the write is over, for `modifyEnd`.
 * Nothing in SQLite, where nobody else writes meanwhile.
 */
export interface RowLocks {
  /** Others may read them, and share them likewise. */
  readonly forShare: RawBuilder<unknown>
  readonly forUpdate: RawBuilder<unknown>
  /** As `forUpdate`, without the rows that others hold. */
  readonly skipLocked: RawBuilder<unknown>
}
