import type {RawBuilder} from 'kysely'
import type {ZoneOffset} from '../../../shop-model/zone-offsets.js'
import type {Database} from '../../database.js'
import type {UntypedDatabase} from '../../migrations.js'
import type {ShopTables} from '../tables.js'

/**
 * What engines do each in a way of its own when a shop is searched; everything else is SQL that all of them run. It is
 * handed in where the shop is opened.
 */
export interface SearchEngine {
  /** Absent where the engine's own index serves `like`, as pg_trgm does: then nothing has to be narrowed down. */
  readonly parts?: PartsIndex
  /**
   * A stored moment as the clocks of a zone showed it, in the same form.
   *
   * @param offsets the earliest first
   */
  localTime(moment: RawBuilder<unknown>, offsets: readonly ZoneOffset[]): RawBuilder<string>
}

/** The shop's database with what its engine does in its own way. */
export interface ShopDatabase extends Database<ShopTables> {
  readonly search: SearchEngine
}

/** What an index of the parts of texts is made over. */
export interface TextIndex {
  table: string
  /** The table's whole-number key. */
  key: string
  /** Columns whose texts are without case and accents already. */
  columns: readonly string[]
}

/**
 * An index by which rows are found that hold parts of texts. It may lag behind: rows that it does not know yet are among
 * the keys that it gives.
 */
export interface PartsIndex {
  /** Makes the index where there is none over just these columns; it knows no row then. */
  make(db: UntypedDatabase, index: TextIndex): Promise<void>
  /** Adds rows that the index does not know yet, the oldest first. @param most how many; all unless given */
  catchUp(db: UntypedDatabase, index: TextIndex, most?: number): Promise<void>
  /** How many rows the index does not know yet, or somewhat more. */
  lag(db: UntypedDatabase, index: TextIndex): Promise<number>
  /** Whether the index can tell which texts hold a part. */
  isIndexable(part: string): boolean
  /**
   * Keys of all rows that hold one of the parts in one of the columns, and of some others, for an `in`.
   *
   * @param parts folded, and indexable; at least one
   */
  keysWith(index: TextIndex, columns: readonly string[], parts: readonly string[]): RawBuilder<unknown>
}
