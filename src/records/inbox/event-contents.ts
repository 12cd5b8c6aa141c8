import type {Kysely} from 'kysely'
import type {EventContent} from '../../webhook/event/event.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {parseBodyRow} from './event-rows.js'

type Db = Kysely<RecordsTables>

/** Headers and bodies of events, by id; missing ones are left out. */
export async function readContents(
  db: Db,
  target: string,
  ids: readonly string[],
): Promise<Map<string, EventContent>> {
  const found = new Map<string, EventContent>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_body')
      .select(['id', 'headers', 'body'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, parseBodyRow(row))
  }
  return found
}
