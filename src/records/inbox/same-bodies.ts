import type {Kysely} from 'kysely'
import {haveSameContent} from '../../providers/same-content.js'
import type {WebhookEvent} from '../../webhook/event/event.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'

/**
 * Of events whose ids belong to other bytes, those that say something else than what is there.
 *
 * @param fresh events of the same write, which are there before those that follow them
 */
export async function findContradicting(
  db: Kysely<RecordsTables>,
  target: string,
  events: readonly WebhookEvent[],
  fresh: readonly WebhookEvent[],
): Promise<WebhookEvent[]> {
  if (events.length === 0) return []
  const ids = [...new Set(events.map(({id}) => id))]
  const bodies = await readStoredBodies(db, target, ids)
  for (const {id, body} of fresh) bodies.set(id, body)
  return events.filter(({id, body}) => {
    const there = bodies.get(id)
    return there === undefined || !haveSameContent(there, body)
  })
}

/** The bodies that are kept under some ids. */
export async function readStoredBodies(
  db: Kysely<RecordsTables>,
  target: string,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_body')
      .select(['id', 'body'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
    for (const {id, body} of rows) found.set(id, body)
  }
  return found
}
