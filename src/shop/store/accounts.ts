import {sql} from 'kysely'
import {fold} from '../../shopware/fold-text.js'
import {readFirstRow} from '../../storage/engine/statement.js'
import type {IntegrationRow, RefreshTokenRow, ShopConnection, UserRow} from './schema/schema.js'

/** Entities that determine accounts and their privileges. */
export const ACCESS_ENTITIES: readonly string[] = ['user', 'integration', 'acl_role']

/** Entities that only a verified caller may write: those, and users' access keys. */
export const VERIFIED_ENTITIES: readonly string[] = [...ACCESS_ENTITIES, 'user_access_key']

/**
 * Updates the accounts from written users, integrations and roles, as part of the same write. An account's privileges
 * are those of all its roles. A new password ends the tokens issued for the old one.
 *
 * @throws Error of the database when a name or an access key exists already
 */
export async function followWrittenAccess(db: ShopConnection, now: Date): Promise<void> {
  for (const row of await readRowsWithPrivileges(db, 'integration', 'integration_role', 'integration_id')) {
    const {id, access_key, label, admin, privileges} = row
    const account = {access_key, secret_hash: row.secret_access_key, label, admin, privileges}
    await db
      .insertInto('integration_account')
      .values({id, ...account})
      .onConflict(conflict => conflict.column('id').doUpdateSet(account))
      .execute()
  }
  for (const row of await readRowsWithPrivileges(db, 'user', 'acl_user_role', 'user_id'))
    await followUser(db, row, now)
}

/** Deletes the accounts of deleted users and integrations. */
export async function dropAccounts(db: ShopConnection, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await db.deleteFrom('integration_account').where('id', '=', id).execute()
    await db.deleteFrom('user_account').where('id', '=', id).execute()
    await revokeRefreshTokensOf(db, id)
  }
}

interface WrittenRow {
  id: string
  access_key: string
  secret_access_key: string
  label: string
  username: string
  password: string
  admin: number
  /** JSON list. */
  privileges: string
}

async function followUser(
  db: ShopConnection,
  {id, username, password, admin, privileges}: WrittenRow,
  now: Date,
) {
  const known = await db.selectFrom('user_account').selectAll().where('id', '=', id).executeTakeFirst()
  const changedAt = known && known.password_hash === password ? known.password_changed_at_ms : now.getTime()
  const account = {
    username,
    username_folded: fold(username),
    password_hash: password,
    admin,
    privileges,
    password_changed_at_ms: changedAt,
  }
  if (known && known.password_hash !== password) await revokeRefreshTokensOf(db, id)
  await db
    .insertInto('user_account')
    .values({id, ...account})
    .onConflict(conflict => conflict.column('id').doUpdateSet(account))
    .execute()
}

/** Reads rows with the privileges of all their roles, each once. */
async function readRowsWithPrivileges(
  db: ShopConnection,
  table: string,
  pairs: string,
  column: string,
): Promise<WrittenRow[]> {
  const {rows} = await sql<WrittenRow>`select * from ${sql.table(table)}`.execute(db)
  const roles = await sql<{owner: string; privileges: string | null}>`
    select p.${sql.ref(column)} as owner, r.privileges from ${sql.table(pairs)} as p
    join acl_role as r on r.id = p.acl_role_id`.execute(db)
  return rows.map(row => {
    const own = roles.rows.filter(({owner}) => owner === row.id)
    const all = own.flatMap(({privileges}) => JSON.parse(privileges ?? '[]') as string[])
    return {...row, admin: row.admin ? 1 : 0, privileges: JSON.stringify([...new Set(all)].sort())}
  })
}

/** The user of a name, ignoring case. @param usernameFolded from `fold` */
export function findUserByName(db: ShopConnection, usernameFolded: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where('username_folded', '=', usernameFolded)
    .executeTakeFirst()
}

export async function findUser(db: ShopConnection, id: string): Promise<UserRow | undefined> {
  return readFirstRow(db, selectUserById, {id})
}

const selectUserById = (db: ShopConnection, {id}: {id: string}) =>
  db.selectFrom('user_account').selectAll().where('id', '=', id).compile()

/** The user of an access key, with the hash of the key's secret. @param accessKey `SWUA…` */
export async function findUserByAccessKey(
  db: ShopConnection,
  accessKey: string,
): Promise<(UserRow & {secret_hash: string}) | undefined> {
  const {rows} = await sql<UserRow & {secret_hash: string}>`
    select u.*, k.secret_access_key as secret_hash from user_access_key k
    join user_account u on u.id = k.user_id
    where k.access_key = ${accessKey}`.execute(db)
  return rows[0]
}

export async function findIntegration(
  db: ShopConnection,
  accessKey: string,
): Promise<IntegrationRow | undefined> {
  return readFirstRow(db, selectIntegrationByKey, {accessKey})
}

const selectIntegrationByKey = (db: ShopConnection, {accessKey}: {accessKey: string}) =>
  db.selectFrom('integration_account').selectAll().where('access_key', '=', accessKey).compile()

/** Adds a user, or replaces password and privileges of the one with that name, and revokes its refresh tokens. */
export async function saveUser(db: ShopConnection, user: UserRow): Promise<void> {
  const {id, username_folded, ...changes} = user
  const known = await findUserByName(db, username_folded)
  if (!known) {
    await db.insertInto('user_account').values(user).execute()
    return
  }
  await db.updateTable('user_account').set(changes).where('id', '=', known.id).execute()
  await db.updateTable('refresh_token').set({revoked: 1}).where('user_id', '=', known.id).execute()
}

/** Adds an integration, and deletes all others with its label. */
export async function replaceIntegration(db: ShopConnection, integration: IntegrationRow): Promise<void> {
  await db.deleteFrom('integration_account').where('label', '=', integration.label).execute()
  await db.insertInto('integration_account').values(integration).execute()
}

/** How long ended tokens are kept, so that the error can say that they have ended. */
const KEPT_AFTER_END_MS = 7 * 24 * 3600 * 1000

export function findRefreshToken(
  db: ShopConnection,
  tokenHash: string,
): Promise<RefreshTokenRow | undefined> {
  return db.selectFrom('refresh_token').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Adds a token and deletes those that ended long before `nowMs`. */
export async function addRefreshToken(
  db: ShopConnection,
  token: RefreshTokenRow,
  nowMs: number,
): Promise<void> {
  await db
    .deleteFrom('refresh_token')
    .where('expires_at_ms', '<', nowMs - KEPT_AFTER_END_MS)
    .execute()
  await db.insertInto('refresh_token').values(token).execute()
}

/**
 * Revokes a token.
 *
 * @returns whether it was still valid: of two concurrent calls, only one gets true
 */
export async function revokeRefreshToken(db: ShopConnection, tokenHash: string): Promise<boolean> {
  const {numUpdatedRows} = await db
    .updateTable('refresh_token')
    .set({revoked: 1})
    .where('token_hash', '=', tokenHash)
    .where('revoked', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Revokes all refresh tokens of a user. */
async function revokeRefreshTokensOf(db: ShopConnection, userId: string): Promise<void> {
  await db.updateTable('refresh_token').set({revoked: 1}).where('user_id', '=', userId).execute()
}
