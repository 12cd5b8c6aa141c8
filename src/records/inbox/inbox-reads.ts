import {type Kysely, sql} from 'kysely'
import type {CapturedMoney} from '../../language/amount-totals.js'
import {readCapture} from '../../payment/compare-amounts.js'
import {listEventTypes} from '../../providers/providers.js'
import {assertOneOf} from '../../runs/journal/assert-records.js'
import type {Database} from '../../storage/engine/database.js'
import {readAllRows, type Statement} from '../../storage/engine/statement.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {STATUSES} from '../../webhook/event/event-status.js'
import {findSender, isTrusted} from '../../webhook/event/sender.js'
import type {KnownResults, PaymentEvent, ResultQuery} from '../../webhook/inbox/inbox.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {parseEventRow, readSenderEvidence} from './event-rows.js'
import {isHolderGone} from './holders.js'
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
    for (const row of rows) found.set(row.id, parseEventRow(row, from.local))
  }
  return found
}

/** Keys in one query: always the same number, so that its statement stays prepared. */
const NAMES = Array.from({length: 32}, (_, at) => `name${at}`)
const FEW_NAMES = NAMES.slice(0, 4)

type Names = Record<string, string> & {readonly target: string; readonly other: string}

type EventRow = Pick<
  RecordsTables['webhook_event'],
  | 'id'
  | 'transaction_key'
  | 'type'
  | 'created_at_ms'
  | 'changed_at_ms'
  | 'status'
  | (typeof OF_CAPTURES)[number]
>

/** Columns for the capture that an event reports. */
const OF_CAPTURES = ['traits', 'arrived_with', 'verification', 'verification_reason'] as const

/** An event that may be forged reports no money. */
function parseCapture(row: EventRow): CapturedMoney | undefined {
  if (!isTrusted(findSender(readSenderEvidence(row)))) return undefined
  return readCapture({id: row.id, type: row.type, traits: JSON.parse(row.traits)})
}

/**
 * Events of some transactions with a status. The empty text appended to the status keeps the database from scanning all
 * delivered events instead of looking up these few transactions.
 */
const selectByStatus: Statement<RecordsTables, Names, EventRow> = (db, names) =>
  db
    .selectFrom('webhook_event')
    .select(['transaction_key', 'id', 'type', 'created_at_ms', 'changed_at_ms', 'status'])
    .select(OF_CAPTURES)
    .where('target', '=', names.target)
    .where(
      'transaction_key',
      'in',
      NAMES.map(name => names[name] as string),
    )
    .where(sql<string>`status || ''`, 'in', ['delivered', names.other])
    .where('type', 'in', listEventTypes())
    .compile()

interface FoundResults {
  newest?: EventRow
  readonly captures: CapturedMoney[]
  readonly unknown: string[]
}

/** By key of a transaction, its newest accepted delivery, and its events of unknown result. */
export async function findKnownResults(
  from: Events,
  target: string,
  transactions: readonly string[],
  {sinceMs, withUnknown}: ResultQuery,
): Promise<Map<string, KnownResults>> {
  const found = new Map<string, FoundResults>()
  const which = {target, other: withUnknown ? 'unknown' : 'delivered'}
  for (let at = 0; at < transactions.length; at += NAMES.length) {
    const names = fillNames(which, NAMES, transactions.slice(at))
    for (const row of await readAllRows(from.reads, selectByStatus, names)) {
      const known = found.get(row.transaction_key as string) ?? {captures: [], unknown: []}
      found.set(row.transaction_key as string, known)
      if (row.status === 'unknown') {
        known.unknown.push(row.id)
        continue
      }
      known.captures.push(...[parseCapture(row) ?? []].flat())
      if (row.changed_at_ms >= sinceMs && row.created_at_ms >= (known.newest?.created_at_ms ?? 0))
        known.newest = row
    }
  }
  const events = await findEvents(
    from,
    target,
    [...found.values()].flatMap(({unknown}) => unknown),
  )
  const parse = ({newest, captures, unknown}: FoundResults): KnownResults => ({
    captures,
    newest: newest && {id: newest.id, createdAt: new Date(newest.created_at_ms)},
    unknown: unknown.flatMap(id => events.get(id) ?? []),
  })
  return new Map([...found].map(([name, known]) => [name, parse(known)]))
}

/** Fills up the last keys with copies of the first: a duplicate key gives no further row. */
function fillNames<Which extends {readonly target: string}>(
  which: Which,
  names: readonly string[],
  transactions: readonly string[],
): Which & Record<string, string> {
  const filled: Record<string, string> = {...which}
  for (const [at, name] of names.entries()) filled[name] = (transactions[at] ?? transactions[0]) as string
  return filled as Which & Record<string, string>
}

type PaymentNames = Record<string, string> & {readonly target: string}

/**
 * When a run gave up a call of an event that the provider itself has delivered since: the shop may be working on both.
 * For other events the status shows it.
 */
const DOUBTED_AT_MS = sql<number | null>`case when webhook_event.status = 'delivered' then (
  select ledger.at_ms from ledger
  where ledger.kind = 'replay' and ledger.target = webhook_event.target and ledger.key = webhook_event.id
    and ledger.result_class = 'unknown') end`

type PaymentRow = EventRow & {readonly doubted_at_ms: number | null} & Pick<
    RecordsTables['webhook_event'],
    'attempts' | 'in_flight_until_ms' | 'in_flight_by' | 'sha256' | 'conflict'
  >

function prepareSelect(names: readonly string[]): Statement<RecordsTables, PaymentNames, PaymentRow> {
  return (db, values) =>
    db
      .selectFrom('webhook_event')
      .select(['transaction_key', 'id', 'type', 'created_at_ms', 'changed_at_ms'])
      .select([
        'status',
        'attempts',
        'in_flight_until_ms',
        'in_flight_by',
        'sha256',
        'conflict',
        ...OF_CAPTURES,
      ])
      .select(DOUBTED_AT_MS.as('doubted_at_ms'))
      .where('target', '=', values.target)
      .where(
        'transaction_key',
        'in',
        names.map(name => values[name] as string),
      )
      .compile()
}

const selectOfMany = prepareSelect(NAMES)
const selectOfFew = prepareSelect(FEW_NAMES)

/** Types that change a payment's state. */
const HANDLED: ReadonlySet<string> = new Set(listEventTypes())

/** Events by key of their transaction. */
export async function findPaymentEvents(
  {reads, readLeaseMs, local}: Pick<Database<RecordsTables>, 'reads' | 'readLeaseMs'> & Pick<Events, 'local'>,
  target: string,
  transactions: readonly string[],
): Promise<Map<string, PaymentEvent[]>> {
  const nowMs = await readLeaseMs(reads)
  const found = new Map<string, PaymentEvent[]>()
  for (let from = 0; from < transactions.length; from += NAMES.length) {
    const some = transactions.slice(from, from + NAMES.length)
    const isFew = some.length <= FEW_NAMES.length
    const names = fillNames({target}, isFew ? FEW_NAMES : NAMES, some)
    for (const row of await readAllRows(reads, isFew ? selectOfFew : selectOfMany, names)) {
      const key = row.transaction_key as string
      const event = parsePaymentRow(row, {nowMs, local})
      const events = found.get(key)
      if (events) events.push(event)
      else found.set(key, [event])
    }
  }
  return found
}

function parsePaymentRow(
  row: PaymentRow,
  {nowMs, local}: {readonly nowMs: number; readonly local: Events['local']},
): PaymentEvent {
  const movesPayment = HANDLED.has(row.type)
  return {
    ...{id: row.id, createdAt: new Date(row.created_at_ms), changedAtMs: row.changed_at_ms},
    ...{status: assertOneOf(row.status, STATUSES, `the status of event ${row.id}`), attempts: row.attempts},
    ...{sha256: row.sha256, hasConflict: row.conflict === 1, sender: findSender(readSenderEvidence(row))},
    isInFlight: isLeaseHeld(row.in_flight_until_ms, nowMs) && !isHolderGone(row.in_flight_by, local),
    doubtedAtMs: row.doubted_at_ms ?? undefined,
    movesPayment,
    capture: movesPayment && row.status === 'delivered' ? parseCapture(row) : undefined,
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
