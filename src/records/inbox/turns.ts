import {sql} from 'kysely'
import type {Database} from '../../storage/engine/database.js'
import type {Turns} from '../../webhook/inbox/turns.js'
import type {RecordsTables} from '../schema/schema.js'

/** Whose turn it is, in the database that captures share. */
export function turnsOf({writes, nowMs}: Database<RecordsTables>): Turns {
  const leave = (target: string, holder: string) =>
    writes.run(async db => {
      await db.deleteFrom('webhook_turn').where('target', '=', target).where('holder', '=', holder).execute()
    })
  return {
    leave,
    take: async (target, lanes, holder, ms) => {
      // Always in the same order, so that two never wait for each other.
      const wanted = [...new Set(lanes)].sort()
      const got = await writes.run(async db => {
        const until_ms = sql<number>`${nowMs()} + ${sql.lit(ms)}`
        return db
          .insertInto('webhook_turn')
          .values(wanted.map(lane => ({target, lane, holder, until_ms})))
          .onConflict(conflict =>
            conflict
              .columns(['target', 'lane'])
              .doUpdateSet(({ref}) => ({holder: ref('excluded.holder'), until_ms: ref('excluded.until_ms')}))
              .where('webhook_turn.until_ms', '<', nowMs()),
          )
          .returning('lane')
          .execute()
      })
      if (got.length === wanted.length) return true
      if (got.length > 0) await leave(target, holder)
      return false
    },
  }
}
