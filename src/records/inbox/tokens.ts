import type {Kysely} from 'kysely'
import type {Database} from '../../storage/engine/database.js'
import type {StoredToken, TokenStore} from '../../webhook/event/known-tokens.js'
import type {RecordsTables} from '../schema/schema.js'
import {WITHOUT_SENDER} from '../schema/senders-part.js'

export type {TokenStore} from '../../webhook/event/known-tokens.js'

type Db = Kysely<RecordsTables>

/** Webhook tokens of shops, present and former. */
export function createTokenStore({reads, writes}: Database<RecordsTables>): TokenStore {
  return {
    list: target => listTokens(reads, target),
    noteOwn: (target, digest, at, isCertain) =>
      writes.run(db => noteOwn(db, {target, digest: digest.toString('hex'), at, isCertain})),
    noteAccepted: async (target, digest, at) => {
      const row = {target, digest: digest.toString('hex'), kind: 'accepted', from_ms: at.getTime()}
      await writes.run(db => insertToken(db, row))
    },
    noteReplaced: (target, digest, at) =>
      writes.run(db => noteReplaced(db, {target, digest: digest.toString('hex')}, at)),
    noteLeaked: (target, current, since, at) =>
      writes.run(db => noteLeaked(db, target, {current: current?.toString('hex') ?? '', since, at})),
  }
}

/** How many events an earlier version stored without a sender; reported once, and 0 afterwards. */
export async function takeUnsentCount({reads, writes}: Database<RecordsTables>): Promise<number> {
  const row = await reads
    .selectFrom('webhook_source')
    .select('position')
    .where('target', '=', '')
    .where('source', '=', WITHOUT_SENDER)
    .executeTakeFirst()
  if (!row) return 0
  await writes.run(db =>
    db.deleteFrom('webhook_source').where('target', '=', '').where('source', '=', WITHOUT_SENDER).execute(),
  )
  return Number(row.position)
}

async function listTokens(db: Db, target: string): Promise<StoredToken[]> {
  const rows = await db.selectFrom('webhook_token').selectAll().where('target', '=', target).execute()
  return rows.map(({digest, kind, from_ms, to_ms, leaked_since_ms}) => ({
    ...{digest, kind: kind as StoredToken['kind'], from: new Date(from_ms)},
    to: to_ms === null ? undefined : new Date(to_ms),
    leakedSince: leaked_since_ms === null ? undefined : new Date(leaked_since_ms),
  }))
}

interface OwnToken {
  readonly target: string
  readonly digest: string
  readonly at: Date
  readonly isCertain: boolean
}

async function noteOwn(db: Db, {target, digest, at, isCertain}: OwnToken): Promise<void> {
  const there = await db
    .selectFrom('webhook_token')
    .select(['kind', 'to_ms'])
    .where('target', '=', target)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (there && (!isCertain || (there.kind === 'own' && there.to_ms === null))) return
  await db
    .updateTable('webhook_token')
    .set({to_ms: at.getTime()})
    .where('target', '=', target)
    .where('kind', '=', 'own')
    .where('to_ms', 'is', null)
    .execute()
  if (!there) return insertToken(db, {target, digest, kind: 'own', from_ms: at.getTime()})
  await db
    .updateTable('webhook_token')
    .set({kind: 'own', to_ms: null, leaked_since_ms: null})
    .where('target', '=', target)
    .where('digest', '=', digest)
    .execute()
}

async function noteReplaced(
  db: Db,
  {target, digest}: {readonly target: string; readonly digest: string},
  at: Date,
): Promise<void> {
  const to_ms = at.getTime()
  await db
    .updateTable('webhook_token')
    .set({to_ms})
    .where('target', '=', target)
    .where('digest', '=', digest)
    .where('to_ms', 'is', null)
    .execute()
  await insertToken(db, {target, digest, kind: 'own', from_ms: to_ms, to_ms})
}

async function insertToken(
  db: Db,
  row: Pick<RecordsTables['webhook_token'], 'target' | 'digest' | 'kind' | 'from_ms'> & {
    readonly to_ms?: number
  },
): Promise<void> {
  await db
    .insertInto('webhook_token')
    .values({to_ms: null, leaked_since_ms: null, ...row})
    .onConflict(conflict => conflict.columns(['target', 'digest']).doNothing())
    .execute()
}

/** Ends other tokens at a leak; events since then that did not come with the current one get `wrong-token`. */
async function noteLeaked(
  db: Db,
  target: string,
  {current, since, at}: {readonly current: string; readonly since: Date; readonly at: Date},
): Promise<number> {
  const sinceMs = since.getTime()
  await db
    .updateTable('webhook_token')
    .set(({fn, val}) => ({leaked_since_ms: sinceMs, to_ms: fn.coalesce('to_ms', val(at.getTime()))}))
    .where('target', '=', target)
    .where('digest', '<>', current)
    .execute()
  const {numUpdatedRows} = await db
    .updateTable('webhook_event')
    .set({arrived_with: 'wrong-token'})
    .where('target', '=', target)
    .where('arrived_with', '=', 'token')
    .where('received_at_ms', '>=', sinceMs)
    .where(({eb, or}) => or([eb('token_digest', 'is', null), eb('token_digest', '<>', current)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
