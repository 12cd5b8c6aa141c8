import {sql} from 'kysely'
import type {Entity, Field} from '../../../shopware/entity.js'
import {fold} from '../../../shopware/fold-text.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {createBatchStatement, runStatement, type Statement} from '../../../storage/engine/statement.js'
import {
  buildRow,
  type ColumnSource,
  computeColumnValue,
  computeFoldedValue,
  convertToStored,
  formatStoredDate,
  listColumnSources,
  listSqlColumns,
} from '../schema/columns.js'
import type {ShopConnection, ShopTables} from '../schema/schema.js'
import {cutList} from '../schema/sql.js'

/** The column that the database numbers. */
const NUMBER = 'auto_increment'

/** SQLite allows 32 766 parameters in a statement. */
const MOST_PARAMETERS = 30_000

/**
 * Adds rows of one entity. Rows with an existing id are ignored.
 *
 * @param values by field name; `createdAt` defaults to `now`
 */
export function insertEntities(
  db: ShopConnection,
  entity: Entity,
  values: readonly Readonly<Record<string, unknown>>[],
  now: Date,
): Promise<void> {
  return insert(db, entity, withCreation(values, now), true)
}

/**
 * Adds a new row.
 *
 * @param values as for `insertEntities`
 */
export function insertNew(
  db: ShopConnection,
  entity: Entity,
  values: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  return insert(db, entity, withCreation([values], now), false)
}

async function insert(
  db: ShopConnection,
  entity: Entity,
  values: readonly Readonly<Record<string, unknown>>[],
  mayBeThere: boolean,
): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  const rowsAtOnce = Math.max(1, Math.floor(MOST_PARAMETERS / listSqlColumns(entity).length))
  for (const some of cutList(values, rowsAtOnce)) {
    const rows = some.map(one => removeGeneratedColumn(buildRow(entity, one)))
    const query = untyped.insertInto(entity.name).values(rows)
    await (mayBeThere ? query.onConflict(conflict => conflict.column('id').doNothing()) : query).execute()
  }
}

function withCreation(values: readonly Readonly<Record<string, unknown>>[], createdAt: Date) {
  return values.map(one => ({createdAt, ...one}))
}

/** The database numbers rows without a number. */
function removeGeneratedColumn(row: ReturnType<typeof buildRow>): ReturnType<typeof buildRow> {
  if (row[NUMBER] !== null) return row
  const {auto_increment: _, ...rest} = row
  return rest
}

/**
 * Prepares a statement that adds a row of an entity.
 *
 * @returns takes values by field name: dates as Date or as stored, objects and lists as such; missing ones are null
 */
export function prepareInsert(
  entity: Entity,
): (db: ShopConnection, values: Readonly<Record<string, unknown>>) => Promise<void> {
  const sources = listColumnSources(entity)
  const insert: Statement<ShopTables, readonly Stored[], unknown> = (db, row) =>
    (db as unknown as UntypedDatabase)
      .insertInto(entity.name)
      .values(Object.fromEntries(sources.map(({name}, at) => [name, row[at]])))
      .compile()
  return (db, values) => {
    const row = sources.map(source => computeColumnValue(source, values))
    return runStatement(db, insert, row)
  }
}

type Values = Readonly<Record<string, unknown>>
type Stored = string | number | null

/** Rows that are built before they are written: few enough to stay short-lived in memory. */
export const ROWS_AT_ONCE = 64

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Most texts with cached folding: enough for the names of a few languages, not for unique texts. */
const MOST_REMEMBERED = 2000

/** Adds thousands of rows of one entity, with a statement that is built once. */
export class BulkInsert {
  #sources: readonly ColumnSource[] = []
  #insert: BulkInsertStatement | undefined
  readonly #folded = new Map<string, string>()
  #lastDate: Date | undefined
  #lastDateStored = ''

  constructor(private readonly entity: Entity) {}

  /**
   * Adds rows; those with an existing id are ignored.
   *
   * @param values by field name: dates as Date or as stored, objects and lists as such; the first row determines the
   * members of all, and other columns stay null
   */
  async add(db: ShopConnection, values: readonly Values[]): Promise<void> {
    const [first] = values
    if (!first) return
    this.#insert ??= this.#prepare(first)
    const untyped = db as unknown as UntypedDatabase
    for (const some of cutList(values, ROWS_AT_ONCE))
      await this.#insert(
        untyped,
        some.map(one => this.#buildParameters(one)),
      )
  }

  #prepare(first: Values): BulkInsertStatement {
    this.#sources = listColumnSources(this.entity).filter(({field}) => Object.hasOwn(first, field.name))
    const columns = this.#sources.map(({name}) => name)
    return prepareBulkInsert(this.entity.name, columns, 'id')
  }

  #buildParameters(values: Values): Stored[] {
    const parameters: Stored[] = []
    for (const {field, isFolded} of this.#sources) {
      const value = values[field.name]
      if (value === null || value === undefined) parameters.push(null)
      else parameters.push(isFolded ? this.#fold(field, value) : this.#store(field, value))
    }
    return parameters
  }

  #store(field: Field, value: unknown): Stored {
    if (typeof value === 'string' && field.kind === 'text') return value
    if (!(value instanceof Date)) return convertToStored(field, value)
    if (value === this.#lastDate) return this.#lastDateStored
    this.#lastDate = value
    this.#lastDateStored = formatStoredDate(value)
    return this.#lastDateStored
  }

  /** Folding plain letters is faster than the cache. */
  #fold(field: Field, value: unknown): Stored {
    if (field.kind !== 'text') return computeFoldedValue(field, value)
    const text = String(value)
    if (!BEYOND_ASCII.test(text) && !text.endsWith(' ')) return text.toLowerCase()
    const known = this.#folded.get(text)
    if (known !== undefined) return known
    if (this.#folded.size >= MOST_REMEMBERED) this.#folded.clear()
    const folded = fold(text)
    this.#folded.set(text, folded)
    return folded
  }
}

/** Adds thousands of rows to one table. @param lists values in the order of the columns */
type BulkInsertStatement = (db: UntypedDatabase, lists: readonly (readonly unknown[])[]) => Promise<void>

/** @param unless a unique column whose duplicates are ignored; default: any unique key */
function prepareBulkInsert(table: string, columns: readonly string[], unless?: string): BulkInsertStatement {
  const names = columns.map(name => sql.ref(name))
  const target = unless === undefined ? sql`` : sql`(${sql.ref(unless)})`
  const statement = sql`insert into ${sql.table(table)} (${sql.join(names)})
    values (${sql.join(columns.map(() => sql`?`))}) on conflict ${target} do nothing`
  let text: string | undefined
  return async (db, lists) => {
    text ??= statement.compile(db).sql
    await db.executeQuery(createBatchStatement(text, lists))
  }
}

/** Adds pairs to a mapping table; existing ones stay. */
export async function insertPairs(
  db: ShopConnection,
  table: string,
  columns: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  if (pairs.length === 0) return
  await prepareBulkInsert(table, columns)(db as unknown as UntypedDatabase, pairs)
}
