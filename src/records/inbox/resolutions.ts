import type {Kysely} from 'kysely'
import {assertOneOf} from '../../runs/journal/assert-records.js'
import type {Database} from '../../storage/engine/database.js'
import {type EventStatus, STATUSES} from '../../webhook/event/event-status.js'
import type {Resolution, ResolutionChange, ResolutionNote} from '../../webhook/inbox/inbox.js'
import {noteMarkedEvents} from '../runs/run-ledger.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'

type Db = Kysely<RecordsTables>
type Row = RecordsTables['webhook_resolution']

/** A write under way, with how it locks rows. */
interface Write extends Pick<Database<RecordsTables>, 'rowLocks' | 'readNowMs'> {
  readonly db: Db
}

/** What may still be sent again, and so may be taken off the list. */
const OPEN: readonly EventStatus[] = ['failed', 'pending', 'unknown']

/** Takes open events off the list, and notes it in the ledger of runs. @returns for each id what became of it */
export async function markResolved(
  write: Write,
  target: string,
  ids: readonly string[],
  note: ResolutionNote,
): Promise<Map<string, ResolutionChange>> {
  const changes = await updateEach(write, target, ids, async (id, before) => {
    if (!OPEN.includes(before)) return before === 'resolved' ? 'same' : 'delivered'
    await updateStatus(
      write.db,
      {target, id, kind: 'resolved', status_before: before, ...buildNoteColumns(note)},
      'resolved',
    )
    return 'changed'
  })
  await noteMarkedEvents(write.db, {kind: 'resolved', target, changed: listChanged(changes), ...note}, write)
  return changes
}

/** Gives resolved events the status back that they had, and notes it likewise. @returns for each id what became of it */
export async function markReopened(
  write: Write,
  target: string,
  ids: readonly string[],
  note: ResolutionNote,
): Promise<Map<string, ResolutionChange>> {
  const changes = await updateEach(write, target, ids, async (id, before) => {
    if (before !== 'resolved') return 'same'
    const last = (await listResolutions(write.db, target, id)).at(-1)
    const row = {target, id, kind: 'reopened', status_before: before, ...buildNoteColumns(note)}
    const back = assertOneOf(
      last?.statusBefore ?? 'failed',
      OPEN,
      `the status of event ${id} before it was resolved`,
    )
    await updateStatus(write.db, row, back)
    return 'changed'
  })
  await noteMarkedEvents(write.db, {kind: 'reopened', target, changed: listChanged(changes), ...note}, write)
  return changes
}

function listChanged(changes: ReadonlyMap<string, ResolutionChange>): string[] {
  return [...changes].flatMap(([id, change]) => (change === 'changed' ? [id] : []))
}

/** Does something to each event once; ids that the inbox does not have are `unknown`. */
async function updateEach(
  write: Write,
  target: string,
  ids: readonly string[],
  act: (id: string, before: EventStatus) => Promise<ResolutionChange>,
): Promise<Map<string, ResolutionChange>> {
  const statuses = await lockStatuses(write, target, ids)
  const changes = new Map<string, ResolutionChange>()
  for (const id of new Set(ids)) {
    const before = statuses.get(id)
    changes.set(id, before === undefined ? 'unknown' : await act(id, before))
  }
  return changes
}

/** Everything that was said about an event, the oldest first. */
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
  }))
}

function buildNoteColumns({at, who, reason}: ResolutionNote) {
  return {at_ms: at.getTime(), who, reason}
}

/** Nobody else changes them until the write is over. */
async function lockStatuses(
  {db, rowLocks}: Write,
  target: string,
  ids: readonly string[],
): Promise<Map<string, EventStatus>> {
  const found = new Map<string, EventStatus>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(['id', 'status'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .orderBy('id')
      .modifyEnd(rowLocks.forUpdate)
      .execute()
    for (const {id, status} of rows) found.set(id, assertOneOf(status, STATUSES, `the status of event ${id}`))
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
