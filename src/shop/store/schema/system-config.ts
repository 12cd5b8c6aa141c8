import {createHash} from 'node:crypto'
import {readAllRows} from '../../../storage/engine/statement.js'
import type {ShopConnection} from './schema.js'

/** Stands for all sales channels. */
const GLOBAL = ''

/** Setting with the shop's signing key, which never changes. */
export const SIGNING_KEY = 'storectl.signingKey'

/** Setting with `deriveShopId` of the signing key, so that a list need not hash it; shops of earlier versions lack it. */
export const SHOP_ID = 'storectl.shopId'

/** Identifies a shop for its lifetime; 16 hex digits. */
export function deriveShopId(signingKey: string): string {
  return createHash('sha256').update(signingKey).digest('hex').slice(0, 16)
}

/** The value of a key, global or of a single sales channel. */
export async function readConfig(
  db: ShopConnection,
  key: string,
  salesChannelId = GLOBAL,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('system_config')
    .select('configuration_value')
    .where('configuration_key', '=', key)
    .where('sales_channel_id', '=', salesChannelId)
    .executeTakeFirst()
  return row?.configuration_value
}

/** Every value of a key: the global one and those of single sales channels. */
export async function readConfigOfAll(db: ShopConnection, key: string): Promise<string[]> {
  const rows = await readAllRows(db, selectValuesOfKey, {key})
  return rows.map(row => row.configuration_value)
}

const selectValuesOfKey = (db: ShopConnection, {key}: {key: string}) =>
  db.selectFrom('system_config').select('configuration_value').where('configuration_key', '=', key).compile()

/** Sets a key, for all sales channels unless one is given. */
export async function writeConfig(
  db: ShopConnection,
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

/** Removes a key, for all sales channels unless one is given. */
export async function removeConfig(db: ShopConnection, key: string, salesChannelId = GLOBAL): Promise<void> {
  await db
    .deleteFrom('system_config')
    .where('configuration_key', '=', key)
    .where('sales_channel_id', '=', salesChannelId)
    .execute()
}

/** Removes all settings of one sales channel. */
export async function removeConfigOf(db: ShopConnection, salesChannelId: string): Promise<void> {
  await db.deleteFrom('system_config').where('sales_channel_id', '=', salesChannelId).execute()
}

/**
 * The values of all keys with a prefix, in the order of keys.
 *
 * @param salesChannelId for the settings of one sales channel; default: the global ones
 */
export async function readConfigBelow(
  db: ShopConnection,
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
