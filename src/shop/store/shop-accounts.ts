import {type Kysely, sql} from 'kysely'
import {firstRow} from '../../storage/engine/statement.js'
import type {IntegrationRow, UserRow} from './schema/account-tables.js'
import type {ShopTables} from './schema/schema.js'

type Db = Kysely<ShopTables>

/** The user of that name, whatever its case. @param usernameFolded as `fold` gives it */
export function findUserByName(db: Db, usernameFolded: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where('username_folded', '=', usernameFolded)
    .executeTakeFirst()
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return firstRow(db, userById, {id})
}

const userById = (db: Db, {id}: {id: string}) =>
  db.selectFrom('user_account').selectAll().where('id', '=', id).compile()

/** The user that an access key signs in as, with the hash of the key's secret. @param accessKey `SWUA…` */
export async function findUserByAccessKey(
  db: Db,
  accessKey: string,
): Promise<(UserRow & {secret_hash: string}) | undefined> {
  const {rows} = await sql<UserRow & {secret_hash: string}>`
    select u.*, k.secret_access_key as secret_hash from user_access_key k
    join user_account u on u.id = k.user_id
    where k.access_key = ${accessKey}`.execute(db)
  return rows[0]
}

export async function findIntegration(db: Db, accessKey: string): Promise<IntegrationRow | undefined> {
  return firstRow(db, integrationByKey, {accessKey})
}

const integrationByKey = (db: Db, {accessKey}: {accessKey: string}) =>
  db.selectFrom('integration_account').selectAll().where('access_key', '=', accessKey).compile()

/** Adds a user, or gives the one of that name a new password and rights. Its refresh tokens end with the old password. */
export async function saveUser(db: Db, user: UserRow): Promise<void> {
  const {id, username_folded, ...changes} = user
  const known = await findUserByName(db, username_folded)
  if (!known) {
    await db.insertInto('user_account').values(user).execute()
    return
  }
  await db.updateTable('user_account').set(changes).where('id', '=', known.id).execute()
  await db.updateTable('refresh_token').set({revoked: 1}).where('user_id', '=', known.id).execute()
}

/** Adds an integration in place of all that have its label. */
export async function replaceIntegration(db: Db, integration: IntegrationRow): Promise<void> {
  await db.deleteFrom('integration_account').where('label', '=', integration.label).execute()
  await db.insertInto('integration_account').values(integration).execute()
}
