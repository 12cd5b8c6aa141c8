import {type RawBuilder, sql} from 'kysely'
import {PROVIDER_ORDER_FIELD, PROVIDER_PAYMENT_FIELD} from '../../providers/paypal/notification/handlers.js'
import {readAllRows, runStatement} from '../../storage/engine/statement.js'
import type {ProviderMovementRow, ShopConnection} from './schema/schema.js'
import {prepareRowInsert, selectMember} from './schema/sql.js'

/** A notification of the provider that reached the shop, with any response. Excludes those that a stranger sent. */
export interface DeliveredEvent {
  readonly id: string
  /** ISO 8601 with milliseconds, from the body; else its time of arrival. */
  readonly at: string
  readonly body: Uint8Array
  /** HTTP status of the shop's last response. */
  readonly status: number
  /** Times of its last and first arrival; ISO 8601. */
  readonly answeredAt: string
  readonly firstAt: string
}

/** A payment at the provider without any notification at the shop. */
export interface UnreportedPayment {
  /** The order transaction. */
  readonly id: string
  /** Technical name of its state. */
  readonly state: string
  readonly orderNumber: string
  /** What the customer pays, in the order's currency. */
  readonly amountTotal: number
  /** ISO 4217. */
  readonly currency: string
  readonly providerOrderId: string
  /** ISO 8601 with milliseconds. */
  readonly at: string
}

/** A payment for a new event. */
export interface TriggeredPayment extends UnreportedPayment {
  /** Id of a v1 payment, `PAYID-…`; `null` for others. */
  readonly providerPaymentId: string | null
}

/** A query for events, the newest first. */
export interface ProviderEventQuery {
  /** Both included. */
  readonly since: Date
  readonly until: Date
  /** The last event that was read; continues after it. */
  readonly after?: {readonly at: string; readonly id: string} | undefined
  readonly limit: number
}

/** Notifications that reached the shop, each once. @param type exact match */
export async function listDeliveredEvents(
  db: ShopConnection,
  {since, until, after, limit, type}: ProviderEventQuery & {readonly type?: string | undefined},
): Promise<DeliveredEvent[]> {
  const at = sql<string>`coalesce(d.event_created_at, d.received_at)`
  const {rows} = await sql<DeliveredEvent>`
    select d.event_id as id, ${at} as at, c.body, d.status, d.received_at as "answeredAt", e.first as "firstAt" from (
      select max(d.id) as id, min(d.received_at) as first from webhook_delivery d
      where d.event_id is not null and d.event_type is not null and d.sender = 'token'
        and ${at} between ${since.toISOString()} and ${until.toISOString()}
        ${type === undefined ? sql`` : sql`and d.event_type = ${type}`}
      group by d.event_id) e
    join webhook_delivery d on d.id = e.id
    join webhook_delivery_content c on c.id = e.id
    where ${isAfter(at, sql`d.event_id`, after)}
    order by ${at} desc, d.event_id desc limit ${limit}`.execute(db)
  return rows
}

/** One notification that reached the shop. */
export async function findDeliveredEvent(
  db: ShopConnection,
  id: string,
): Promise<DeliveredEvent | undefined> {
  const {rows} = await sql<DeliveredEvent>`
    select d.event_id as id, coalesce(d.event_created_at, d.received_at) as at, c.body, d.status,
      d.received_at as "answeredAt", (
        select min(f.received_at) from webhook_delivery f where f.event_id = ${id} and f.sender = 'token') as "firstAt"
    from webhook_delivery d join webhook_delivery_content c on c.id = d.id
    where d.event_id = ${id} and d.event_type is not null and d.sender = 'token' order by d.id desc limit 1`.execute(
    db,
  )
  return rows[0]
}

/**
 * Payments of the shop's orders without any notification, by the time of the transaction.
 *
 * @param id only this transaction
 */
export async function listUnreportedPayments(
  db: ShopConnection,
  {since, until, after, limit, id}: ProviderEventQuery & {readonly id?: string | undefined},
): Promise<UnreportedPayment[]> {
  const at = sql<string>`t.created_at`
  const there = after && {at: formatStoredMoment(after.at), id: after.id}
  const {rows} = await selectPayments(
    db,
    sql`${at} between ${formatStoredMoment(since.toISOString())} and ${formatStoredMoment(until.toISOString())}
      and ${isAfter(at, sql`t.id`, there)} ${id === undefined ? sql`` : sql`and t.id = ${id}`}`,
  ).execute(sql`order by t.created_at desc, t.id desc limit ${limit}`)
  return rows
}

/** @param id of the transaction, 32 lower-case hex digits */
export async function findUnreportedPayment(
  db: ShopConnection,
  id: string,
): Promise<UnreportedPayment | undefined> {
  const {rows} = await selectPayments(db, sql`t.id = ${id}`).execute(sql`limit 1`)
  return rows[0]
}

/** Payments in some states, the oldest first; those without any notification come first. */
export async function listPaymentsInState(
  db: ShopConnection,
  {states, isV1, limit}: {readonly states: readonly string[]; readonly isV1: boolean; readonly limit: number},
): Promise<TriggeredPayment[]> {
  const which = sql`s.technical_name in (${sql.join(states)}) ${isV1 ? sql`and ${V1_PAYMENT} is not null` : sql``}`
  const isKnown = sql`exists (select 1 from webhook_delivery d where d.transaction_id = t.id)`
  const {rows} = await selectPayments(db, which, sql``).execute(sql`order by ${isKnown}, t.id limit ${limit}`)
  return rows
}

const V1_PAYMENT = selectMember(sql.ref('t.custom_fields'), [PROVIDER_PAYMENT_FIELD])

/** The payment of a provider's order, with or without notifications. */
export async function findPaymentOfOrder(
  db: ShopConnection,
  providerOrderId: string,
): Promise<UnreportedPayment | undefined> {
  const order = selectMember(sql.ref('t.custom_fields'), [PROVIDER_ORDER_FIELD])
  const {rows} = await selectPayments(db, sql`${order} = ${providerOrderId}`, sql``).execute(sql`limit 1`)
  return rows[0]
}

/** Transactions without a delivered notification, about which the provider would send one. */
const UNREPORTED = sql`
  and coalesce(p.outcome, '') not in ('open', 'unconfirmed')
  and not exists (select 1 from webhook_delivery d where d.transaction_id = t.id and d.sender = 'token')`

/** The provider's own records take precedence over the shop's state. */
function selectPayments(
  db: ShopConnection,
  which: RawBuilder<unknown>,
  among: RawBuilder<unknown> = UNREPORTED,
) {
  const order = selectMember(sql.ref('t.custom_fields'), [PROVIDER_ORDER_FIELD])
  const query = sql`
    select t.id, coalesce(p.outcome, s.technical_name) as state, o.order_number as "orderNumber",
      ${selectMember(sql.ref('t.amount'), ['totalPrice'])} as "amountTotal", coalesce(c.iso_code, 'EUR') as currency,
      ${order} as "providerOrderId", ${V1_PAYMENT} as "providerPaymentId", replace(substr(t.created_at, 1, 23), ' ', 'T') || 'Z' as at
    from order_transaction t
    join state_machine_state s on s.id = t.state_id
    join "order" o on o.id = t.order_id
    left join currency c on c.id = o.currency_id
    left join provider_order p on p.id = ${order} and p.custom_id = t.id
    where ${order} is not null and ${which} ${among}`
  return {
    execute: async (end: RawBuilder<unknown>) => {
      const {rows} = await sql<TriggeredPayment>`${query} ${end}`.execute(db)
      return {rows: rows.map(row => ({...row, amountTotal: Number(row.amountTotal)}))}
    },
  }
}

function isAfter(
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  after: ProviderEventQuery['after'],
): RawBuilder<unknown> {
  return after ? sql`(${at}, ${id}) < (${after.at}, ${after.id})` : sql`1 = 1`
}

/** Formats a time as in the tables of entities. */
function formatStoredMoment(iso: string): string {
  return iso.slice(0, 23).replace('T', ' ')
}

/** Stores a movement of money at the provider; a known one stays unchanged. */
export async function noteMovement(db: ShopConnection, movement: ProviderMovementRow): Promise<void> {
  await runStatement(db, insertMovement, movement)
}

const insertMovement = prepareRowInsert(
  'provider_movement',
  ['id', 'kind', 'transaction_id', 'sale_id', 'amount', 'final'],
  {isKnownLeft: true},
)

/** The captures of a transaction, in no order. */
export async function listCaptures(
  db: ShopConnection,
  transactionId: string,
): Promise<{amount: string; final: boolean}[]> {
  const rows = await readAllRows(db, selectCaptures, {transactionId})
  return rows.map(({amount, final}) => ({amount, final: final === 1}))
}

const selectCaptures = (db: ShopConnection, {transactionId}: {transactionId: string}) =>
  db
    .selectFrom('provider_movement')
    .select(['amount', 'final'])
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', 'capture')
    .compile()

/** The refunded amount of a sale so far, in its currency. */
export async function sumSaleRefunds(db: ShopConnection, saleId: string): Promise<number> {
  const rows = await db
    .selectFrom('provider_movement')
    .select('amount')
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'sale-refund')
    .execute()
  return rows.reduce((sum, {amount}) => sum + Math.abs(Number(amount)), 0)
}
