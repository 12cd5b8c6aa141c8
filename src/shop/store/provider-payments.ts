import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {ProviderOrderRow, ProviderPaymentRow, ShopConnection} from './schema/schema.js'
import {cutList} from './schema/sql.js'

/** A movement with data of its order. */
export interface ReportedPayment
  extends ProviderPaymentRow,
    Pick<ProviderOrderRow, 'custom_id' | 'invoice_id'> {}

/** A part of the provider's report, the oldest first. */
export interface ReportQuery {
  /** Both included. */
  readonly since: Date
  readonly until: Date
  /** Only movements that affect the balance: no authorizations, and none that are held back or declined. */
  readonly isBalanceOnly: boolean
  /** Movements before the page. */
  readonly offset: number
  readonly limit: number
}

/** Rows in one statement. */
const AT_ONCE = 500

/** Adds orders and movements of the provider; existing ones stay unchanged. */
export async function addProviderPayments(
  db: ShopConnection,
  orders: readonly ProviderOrderRow[],
  payments: readonly ProviderPaymentRow[],
): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  for (const [table, rows] of Object.entries({provider_order: orders, provider_payment: payments})) {
    for (const some of cutList<object>(rows, AT_ONCE))
      await untyped
        .insertInto(table)
        .values(some)
        .onConflict(on => on.column('id').doNothing())
        .execute()
  }
}

const selectReported = (
  db: ShopConnection,
  {since, until, isBalanceOnly}: Omit<ReportQuery, 'offset' | 'limit'>,
) =>
  db
    .selectFrom('provider_payment')
    .$if(isBalanceOnly, query =>
      query
        .where('provider_payment.kind', '!=', 'authorization')
        .where('provider_payment.status', '=', 'COMPLETED')
        .where(({eb, not}) => not(eb('provider_payment.kind', 'like', 'T13%' as never))),
    )
    .innerJoin('provider_order', 'provider_order.id', 'provider_payment.order_id')
    .where('provider_payment.created_at', '>=', since.toISOString())
    .where('provider_payment.created_at', '<=', until.toISOString())

/** Movements in a period, by time and id. */
export function listReportedPayments(
  db: ShopConnection,
  {offset, limit, ...query}: ReportQuery,
): Promise<ReportedPayment[]> {
  return selectReported(db, query)
    .selectAll('provider_payment')
    .select(['provider_order.custom_id', 'provider_order.invoice_id'])
    .orderBy('provider_payment.created_at')
    .orderBy('provider_payment.id')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Number of movements in a period, counted up to `most`. */
export async function countReportedPayments(
  db: ShopConnection,
  {most, ...query}: Omit<ReportQuery, 'offset' | 'limit'> & {readonly most: number},
): Promise<number> {
  const row = await db
    .selectFrom(selectReported(db, query).select('provider_payment.id').limit(most).as('some'))
    .select(({fn}) => fn.countAll<number | string>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** An order at the provider, and its movements by time. */
export async function findProviderOrder(
  db: ShopConnection,
  id: string,
): Promise<{order: ProviderOrderRow; payments: ProviderPaymentRow[]} | undefined> {
  const order = await db.selectFrom('provider_order').selectAll().where('id', '=', id).executeTakeFirst()
  if (!order) return undefined
  const payments = await db
    .selectFrom('provider_payment')
    .selectAll()
    .where('order_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {order, payments}
}

/** Completed refunds of some captures. @param captureIds at most 500 */
export async function listRefundsOf(
  db: ShopConnection,
  captureIds: readonly string[],
): Promise<ProviderPaymentRow[]> {
  if (captureIds.length === 0) return []
  return db
    .selectFrom('provider_payment')
    .selectAll()
    .where('kind', '=', 'refund')
    .where('status', '=', 'COMPLETED')
    .where('capture_id', 'in', captureIds)
    .execute()
}

/** Rows of the report with a code, of one capture or of all, the newest first. @param most number of rows */
export function listReportedRows(
  db: ShopConnection,
  code: `T${number}`,
  {captureId, most}: {readonly captureId: string | undefined; readonly most: number},
): Promise<ReportedPayment[]> {
  return db
    .selectFrom('provider_payment')
    .innerJoin('provider_order', 'provider_order.id', 'provider_payment.order_id')
    .selectAll('provider_payment')
    .select(['provider_order.custom_id', 'provider_order.invoice_id'])
    .where('provider_payment.kind', '=', code)
    .$if(captureId !== undefined, query => query.where('provider_payment.capture_id', '=', captureId ?? ''))
    .orderBy('provider_payment.created_at', 'desc')
    .orderBy('provider_payment.id')
    .limit(most)
    .execute()
}

/** The transaction of a movement; `undefined` where it is not in the provider's own records. */
export async function findTransactionOfPayment(db: ShopConnection, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_payment')
    .innerJoin('provider_order', 'provider_order.id', 'provider_payment.order_id')
    .select('provider_order.custom_id')
    .where('provider_payment.id', '=', id)
    .executeTakeFirst()
  return row?.custom_id
}

/** One movement. */
export function findProviderPayment(db: ShopConnection, id: string): Promise<ProviderPaymentRow | undefined> {
  return db.selectFrom('provider_payment').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds a movement and updates the order's state. */
export async function addMovement(
  db: ShopConnection,
  movement: ProviderPaymentRow,
  outcome: string,
): Promise<void> {
  await db.insertInto('provider_payment').values(movement).execute()
  await db.updateTable('provider_order').set({outcome}).where('id', '=', movement.order_id).execute()
}
