import type {Kysely} from 'kysely'
import type {RefreshTokenRow} from './schema/account-tables.js'
import type {ShopTables} from './schema/schema.js'

type Db = Kysely<ShopTables>

/** Ended tokens are known for a while longer, so that their holder hears that they ended. */
const KEPT_AFTER_END_MS = 7 * 24 * 3600 * 1000

export function findRefreshToken(db: Db, tokenHash: string): Promise<RefreshTokenRow | undefined> {
  return db.selectFrom('refresh_token').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Adds a token and forgets those that ended long before `nowMs`. */
export async function addRefreshToken(db: Db, token: RefreshTokenRow, nowMs: number): Promise<void> {
  await db
    .deleteFrom('refresh_token')
    .where('expires_at_ms', '<', nowMs - KEPT_AFTER_END_MS)
    .execute()
  await db.insertInto('refresh_token').values(token).execute()
}

/**
 * Uses a token up.
 *
 * @returns whether it was there to be used: of two who use it at once, one is told false
 */
export async function revokeRefreshToken(db: Db, tokenHash: string): Promise<boolean> {
  const {numUpdatedRows} = await db
    .updateTable('refresh_token')
    .set({revoked: 1})
    .where('token_hash', '=', tokenHash)
    .where('revoked', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends all refresh tokens of a user. */
export async function revokeRefreshTokensOf(db: Db, userId: string): Promise<void> {
  await db.updateTable('refresh_token').set({revoked: 1}).where('user_id', '=', userId).execute()
}
