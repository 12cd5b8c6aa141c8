import {type Kysely, sql} from 'kysely'
import type {JournalRecord} from '../../run/record.js'
import type {RecordsTables} from './tables.js'

const STATUS = {done: 'delivered', failed: 'failed', unknown: 'unknown'} as const

/**
 * Brings the inbox up to date with what a replay wrote down, in the commit that keeps it. What was once delivered
 * stays delivered.
 */
export async function noteReplayed(
  db: Kysely<RecordsTables>,
  {kind, target}: {kind: string; target: string},
  results: readonly JournalRecord[],
): Promise<void> {
  if (kind !== 'replay') return
  for (const {item, grade, status, detail, attempt, at} of results) {
    const now = STATUS[grade as keyof typeof STATUS]
    await sql`
      update webhook_event
      set status = case when status = 'delivered' then status else ${now} end, answer = ${status ?? null},
        cause = ${detail ?? null}, attempts = attempts + ${attempt}, changed_at_ms = ${at.getTime()}
      where target = ${target} and id = ${item}`.execute(db)
  }
}
