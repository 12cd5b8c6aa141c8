import {type Kysely, sql} from 'kysely'
import type {LocalProcess} from '../../runs/workers/liveness.js'
import type {Database} from '../../storage/engine/database.js'
import type {Turns} from '../../webhook/inbox/capture-inbox.js'
import type {RecordsTables} from '../schema/schema.js'
import {isHolderGone, nameHolder} from './holders.js'

/** Turns in a database that captures share. A process of this machine that has ended holds none. */
export function createTurns(database: Database<RecordsTables>, local: LocalProcess): Turns {
  const {writes} = database
  const self = nameHolder(local)
  const leave = (target: string, holder: string) => writes.run(db => deleteTurns(db, target, holder))
  return {
    leave: (target, holder) => leave(target, nameTurnHolder(self, holder)),
    take: async (target, keys, holder, ms) => {
      const named = nameTurnHolder(self, holder)
      // Always in the same order, to avoid deadlocks.
      const orderingKeys = [...new Set(keys)].sort()
      const got = await takeFree(database, target, {orderingKeys, holder: named, ms})
      if (got === orderingKeys.length) return true
      if (got > 0) await leave(target, named)
      for (const gone of await findGoneHolders(database, target, orderingKeys, local))
        await leave(target, gone)
      return false
    },
  }
}

/** @param holder unique in that process */
function nameTurnHolder(self: string, holder: string): string {
  return `${self} ${holder}`
}

function readProcess(holder: string): string {
  return holder.slice(0, holder.lastIndexOf(' '))
}

async function deleteTurns(db: Kysely<RecordsTables>, target: string, holder: string): Promise<void> {
  await db.deleteFrom('webhook_turn').where('target', '=', target).where('holder', '=', holder).execute()
}

interface Wanted {
  readonly orderingKeys: readonly string[]
  readonly holder: string
  readonly ms: number
}

/** @returns how many of the keys it got */
async function takeFree(
  {writes, selectNowMs}: Database<RecordsTables>,
  target: string,
  {orderingKeys, holder, ms}: Wanted,
): Promise<number> {
  const got = await writes.run(async db => {
    const until_ms = sql<number>`${selectNowMs()} + ${sql.lit(ms)}`
    return db
      .insertInto('webhook_turn')
      .values(orderingKeys.map(key => ({target, ordering_key: key, holder, until_ms})))
      .onConflict(conflict =>
        conflict
          .columns(['target', 'ordering_key'])
          .doUpdateSet(({ref}) => ({holder: ref('excluded.holder'), until_ms: ref('excluded.until_ms')}))
          .where('webhook_turn.until_ms', '<', selectNowMs()),
      )
      .returning('ordering_key')
      .execute()
  })
  return got.length
}

async function findGoneHolders(
  {reads}: Pick<Database<RecordsTables>, 'reads'>,
  target: string,
  orderingKeys: readonly string[],
  local: LocalProcess,
): Promise<string[]> {
  const rows = await reads
    .selectFrom('webhook_turn')
    .select('holder')
    .distinct()
    .where('target', '=', target)
    .where('ordering_key', 'in', orderingKeys)
    .execute()
  return rows.map(({holder}) => holder).filter(holder => isHolderGone(readProcess(holder), local))
}
