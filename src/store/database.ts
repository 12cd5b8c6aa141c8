import type {CompiledQuery, Kysely} from 'kysely'
import type {Erased} from '../webhook/prune.js'
import type {WriteQueue} from './writes.js'

/** An open database: reads on one connection, writes queued on another. */
export interface Database<Tables> {
  /** Which engine answers; for what must differ, and nothing else. */
  readonly engine: 'sqlite'
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
  /** Rewrites the file without what was deleted from it. */
  erase(): Promise<Erased>
  /** Waits for the writes that were begun, then closes. Closing twice does no harm. */
  close(): Promise<void>
}
