import type {Kysely} from 'kysely'
import {assertOneOf} from '../../runs/journal/assert-records.js'
import type {ResultClass} from '../../runs/journal/item.js'
import type {NewEntry} from '../../runs/journal/journal-entry.js'
import type {Database} from '../../storage/engine/database.js'
import {type EventStatus, NEEDS_DOING, STATUSES} from '../../webhook/event/event-status.js'
import type {Marked, Marking, MarkResult, Resolution, Undoing} from '../../webhook/inbox/inbox.js'
import {appendResults} from '../runs/append-results.js'
import type {RecordsTables, WebhookEventTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'

type Db = Kysely<RecordsTables>
type Row = RecordsTables['webhook_resolution']

/** A write in progress, with its row locks. */
interface Write extends Pick<Database<RecordsTables>, 'rowLocks' | 'selectNowMs'> {
  readonly db: Db
}

/** Marks open events as resolved. @returns the result for each id */
export function markResolved(
  write: Write,
  target: string,
  ids: readonly string[],
  marking: Marking,
): Promise<Map<string, Marked>> {
  return markEach(write, {target, ids}, marking, async ({status}) => {
    if (NEEDS_DOING.includes(status)) return {result: 'resolved', status: 'resolved'}
    return {result: status === 'resolved' ? 'was-resolved' : 'was-delivered'}
  })
}

/** Restores the status that events had before a run resolved them; one that has changed since stays. */
export function markReopened(
  write: Write,
  target: string,
  ids: readonly string[],
  {resolvedBy, ...marking}: Undoing,
): Promise<Map<string, Marked>> {
  return markEach(write, {target, ids}, marking, async ({id, status, changed_at_ms}) => {
    const last = (await listResolutions(write.db, target, id)).at(-1)
    const isAsLeft = last?.run === resolvedBy && last.at.getTime() === changed_at_ms
    if (!isAsLeft || last.kind !== 'resolved' || status !== 'resolved') return {result: 'changed'}
    const of = `the status of event ${id} before it was resolved`
    return {result: 'reopened', status: assertOneOf(last.statusBefore, NEEDS_DOING, of)}
  })
}

type Head = Pick<WebhookEventTable, 'id' | 'sha256' | 'changed_at_ms'> &
  Omit<Marked, 'result'> & {readonly status: EventStatus}

/** The new status of an event; without one it stays as it is. */
interface Mark {
  readonly result: MarkResult
  readonly status?: EventStatus
}

const CLASSES: Readonly<Record<MarkResult, ResultClass>> = {
  ...({resolved: 'done', reopened: 'done', 'not-found': 'failed'} as const),
  ...({'was-resolved': 'held', 'was-delivered': 'held', changed: 'held'} as const),
}

/** Marks each event once, with an entry in the journal of the run; unknown ids are `not-found`. */
async function markEach(
  write: Write,
  {target, ids}: {readonly target: string; readonly ids: readonly string[]},
  {run, at, who, reason}: Marking,
  judge: (event: Head) => Promise<Mark>,
): Promise<Map<string, Marked>> {
  const events = await lockEvents(write, target, ids)
  const marks = new Map<string, Marked>()
  const results: NewEntry[] = []
  for (const id of new Set(ids)) {
    const event = events.get(id)
    const {result, status}: Mark = event ? await judge(event) : {result: 'not-found'}
    if (event && status) {
      const kind = status === 'resolved' ? 'resolved' : 'reopened'
      const note = {at_ms: at.getTime(), who, reason, run_id: run.id}
      await updateStatus(write.db, {target, id, kind, status_before: event.status, ...note}, status)
    }
    marks.set(id, {result, orderNumber: event?.orderNumber ?? null, amount: event?.amount ?? null})
    results.push({
      ...{kind: 'result', item: id, orderingKey: '', contentHash: event?.sha256 ?? '', attempt: 0},
      ...{resultClass: CLASSES[result], result},
      ...(event && {facts: {statusBefore: event.status, statusAfter: status ?? event.status}}),
    })
  }
  await appendResults(write.db, run, {results, at}, write)
  return marks
}

/** All resolutions of an event, the oldest first. */
export async function listResolutions(db: Db, target: string, id: string): Promise<Resolution[]> {
  const rows = await db
    .selectFrom('webhook_resolution')
    .selectAll()
    .where('target', '=', target)
    .where('id', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(row => ({
    kind: row.kind as Resolution['kind'],
    at: new Date(row.at_ms),
    who: row.who,
    reason: row.reason,
    statusBefore: row.status_before as EventStatus,
    run: row.run_id,
  }))
}

/** Locks the events until the write has ended. */
async function lockEvents(
  {db, rowLocks}: Write,
  target: string,
  ids: readonly string[],
): Promise<Map<string, Head>> {
  const found = new Map<string, Head>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(['id', 'status', 'sha256', 'changed_at_ms', 'order_number', 'traits'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .orderBy('id')
      .modifyEnd(rowLocks.forUpdate)
      .execute()
    for (const row of rows) {
      const status = assertOneOf(row.status, STATUSES, `the status of event ${row.id}`)
      const {amount = null} = JSON.parse(row.traits) as {readonly amount?: Marked['amount']}
      found.set(row.id, {...row, status, orderNumber: row.order_number, amount})
    }
  }
  return found
}

async function updateStatus(db: Db, row: Omit<Row, 'number'>, status: EventStatus): Promise<void> {
  const {target, id, at_ms} = row
  const {last} = await db
    .selectFrom('webhook_resolution')
    .select(({fn}) => fn.max('number').as('last'))
    .where('target', '=', target)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('webhook_resolution')
    .values({...row, number: Number(last ?? 0) + 1})
    .execute()
  await db
    .updateTable('webhook_event')
    .set({status, changed_at_ms: at_ms})
    .where('target', '=', target)
    .where('id', '=', id)
    .execute()
}
