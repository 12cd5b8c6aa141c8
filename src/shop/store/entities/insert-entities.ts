import {type Kysely, sql} from 'kysely'
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
import type {EntityRow, ShopTables} from '../schema/schema.js'

/** The column by which the database numbers rows. */
const NUMBER = 'auto_increment'

/** SQLite takes 32 766 parameters a statement. */
const MOST_PARAMETERS = 30_000

/**
 * Adds things of one kind. What already has such an id is left as it is.
 *
 * @param values by field name; `createdAt` defaults to `now`
 */
export function insertEntities(
  db: Kysely<ShopTables>,
  entity: Entity,
  values: readonly Readonly<Record<string, unknown>>[],
  now: Date,
): Promise<void> {
  return insert(db, entity, withCreation(values, now), true)
}

/**
 * Adds a thing that is not there.
 *
 * @param values as `insertEntities` takes them
 */
export function insertNew(
  db: Kysely<ShopTables>,
  entity: Entity,
  values: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  return insert(db, entity, withCreation([values], now), false)
}

async function insert(
  db: Kysely<ShopTables>,
  entity: Entity,
  values: readonly Readonly<Record<string, unknown>>[],
  mayBeThere: boolean,
): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  const rowsAtOnce = Math.max(1, Math.floor(MOST_PARAMETERS / listSqlColumns(entity).length))
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    const rows = values
      .slice(start, start + rowsAtOnce)
      .map(one => removeGeneratedColumn(buildRow(entity, one)))
    const query = untyped.insertInto(entity.name).values(rows)
    await (mayBeThere ? query.onConflict(conflict => conflict.column('id').doNothing()) : query).execute()
  }
}

function withCreation(values: readonly Readonly<Record<string, unknown>>[], createdAt: Date) {
  return values.map(one => ({createdAt, ...one}))
}

/** The database numbers rows that come without a number. */
function removeGeneratedColumn(row: ReturnType<typeof buildRow>): ReturnType<typeof buildRow> {
  if (row[NUMBER] !== null) return row
  const {auto_increment: _, ...rest} = row
  return rest
}

type Db = Kysely<ShopTables>

/**
 * What adds one thing of a kind, by a statement that is kept ready.
 *
 * @returns values by field name: dates as Date or as stored, objects and lists as themselves; what is absent is null
 */
export function prepareInsert(
  entity: Entity,
): (db: Db, values: Readonly<Record<string, unknown>>) => Promise<void> {
  const sources = listColumnSources(entity)
  const insert: Statement<ShopTables, EntityRow, unknown> = (db, row) =>
    (db as unknown as UntypedDatabase)
      .insertInto(entity.name)
      .values(Object.fromEntries(sources.map(({name}) => [name, row[name]])))
      .compile()
  return async (db, values) => {
    const row: EntityRow = {}
    for (const source of sources) row[source.name] = computeColumnValue(source, values)
    await runStatement(db, insert, row)
  }
}

type Values = Readonly<Record<string, unknown>>
type Stored = string | number | null

/** Rows made before they are written: few enough that none of them grows old in memory. */
export const ROWS_AT_ONCE = 64

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Texts whose folding is remembered: enough for the names of a few languages, not for what is never seen again. */
const MOST_REMEMBERED = 2000

/** Adds things of one kind by the thousand, by a statement that is written once. */
export class BulkInsert {
  #sources: readonly ColumnSource[] = []
  #insert: BulkInsertStatement | undefined
  readonly #folded = new Map<string, string>()
  #lastDate: Date | undefined
  #lastDateStored = ''

  constructor(private readonly entity: Entity) {}

  /**
   * Adds things; what already has such an id is left as it is.
   *
   * @param values by field name: dates as Date or as stored, objects and lists as themselves; the very first thing says
   *   which members all of them have, and other columns stay null
   */
  async add(db: Kysely<ShopTables>, values: readonly Values[]): Promise<void> {
    const [first] = values
    if (!first) return
    this.#insert ??= this.#prepare(first)
    const untyped = db as unknown as UntypedDatabase
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const lists = values.slice(start, start + ROWS_AT_ONCE).map(one => this.#buildParameters(one))
      await this.#insert(untyped, lists)
    }
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

  /** Plain letters are folded faster than they are found again. */
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

/** Adds rows by the thousand to one place. @param lists values in the order of the columns */
type BulkInsertStatement = (db: UntypedDatabase, lists: readonly (readonly unknown[])[]) => Promise<void>

/** @param unless a unique column whose value keeps a row out; without one, any unique key does */
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

/** Adds pairs to the table between two kinds; those that are there stay. */
export async function insertPairs(
  db: Kysely<ShopTables>,
  table: string,
  columns: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  if (pairs.length === 0) return
  await prepareBulkInsert(table, columns)(db as unknown as UntypedDatabase, pairs)
}
