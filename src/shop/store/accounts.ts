import {type Kysely, sql} from 'kysely'
import {fold} from '../model/fold-text.js'
import {revokeRefreshTokensOf} from './refresh-tokens.js'
import type {ShopTables} from './schema/schema.js'
import {writeConfig} from './schema/system-config.js'

type Db = Kysely<ShopTables>

/** Kinds of things that decide who may sign in, and what for. */
export const ACCESS_ENTITIES: readonly string[] = ['user', 'integration', 'acl_role']

/** Whose turn it is to bring accounts up to date. */
const FOLLOWED_KEY = 'storectl.accounts.followed'

/**
 * Brings the accounts that sign in up to date with users, integrations and roles as they were written, as part of the
 * same write. An account's privileges are those of all its roles. A new password ends what the old one was given.
 *
 * @throws Error of the database when a name or an access key is taken
 */
export async function followWrittenAccess(db: Db, now: Date): Promise<void> {
  // Who writes this row first has it until the end of his write; the next one then reads what he has written.
  await writeConfig(db, FOLLOWED_KEY, now.toISOString())
  for (const row of await written(db, 'integration', 'integration_role', 'integration_id')) {
    const {id, access_key, label, admin, privileges} = row
    const account = {access_key, secret_hash: row.secret_access_key, label, admin, privileges}
    await db
      .insertInto('integration_account')
      .values({id, ...account})
      .onConflict(conflict => conflict.column('id').doUpdateSet(account))
      .execute()
  }
  for (const row of await written(db, 'user', 'acl_user_role', 'user_id')) await followUser(db, row, now)
}

/** Takes away the accounts of users and integrations that are gone. */
export async function dropAccounts(db: Db, ids: readonly string[]): Promise<void> {
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

async function followUser(db: Db, {id, username, password, admin, privileges}: WrittenRow, now: Date) {
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

/** Rows with the privileges of all their roles, each once. */
async function written(db: Db, table: string, pairs: string, column: string): Promise<WrittenRow[]> {
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
