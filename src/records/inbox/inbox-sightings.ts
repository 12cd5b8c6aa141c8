import {type Kysely, sql} from 'kysely'
import type {Sighted} from '../../webhook/inbox/inbox.js'
import type {RecordsTables} from '../schema/schema.js'

/**
 * Notes what others saw of deliveries: of events that nothing is known of yet, or that is newer than what is. The same
 * sighting again changes nothing.
 */
export async function sight(
  db: Kysely<RecordsTables>,
  target: string,
  sightings: readonly Sighted[],
): Promise<void> {
  for (const {id, sha256, status, answer, cause, at} of sightings) {
    const atMs = at.getTime()
    await sql`
      update webhook_event
      set status = ${status}, answer = ${answer}, cause = ${cause}, attempts = attempts + 1,
        changed_at_ms = case when changed_at_ms < ${atMs} then ${atMs} else changed_at_ms end
      where target = ${target} and id = ${id} and (sha256 = ${sha256} or conflict = 0)
        and status not in ('delivered', 'resolved')
        and ((status = 'pending' and attempts = 0 and answer is null) or changed_at_ms < ${atMs})`.execute(db)
  }
}
