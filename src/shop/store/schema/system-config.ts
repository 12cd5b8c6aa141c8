import type {Kysely} from 'kysely'
import {readAllRows} from '../../../storage/engine/statement.js'
import type {ShopTables} from './schema.js'

type Db = Kysely<ShopTables>

/** Stands for all sales channels. */
const GLOBAL = ''

/** Where a shop keeps its key, which stays the same as long as it lives. */
export const SIGNING_KEY = 'storectl.signingKey'

/** The value of a key for all sales channels, or the one of its own that a single one has. */
export async function readConfig(db: Db, key: string, salesChannelId = GLOBAL): Promise<string | undefined> {
  const row = await db
    .selectFrom('system_config')
    .select('configuration_value')
    .where('configuration_key', '=', key)
    .where('sales_channel_id', '=', salesChannelId)
    .executeTakeFirst()
  return row?.configuration_value
}

/** Every value of a key: the global one and those of single sales channels. */
export async function readConfigOfAll(db: Db, key: string): Promise<string[]> {
  const rows = await readAllRows(db, selectValuesOfKey, {key})
  return rows.map(row => row.configuration_value)
}

const selectValuesOfKey = (db: Db, {key}: {key: string}) =>
  db.selectFrom('system_config').select('configuration_value').where('configuration_key', '=', key).compile()

/** Sets a key, for all sales channels unless one is named. */
export async function writeConfig(
  db: Db,
  key: string,
  value: string,
  salesChannelId = GLOBAL,
): Promise<void> {
  await db
    .insertInto('system_config')
    .values({configuration_key: key, sales_channel_id: salesChannelId, configuration_value: value})
    .onConflict(conflict =>
      conflict.columns(['configuration_key', 'sales_channel_id']).doUpdateSet({configuration_value: value}),
    )
    .execute()
}

/** Takes a key back, for all sales channels unless one is named. */
export async function removeConfig(db: Db, key: string, salesChannelId = GLOBAL): Promise<void> {
  await db
    .deleteFrom('system_config')
    .where('configuration_key', '=', key)
    .where('sales_channel_id', '=', salesChannelId)
    .execute()
}

/** Takes back everything that one sales channel has of its own. */
export async function removeConfigOf(db: Db, salesChannelId: string): Promise<void> {
  await db.deleteFrom('system_config').where('sales_channel_id', '=', salesChannelId).execute()
}

/**
 * The values of all keys that begin with a text, in the order of their keys.
 *
 * @param salesChannelId what one sales channel has of its own; default: what holds for all
 */
export async function readConfigBelow(
  db: Db,
  beginning: string,
  salesChannelId = GLOBAL,
): Promise<{key: string; value: string}[]> {
  const rows = await db
    .selectFrom('system_config')
    .select(['configuration_key', 'configuration_value'])
    .where('sales_channel_id', '=', salesChannelId)
    .orderBy('configuration_key')
    .execute()
  return rows
    .filter(row => row.configuration_key.startsWith(beginning))
    .map(row => ({key: row.configuration_key, value: row.configuration_value}))
}
