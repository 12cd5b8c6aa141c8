import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {ShopConnection} from '../schema/schema.js'

/** Whether an entity has a row with this id. @param id in lower case */
export async function exists(db: ShopConnection, entityName: string, id: string): Promise<boolean> {
  const row = await (db as unknown as UntypedDatabase)
    .selectFrom(entityName)
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether another row of an entity has this value. @param id of the row that may have it */
export async function isTaken(
  db: ShopConnection,
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

/** Whether an entity has any rows. */
export async function hasAny(db: ShopConnection, entityName: string): Promise<boolean> {
  const row = await (db as unknown as UntypedDatabase)
    .selectFrom(entityName)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
