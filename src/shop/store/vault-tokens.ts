import type {Kysely} from 'kysely'
import type {ShopTables} from './schema/schema.js'
import type {VaultTokenRow} from './schema/webhook-tables.js'

type Db = Kysely<ShopTables>

/** Keeps a stored way to pay; one of the same id is replaced. */
export async function saveVaultToken(db: Db, token: VaultTokenRow): Promise<void> {
  const {token_id, ...changes} = token
  await db
    .insertInto('vault_token')
    .values(token)
    .onConflict(conflict => conflict.column('token_id').doUpdateSet(changes))
    .execute()
}

/** @returns whether there was one */
export async function deleteVaultToken(db: Db, tokenId: string): Promise<boolean> {
  const {numDeletedRows} = await db
    .deleteFrom('vault_token')
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findVaultToken(db: Db, tokenId: string): Promise<VaultTokenRow | undefined> {
  return db.selectFrom('vault_token').selectAll().where('token_id', '=', tokenId).executeTakeFirst()
}
