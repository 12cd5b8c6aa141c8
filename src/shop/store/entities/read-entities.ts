import type {Kysely} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {ShopTables} from '../schema/schema.js'

/** Whether there is one of that kind with that id. @param id in lower case */
export async function exists(db: Kysely<ShopTables>, entityName: string, id: string): Promise<boolean> {
  const row = await (db as unknown as UntypedDatabase)
    .selectFrom(entityName)
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether another one of that kind has this value. @param id of the one that may have it */
export async function isTaken(
  db: Kysely<ShopTables>,
  {entityName, column}: {entityName: string; column: string},
  value: string,
  id: string,
): Promise<boolean> {
  const row = await (db as unknown as UntypedDatabase)
    .selectFrom(entityName)
    .select('id')
    .where(column, '=', value)
    .where('id', '<>', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether there is one of that kind at all. */
export async function hasAny(db: Kysely<ShopTables>, entityName: string): Promise<boolean> {
  const row = await (db as unknown as UntypedDatabase)
    .selectFrom(entityName)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
