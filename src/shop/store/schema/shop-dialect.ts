import type {ColumnDefinitionBuilder, RawBuilder} from 'kysely'
import type {Database, UntypedDatabase} from '../../../storage/engine/database.js'
import type {ColumnType} from './columns.js'
import type {ShopTables} from './schema.js'

/** What engines do each in a way of its own for a shop; everything else is SQL that all of them run. */
export interface ShopDialect {
  /** Whether other machines may have the database open, of whose processes nobody knows here. */
  readonly isShared: boolean
  /** As far as it is the same in every database of the engine. */
  readonly search: SearchDialect
  /** With what a database has beyond that. */
  detectSearch(db: UntypedDatabase): Promise<SearchDialect>
  readonly tables: TableBuilder
  readonly deliveryOrder: DeliveryOrder
  /** What adds rows by the thousand to one place. */
  prepareBulkInsert(into: BulkTarget): BulkInsertStatement
}

/** @param lists values in the order of the columns */
export type BulkInsertStatement = (
  db: UntypedDatabase,
  lists: readonly (readonly unknown[])[],
) => Promise<void>

/** Where many rows go. */
export interface BulkTarget {
  readonly table: string
  readonly columns: readonly {readonly name: string; readonly type: ColumnType}[]
  /** A unique column whose value keeps a row out; without one, any unique key does. */
  readonly unless?: string
}

/** How tables of entities are made. */
export interface TableBuilder {
  /** Brings what indices need into the database, as far as that is allowed. */
  prepare(db: UntypedDatabase): Promise<void>
  /** The names of the columns that there are, by table. */
  readColumns(db: UntypedDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** A primary key that numbers rows which come without a number. */
  makeNumbered(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** A column as an index holds it, so that it serves the order of a search, in which null comes first. */
  buildIndexColumn(column: RawBuilder<unknown>): RawBuilder<unknown>
  /**
   * To be waited for before rows are added that the database numbers: numbers are to be seen in their order, so that
   * whoever reads beyond the last one that he saw misses nobody.
   */
  lockNumbering(db: UntypedDatabase): Promise<void>
  /** To be waited for after rows came with numbers of their own, so that nobody is given one of them. */
  advanceNumbering(db: UntypedDatabase, table: string, column: string): Promise<void>
}

/** How deliveries are told apart by when they were written down. */
export interface DeliveryOrder {
  /** Adds to their table what that takes. */
  prepare(db: UntypedDatabase): Promise<void>
  /** Grows with each commit. */
  readonly position: RawBuilder<number>
  /** Puts deliveries that came with a backup of another time or place before all others. */
  repair(db: Pick<Database<ShopTables>, 'reads' | 'writes'>): Promise<void>
  /** Whether nothing will come before it any more. */
  readonly isPositionFinal: RawBuilder<boolean>
}

/**
 * What engines do each in a way of its own when a shop is searched; everything else is SQL that all of them run. It is
 * handed in where the shop is opened.
 */
export interface SearchDialect {
  /** Absent where there is no such index: then every row is looked at. */
  readonly substringIndex?: SubstringIndex | undefined
  /**
   * A member of JSON, as text; null where there is none.
   *
   * Plain names are part of the statement, because only then can an index on them be used; others are parameters.
   *
   * @param json text that holds JSON
   * @param names from the outermost in
   */
  selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null>
  /** What a text begins with as a number, 0 where that is none; null stays null. */
  parseNumber(text: RawBuilder<unknown>): RawBuilder<number>
  /** A number in a form in which sums of decimal fractions are not off by a hair. */
  castToExact(number: RawBuilder<unknown>): RawBuilder<number>
}

/** The shop's database with what its engine does in its own way. */
export interface ShopDatabase extends Database<ShopTables> {
  readonly search: SearchDialect
}

/** What an index of the parts of texts is made over. */
export interface TextIndex {
  table: string
  /** By which rows are told apart. */
  key: string
  /** Columns whose texts are without case and accents already. */
  columns: readonly string[]
}

/**
 * An index by which rows are found that hold parts of texts. It may lag behind: rows that it does not know yet are among
 * the keys that it gives.
 */
export interface SubstringIndex {
  /** By which the index tells rows apart. @param primaryKey the column of the table's primary key */
  getKeyColumn(primaryKey: string): string
  /** Makes the index where there is none over just these columns; it knows no row then. */
  create(db: UntypedDatabase, index: TextIndex): Promise<void>
  /** Takes it away for the time in which a great many rows come; absent where those are no hindrance. */
  drop?(db: UntypedDatabase, index: TextIndex): Promise<void>
  /** Of an index that lags behind; absent where it knows a row as soon as it is written. */
  readonly deferred?: DeferredIndex
  /** Whether the index can tell which texts hold a part. */
  isIndexable(part: string): boolean
  /**
   * Keys of all rows that hold one of the parts in one of the columns, and of some others, for an `in`.
   *
   * @param parts folded, and indexable; at least one
   */
  selectKeys(index: TextIndex, columns: readonly string[], parts: readonly string[]): RawBuilder<unknown>
}

/** An index that learns of new rows later than they are written. */
interface DeferredIndex {
  /** Adds rows that the index does not know yet, the oldest first. @param most how many; all unless given */
  indexNewRows(db: UntypedDatabase, index: TextIndex, most?: number): Promise<void>
  /** How many rows the index does not know yet, or somewhat more. */
  countNewRows(db: UntypedDatabase, index: TextIndex): Promise<number>
}
