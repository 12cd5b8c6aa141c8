import {type Kysely, sql} from 'kysely'
import {WEBHOOK_HANDLERS} from '../../providers/paypal/notification/handlers.js'
import type {Database} from '../../storage/engine/database.js'
import {readAllRows, type Statement} from '../../storage/engine/statement.js'
import type {EventContent, InboxEvent} from '../../webhook/event/event.js'
import type {PaymentEvent} from '../../webhook/inbox/inbox.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {parseBodyRow, parseEventRow} from './event-rows.js'
import {type Events, filterEvents} from './inbox-list.js'
import {isLeaseHeld} from './lease-condition.js'

type Db = Kysely<RecordsTables>

export async function findEvents(
  from: Events,
  target: string,
  ids: readonly string[],
): Promise<Map<string, InboxEvent>> {
  const found = new Map<string, InboxEvent>()
  for (const some of splitKeys(ids)) {
    const rows = await filterEvents(from, target, {ids: some}).execute()
    for (const row of rows) found.set(row.id, parseEventRow(row))
  }
  return found
}

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

const HANDLED = WEBHOOK_HANDLERS.map(handler => handler.eventType)

/** Names of one query: always so many, so that its statement stays ready. */
const NAMES = Array.from({length: 32}, (_, at) => `name${at}`)

type Names = Record<string, string> & {readonly target: string; readonly status: string}

type EventRow = Pick<
  RecordsTables['webhook_event'],
  'id' | 'transaction_key' | 'created_at_ms' | 'changed_at_ms'
>

/**
 * Events of some transactions with a status. An empty text behind the status keeps the database from walking through all
 * that was ever delivered instead of looking these few transactions up.
 */
const selectByStatus: Statement<RecordsTables, Names, EventRow> = (db, names) =>
  db
    .selectFrom('webhook_event')
    .select(['transaction_key', 'id', 'created_at_ms', 'changed_at_ms'])
    .where('target', '=', names.target)
    .where(
      'transaction_key',
      'in',
      NAMES.map(name => names[name] as string),
    )
    .where(sql<string>`status || ''`, '=', names.status)
    .where('type', 'in', HANDLED)
    .compile()

export function findNewestDeliveries(
  db: Db,
  target: string,
  transactions: readonly string[],
  sinceMs = Number.NEGATIVE_INFINITY,
): Promise<Map<string, FoundEvent>> {
  const prefers = (row: EventRow, known: number | undefined) =>
    row.changed_at_ms >= sinceMs && (known === undefined || row.created_at_ms >= known)
  const asked = sinceMs === Number.POSITIVE_INFINITY ? [] : transactions
  return findByStatus(db, {target, status: 'delivered'}, asked, prefers)
}

/** Per name of a transaction, its oldest event with an unknown result. */
export function findOldestUnknown(
  db: Db,
  target: string,
  transactions: readonly string[],
): Promise<Map<string, FoundEvent>> {
  const prefers = (row: EventRow, known: number | undefined) =>
    known === undefined || row.created_at_ms < known
  return findByStatus(db, {target, status: 'unknown'}, transactions, prefers)
}

interface FoundEvent {
  readonly id: string
  readonly createdAt: Date
}

/** @param prefers whether an event takes the place of the one found before, if any, which was created at that moment */
async function findByStatus(
  db: Db,
  which: {readonly target: string; readonly status: string},
  transactions: readonly string[],
  prefers: (row: EventRow, knownMs: number | undefined) => boolean,
): Promise<Map<string, FoundEvent>> {
  const found = new Map<string, FoundEvent>()
  for (let from = 0; from < transactions.length; from += NAMES.length) {
    for (const row of await readAllRows(db, selectByStatus, fillNames(which, transactions, from))) {
      const key = row.transaction_key as string
      if (!prefers(row, found.get(key)?.createdAt.getTime())) continue
      found.set(key, {id: row.id, createdAt: new Date(row.created_at_ms)})
    }
  }
  return found
}

/** The last ones are filled up with the first of them: what is asked for twice is answered once. */
function fillNames<Which extends {readonly target: string}>(
  which: Which,
  transactions: readonly string[],
  from: number,
): Which & Record<string, string> {
  const names: Record<string, string> = {...which}
  for (const [at, name] of NAMES.entries()) {
    names[name] = (transactions[from + at] ?? transactions[from]) as string
  }
  return names as Which & Record<string, string>
}

type PaymentNames = Record<string, string> & {readonly target: string}

type PaymentRow = EventRow &
  Pick<RecordsTables['webhook_event'], 'type' | 'status' | 'attempts' | 'in_flight_until_ms'>

const selectByTransaction: Statement<RecordsTables, PaymentNames, PaymentRow> = (db, names) =>
  db
    .selectFrom('webhook_event')
    .select(['transaction_key', 'id', 'type', 'created_at_ms', 'changed_at_ms'])
    .select(['status', 'attempts', 'in_flight_until_ms'])
    .where('target', '=', names.target)
    .where(
      'transaction_key',
      'in',
      NAMES.map(name => names[name] as string),
    )
    .compile()

const MOVES_PAYMENT: ReadonlySet<string> = new Set(HANDLED)

/** Per name of a transaction, its events. */
export async function findPaymentEvents(
  {reads, readLeaseMs}: Pick<Database<RecordsTables>, 'reads' | 'readLeaseMs'>,
  target: string,
  transactions: readonly string[],
): Promise<Map<string, PaymentEvent[]>> {
  const nowMs = await readLeaseMs(reads)
  const found = new Map<string, PaymentEvent[]>()
  for (let from = 0; from < transactions.length; from += NAMES.length) {
    const names = fillNames({target}, transactions, from)
    for (const row of await readAllRows(reads, selectByTransaction, names)) {
      const key = row.transaction_key as string
      const event = parsePaymentRow(row, nowMs)
      const events = found.get(key)
      if (events) events.push(event)
      else found.set(key, [event])
    }
  }
  return found
}

function parsePaymentRow(row: PaymentRow, nowMs: number): PaymentEvent {
  return {
    ...{id: row.id, createdAt: new Date(row.created_at_ms), changedAtMs: row.changed_at_ms},
    ...{status: row.status as PaymentEvent['status'], attempts: row.attempts},
    isInFlight: isLeaseHeld(row.in_flight_until_ms, nowMs),
    movesPayment: MOVES_PAYMENT.has(row.type),
  }
}

export async function readSourcePosition(
  db: Db,
  target: string,
  source: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_source')
    .select('position')
    .where('target', '=', target)
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.position
}
