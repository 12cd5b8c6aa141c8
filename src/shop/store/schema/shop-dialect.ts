import type {ColumnDefinitionBuilder, RawBuilder} from 'kysely'
import type {Database, UntypedDatabase} from '../../../storage/engine/database.js'
import type {ColumnType} from './columns.js'
import type {ShopTables} from './schema.js'
import type {SearchDialect} from './search-dialect.js'

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
