import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {EventStatus, InboxEvent} from '../../webhook/event.js'
import type {OrderField} from '../../webhook/event-fields.js'
import type {Changed, EventGroup, EventOrder, Grouping, InboxQuery, SeenAttempt} from '../../webhook/inbox.js'
import {eventConditionSql} from './event-condition.js'
import {keyset} from './keyset.js'
import type {RecordsTables, WebhookEventTable} from './tables.js'
import {eventOf} from './webhook-rows.js'

type Db = Kysely<RecordsTables>

/** Rows that may be sorted in one query instead of being read in the order of an index. */
const SORTED_AT_ONCE = 1000

/**
 * Events in the order of time page by page, each page found by an index; in any other order by one query, whose rows
 * are read as they are wanted.
 */
export function list(db: Db, target: string, query: InboxQuery): AsyncIterable<InboxEvent> {
  const order = query.order ?? {field: 'createdAt', descending: !query.oldestFirst}
  return order.field === 'createdAt' ? byTime(db, target, query, order) : sorted(db, target, query, order)
}

function byTime(
  db: Db,
  target: string,
  query: InboxQuery,
  {descending}: EventOrder,
): AsyncIterable<InboxEvent> {
  const direction = descending ? 'desc' : 'asc'
  const page = async (after: InboxEvent | undefined, size: number, one: InboxQuery) => {
    let rows = filtered(db, target, one)
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
    return found.map(eventOf)
  }
  const sign = descending ? -1 : 1
  return keyset(query.limit, async (after: InboxEvent | undefined, size) => {
    // Each status has its own stretch of the index; several at once would be sorted all of them, or none be found by it.
    const pages = await Promise.all(statusQueries(query).map(one => page(after, size, one)))
    const [only] = pages
    if (pages.length === 1 && only) return only
    return pages
      .flat()
      .sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)))
      .slice(0, size)
  })
}

function statusQueries(query: InboxQuery): InboxQuery[] {
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

async function* sorted(
  db: Db,
  target: string,
  query: InboxQuery,
  {field, descending}: EventOrder,
): AsyncGenerator<InboxEvent, void, void> {
  const column = COLUMNS[field]
  let rows = filtered(db, target, query)
    .orderBy(sql`${sql.ref(column)} is null`)
    .orderBy(column, descending ? 'desc' : 'asc')
    .orderBy('id')
  if (query.limit !== undefined) rows = rows.limit(query.limit)
  if (query.limit !== undefined && query.limit <= SORTED_AT_ONCE) {
    yield* (await rows.execute()).map(eventOf)
    return
  }
  for await (const row of rows.stream()) yield eventOf(row)
}

/** The rows that are meant, in no order. */
export function filtered(
  db: Db,
  target: string,
  {ids, statuses, types, since, until, where}: Omit<InboxQuery, 'limit'>,
) {
  let query = db.selectFrom('webhook_event').selectAll().where('target', '=', target)
  if (ids) query = query.where('id', 'in', [...ids])
  const [status, ...others] = statuses ?? []
  if (status !== undefined && others.length === 0) query = query.where('status', '=', status)
  else if (statuses) query = query.where('status', 'in', [...statuses])
  if (types) query = query.where(({or}) => or(types.map(matches)))
  if (since) query = query.where('created_at_ms', '>=', since.getTime())
  if (until) query = query.where('created_at_ms', '<', until.getTime())
  if (where) query = query.where(eventConditionSql(where))
  return query
}

function matches(pattern: string) {
  const like = pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
  return pattern.includes('*') ? sql<boolean>`type like ${like} escape '\\'` : sql<boolean>`type = ${pattern}`
}

const HOUR_MS = 3_600_000

const KEYS: Readonly<Record<Grouping, RawBuilder<string | number | null>>> = {
  type: sql`type`,
  cause: sql`cause`,
  hour: sql`created_at_ms - created_at_ms % ${sql.lit(HOUR_MS)}`,
}

export async function groups(db: Db, target: string, query: InboxQuery, by: Grouping): Promise<EventGroup[]> {
  const parts = filtered(db, target, query)
    .clearSelect()
    .select(({fn}) => [
      KEYS[by].as('key'),
      'status',
      fn.countAll<number>().as('count'),
      fn.min('created_at_ms').as('first'),
      fn.max('created_at_ms').as('last'),
    ])
    .groupBy(['key', 'status'])
  const rows = await db
    .selectFrom(parts.as('part'))
    .select(({fn}) => [
      'key',
      fn.sum<number>('count').as('count'),
      fn.min('first').as('first'),
      fn.max('last').as('last'),
      sql<string>`json_group_object(status, "count")`.as('statuses'),
    ])
    .groupBy('key')
    .orderBy(by === 'hour' ? 'key' : sql`sum("count")`, 'desc')
    .orderBy('key')
    .$if(query.limit !== undefined, some => some.limit(query.limit as number))
    .execute()
  return rows.map(({key, count, first, last, statuses}) => ({
    key: typeof key === 'number' ? new Date(key) : key,
    count: Number(count),
    first: new Date(Number(first)),
    last: new Date(Number(last)),
    statuses: JSON.parse(statuses),
  }))
}

export async function revision(db: Db): Promise<number> {
  const {last} = await db.selectFrom('webhook_revision').select('last').executeTakeFirstOrThrow()
  return last
}

export async function changes(
  db: Db,
  target: string,
  query: InboxQuery,
  after: number,
  size: number,
): Promise<Changed[]> {
  const rows = await filtered(db, target, query)
    .select(sql<number>`revision`.as('revision'))
    .where(sql<boolean>`revision > ${after}`)
    .orderBy(sql`revision`)
    .limit(size)
    .execute()
  return rows.map(row => ({revision: row.revision, event: eventOf(row)}))
}

export async function attempts(db: Db, target: string, id: string): Promise<SeenAttempt[]> {
  const rows = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('target', '=', target)
    .where('id', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(({at_ms, status, answer, cause}) => ({
    at: new Date(at_ms),
    status: status as EventStatus,
    answer,
    cause,
  }))
}
