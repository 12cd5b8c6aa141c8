import type {Kysely} from 'kysely'
import type {Entity} from '../../../shop-model/entity.js'
import type {UntypedDatabase} from '../../migrations.js'
import type {ShopTables} from '../tables.js'
import {columnsOf, rowOf} from './columns.js'

/** SQLite takes 32 766 parameters a statement; PostgreSQL 65 535. */
const MOST_PARAMETERS = 30_000

/**
 * Adds things of one kind. What already has such an id is left as it is.
 *
 * @param values by field name; `createdAt` defaults to `now`
 */
export async function insertEntities(
  db: Kysely<ShopTables>,
  entity: Entity,
  values: readonly Readonly<Record<string, unknown>>[],
  now: Date,
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.floor(MOST_PARAMETERS / columnsOf(entity).length))
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    const rows = values
      .slice(start, start + rowsAtOnce)
      .map(one => withoutGeneratedColumn(rowOf(entity, {createdAt: now, ...one})))
    await (db as unknown as UntypedDatabase)
      .insertInto(entity.name)
      .values(rows)
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute()
  }
}

/** The database numbers rows that come without a number. */
function withoutGeneratedColumn(row: ReturnType<typeof rowOf>): ReturnType<typeof rowOf> {
  if (row.auto_increment !== null) return row
  const {auto_increment: _, ...rest} = row
  return rest
}
