import type {Database} from '../../storage/engine/database.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {leaseName} from '../runs/lease-name.js'
import type {RecordsTables} from '../schema/schema.js'
import {attempts, changes, groups, list, place} from './inbox-list.js'
import {outdated, prune} from './inbox-prune.js'
import {busy, contents, deliveredUpTo, find, position} from './inbox-reads.js'
import {sight} from './inbox-sightings.js'
import {add, adopt, forget, forgetBetween, inserts, noteSeen} from './inbox-writes.js'
import {reopen, resolutionsOf, resolve} from './resolutions.js'

/** What arrived for each shop. */
export function inboxOf(database: Database<RecordsTables>): Inbox {
  const {reads, writes} = database
  const insert = inserts()
  return {
    add: (target, events) => writes.run(db => add(db, target, events, insert)),
    see: (target, source, seen, from, to) =>
      writes.run(
        async db => {
          if ((await position(db, target, source)) !== from) return false
          await add(
            db,
            target,
            seen.map(each => each.event),
            insert,
          )
          for (const each of seen) await noteSeen(db, target, each)
          await db
            .insertInto('webhook_source')
            .values({target, source, position: to})
            .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position: to}))
            .execute()
          return true
        },
        {alone: `source ${source} ${target}`},
      ),
    sight: (target, sightings) => writes.run(db => sight(db, target, sightings)),
    position: (target, source) => position(reads, target, source),
    list: (target, query) => list(database, target, query),
    groups: (target, query, by) => groups(database, target, query, by),
    place: () => place(database),
    changes: (target, query, after, size) => changes(database, target, query, after, size),
    attempts: (target, id) => attempts(reads, target, id),
    find: (target, ids) => find(database, target, ids),
    contents: (target, ids) => contents(reads, target, ids),
    deliveredUpTo: (target, transactions, sinceMs) => deliveredUpTo(reads, target, transactions, sinceMs),
    resolve: (target, ids, note) => writes.run(db => resolve(db, target, ids, note, database)),
    reopen: (target, ids, note) => writes.run(db => reopen(db, target, ids, note, database)),
    resolutions: (target, id) => resolutionsOf(reads, target, id),
    outdated: (target, what) => outdated(database, target, what),
    prune: (target, what) =>
      writes.run(db => prune(db, target, what, database), {alone: leaseName({kind: 'replay', target})}),
    busy: target => busy(database, target),
    adopt: (from, target) => writes.run(db => adopt(db, from, target)),
    forget: target => writes.run(db => forget(db, target)),
    forgetBetween: async (first, end) => {
      const there = await reads
        .selectFrom('webhook_event')
        .select('id')
        .where('target', '>=', first)
        .where('target', '<', end)
        .limit(1)
        .execute()
      if (there.length > 0) await writes.run(db => forgetBetween(db, first, end))
    },
  }
}
