import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {LocalProcess} from '../../runs/workers/liveness.js'
import type {Database} from '../../storage/engine/database.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import type {EventOrder, OrderField} from '../../webhook/event/event-fields.js'
import type {EventStatus} from '../../webhook/event/event-status.js'
import type {Changed, ChangePage, ChangePosition, InboxQuery, SeenAttempt} from '../../webhook/inbox/inbox.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import type {RecordsDialect} from '../schema/dialect.js'
import type {RecordsTables, WebhookEventTable} from '../schema/schema.js'
import {readByKeyset} from '../schema/sql.js'
import {buildEventCondition, RESOLVED} from './event-condition.js'
import {parseEventRow} from './event-rows.js'
import {matchInFlight} from './lease-condition.js'

type Db = Kysely<RecordsTables>

/** The parts of a database for reading events. */
export type Events = Pick<Database<RecordsTables>, 'reads' | 'engine' | 'selectLeaseMs'> & {
  readonly local: LocalProcess
}

/** Most rows to sort in one query, instead of reading in the order of an index. */
const MAX_SORTED_ROWS = 1000

/**
 * Lists events in order of time page by page, each found by an index; in any other order with one query, whose rows are
 * read on demand.
 */
export function listInboxEvents(from: Events, target: string, query: InboxQuery): AsyncIterable<InboxEvent> {
  const order = query.order ?? {field: 'createdAt', descending: !query.oldestFirst}
  return order.field === 'createdAt'
    ? listByTime(from, target, query, order)
    : listSorted(from, target, query, order)
}

function listByTime(
  from: Events,
  target: string,
  query: InboxQuery,
  {descending}: EventOrder,
): AsyncIterable<InboxEvent> {
  const direction = descending ? 'desc' : 'asc'
  const page = async (after: InboxEvent | undefined, size: number, one: InboxQuery) => {
    let rows = filterEvents(from, target, one)
    if (after) {
      rows = rows.where(({eb, refTuple, tuple}) =>
        eb(
          refTuple('created_at_ms', 'id'),
          descending ? '<' : '>',
          tuple(after.createdAt.getTime(), after.id),
        ),
      )
    }
    const found = await rows
      .orderBy('created_at_ms', direction)
      .orderBy('id', direction)
      .limit(size)
      .execute()
    return found.map(row => parseEventRow(row, from.local))
  }
  const sign = descending ? -1 : 1
  return readByKeyset(query.limit, async (after: InboxEvent | undefined, size) => {
    // Each status has its own range of the index; with several, the database would sort all rows, or not use it.
    const pages = await Promise.all(splitByStatus(query).map(one => page(after, size, one)))
    const [only] = pages
    if (pages.length === 1 && only) return only
    return pages
      .flat()
      .sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)))
      .slice(0, size)
  })
}

function splitByStatus(query: InboxQuery): InboxQuery[] {
  return query.statuses && !query.ids
    ? [...new Set(query.statuses)].map(status => ({...query, statuses: [status]}))
    : [query]
}

const COLUMNS: Readonly<Record<OrderField, keyof WebhookEventTable>> = {
  createdAt: 'created_at_ms',
  receivedAt: 'received_at_ms',
  changedAt: 'changed_at_ms',
  id: 'id',
  type: 'type',
  status: 'status',
  answer: 'answer',
  attempts: 'attempts',
  sizeBytes: 'size_bytes',
}

async function* listSorted(
  from: Events,
  target: string,
  query: InboxQuery,
  {field, descending}: EventOrder,
): AsyncGenerator<InboxEvent, void, void> {
  const column = COLUMNS[field]
  let rows = filterEvents(from, target, query)
    .orderBy(sql`${sql.ref(column)} is null`)
    .orderBy(column, descending ? 'desc' : 'asc')
    .orderBy('id')
  if (query.limit !== undefined) rows = rows.limit(query.limit)
  if (query.limit !== undefined && query.limit <= MAX_SORTED_ROWS) {
    yield* (await rows.execute()).map(row => parseEventRow(row, from.local))
    return
  }
  for await (const row of rows.stream()) yield parseEventRow(row, from.local)
}

/**
 * The matching rows, in no order.
 *
 * @param shop the shop's name, in a form that uses an index or avoids it
 */
export function filterEvents(
  from: Events,
  target: string,
  {ids, idPrefix, statuses, types, since, until, where}: Omit<InboxQuery, 'limit'>,
  shop: RawBuilder<string> = sql`target`,
) {
  const {reads, selectLeaseMs} = from
  const dialect = chooseRecordsDialect(from)
  let query = reads
    .selectFrom('webhook_event')
    .selectAll()
    .select(matchInFlight<number | null>(selectLeaseMs()).as('is_in_flight'))
    .select([
      RESOLVED.resolvedAt.as('resolvedAt'),
      RESOLVED.resolvedBy.as('resolvedBy'),
      RESOLVED.resolvedReason.as('resolvedReason'),
      RESOLVED.resolvedRun.as('resolvedRun'),
    ])
    .where(shop, '=', target)
  if (ids) query = query.where('id', 'in', [...ids])
  if (idPrefix !== undefined)
    query = query.where(dialect.matchPattern(sql`id`, `${idPrefix.replace(/[\\%_]/g, '\\$&')}%`))
  const [status, ...others] = statuses ?? []
  if (status !== undefined && others.length === 0) query = query.where('status', '=', status)
  else if (statuses) query = query.where('status', 'in', [...statuses])
  if (types) query = query.where(({or}) => or(types.map(type => matchType(type, dialect))))
  if (since) query = query.where('created_at_ms', '>=', since.getTime())
  if (until) query = query.where('created_at_ms', '<', until.getTime())
  if (where) query = query.where(buildEventCondition(where, dialect))
  return query
}

function matchType(pattern: string, {matchPattern}: RecordsDialect) {
  const escaped = pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
  return pattern.includes('*') ? matchPattern(sql`type`, escaped) : sql<boolean>`type = ${pattern}`
}

export async function readLastRevision(from: Events): Promise<ChangePosition> {
  const {rows} = await sql<{
    last: number
  }>`select ${chooseRecordsDialect(from).lastFinalRevision} as last`.execute(from.reads)
  return {revision: (rows[0]?.last as number) + 1, id: ''}
}

/**
 * Events changed in one commit may share a revision, so the id breaks ties. The index of revisions finds changes
 * without reading all events of a shop.
 */
export async function listChanges(
  from: Events,
  target: string,
  query: InboxQuery,
  {after, size}: ChangePage,
): Promise<Changed[]> {
  const rows = await filterEvents(from, target, query, sql`target || ''`)
    .select(sql<number>`revision`.as('revision'))
    .where(sql<boolean>`(revision, id) > (${after.revision}, ${after.id})`)
    .where(chooseRecordsDialect(from).isRevisionFinal)
    .orderBy(sql`revision`)
    .orderBy('id')
    .limit(size)
    .execute()
  return rows.map(row => ({
    position: {revision: row.revision, id: row.id},
    event: parseEventRow(row, from.local),
  }))
}

export async function listAttempts(db: Db, target: string, id: string): Promise<SeenAttempt[]> {
  const rows = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('target', '=', target)
    .where('id', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(({at_ms, status, answer, message, sender}) => ({
    at: new Date(at_ms),
    status: status as EventStatus,
    answer,
    message,
    sender: sender as SeenAttempt['sender'],
  }))
}
