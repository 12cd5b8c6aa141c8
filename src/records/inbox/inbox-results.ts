import type {CompiledQuery, Kysely} from 'kysely'
import {sql} from 'kysely'
import type {JournalRecord} from '../../runs/journal/journal-entry.js'
import {manyTimes} from '../../storage/engine/many-times.js'
import type {OnResults} from '../runs/runs.js'
import type {RecordsTables} from '../schema/schema.js'

const STATUS = {done: 'delivered', failed: 'failed', unknown: 'unknown'} as const

/**
 * Brings the inbox up to date with what a replay wrote down, in the commit that keeps it. What was once delivered
 * stays delivered, unless it was sent again and nobody knows what came of that; what was dealt with by hand does not fail
 * again either. The statement is compiled once for an open database.
 */
export function noteReplayed(): OnResults {
  let compiled: CompiledQuery | undefined
  return async (db, {kind, target}, results) => {
    if (kind !== 'replay') return
    compiled ??= compileUpdate(db)
    await db.executeQuery(
      manyTimes(
        compiled.sql,
        results.map(record => parametersOf(target, record)),
      ),
    )
  }
}

/** Its parameters are those of `parametersOf`, in that order. */
function compileUpdate(db: Kysely<RecordsTables>): CompiledQuery {
  return sql`
    update webhook_event
    set status = case when status in ('delivered', 'resolved') and ${''} = 'failed' then status else ${''} end, answer = ${null},
      cause = ${null}, attempts = attempts + ${0}, changed_at_ms = ${0}
    where target = ${''} and id = ${''}`.compile(db)
}

function parametersOf(target: string, {item, grade, status, detail, attempt, at}: JournalRecord): unknown[] {
  const now = STATUS[grade as keyof typeof STATUS]
  return [now, now, status ?? null, detail ?? null, attempt, at.getTime(), target, item]
}
