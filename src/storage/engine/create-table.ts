import type {RawBuilder} from 'kysely'
import type {UntypedDatabase} from './database.js'

type TypeOf<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'integer'
    : Value extends Uint8Array
      ? 'blob'
      : never

/** The column type of each member of a row, in the order of the table; a `?` after the type allows null. */
export type ColumnTypes<Row> = {
  readonly [Name in keyof Row]-?: null extends Row[Name]
    ? `${TypeOf<NonNullable<Row[Name]>>}?`
    : TypeOf<Row[Name]>
}

/**
 * Creates a table with the columns of `Row`.
 *
 * @param key columns of the primary key; a single whole number is the row's own number in SQLite
 */
export async function createTable<Row extends object>(
  db: UntypedDatabase,
  name: string,
  columns: ColumnTypes<Row>,
  key: readonly (keyof Row & string)[] = [],
): Promise<void> {
  let table = db.schema.createTable(name)
  for (const [column, type] of Object.entries<string>(columns)) {
    const isOptional = type.endsWith('?')
    const kind = (isOptional ? type.slice(0, -1) : type) as 'text' | 'integer' | 'blob'
    table = table.addColumn(column, kind, one => (isOptional ? one : one.notNull()))
  }
  if (key.length > 0) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never)
  await table.execute()
}

export interface IndexSpec {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /** Whether it is a unique index. Default false. */
  readonly isUnique?: boolean
  /** Condition of a partial index. Default: all rows. */
  readonly where?: RawBuilder<boolean>
}

export async function createIndex(
  db: UntypedDatabase,
  {name, table, columns, isUnique, where}: IndexSpec,
): Promise<void> {
  await db.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .$call(index => (isUnique ? index.unique() : index))
    .$call(index => (where ? index.where(where) : index))
    .execute()
}
