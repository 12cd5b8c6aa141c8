import type {Kysely} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {runStatement, type Statement} from '../../../storage/engine/statement.js'
import type {Entity} from '../../model/entity.js'
import {chooseShopDialect} from '../schema/choose-dialect.js'
import {buildRow, computeColumnValue, listColumnSources, listSqlColumns} from '../schema/columns.js'
import type {EntityRow, ShopTables} from '../schema/schema.js'

/** The column by which the database numbers rows. */
const NUMBER = 'auto_increment'

/** SQLite takes 32 766 parameters a statement; PostgreSQL 65 535. */
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
 * Adds a thing that was not there a moment ago. Where somebody else has added it since, the write that this is part of
 * is run again and finds it.
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
  const {tables} = chooseShopDialect(db)
  const isNumbered = entity.defaultOrder === NUMBER
  if (isNumbered) await tables.lockNumbering(untyped)
  const rowsAtOnce = Math.max(1, Math.floor(MOST_PARAMETERS / listSqlColumns(entity).length))
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    const rows = values
      .slice(start, start + rowsAtOnce)
      .map(one => removeGeneratedColumn(buildRow(entity, one)))
    const query = untyped.insertInto(entity.name).values(rows)
    await (mayBeThere ? query.onConflict(conflict => conflict.column('id').doNothing()) : query).execute()
    if (isNumbered && rows.some(row => NUMBER in row))
      await tables.advanceNumbering(untyped, entity.name, NUMBER)
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
