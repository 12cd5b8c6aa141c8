import {type RawBuilder, sql} from 'kysely'
import {deriveStateId} from '../../runtime/base-data.js'
import type {ShopConnection} from '../schema/schema.js'
import {cutList} from '../schema/sql.js'

/** Ids in one statement. */
const IDS_AT_ONCE = 500

/**
 * Updates the order totals of customers: number, amount, and time of the last order. Cancelled orders do not count;
 * customers may have none left.
 */
export async function countOrdersOf(db: ShopConnection, customerIds: readonly string[]): Promise<void> {
  for (const ids of cutList(customerIds, IDS_AT_ONCE)) {
    await sql`
      update customer
      set (order_count, order_total_amount, last_order_date) = (
        select ${TOTALS}
        from order_customer c join "order" o on o.id = c.order_id
        where c.customer_id = customer.id and ${isCountedInTotals()}
      )
      where id in (${sql.join(ids)})`.execute(db)
  }
}

/** The same for all customers with order totals. */
export async function updateAllOrderTotals(db: ShopConnection): Promise<void> {
  for (let after = ''; ; ) {
    const {rows} = await sql<{id: string}>`
      select id from customer where id > ${after} and order_count > 0 order by id limit ${IDS_AT_ONCE}`.execute(
      db,
    )
    const last = rows.at(-1)
    if (!last) return
    await countOrdersOf(
      db,
      rows.map(({id}) => id),
    )
    after = last.id
  }
}

/**
 * The customers of orders, each once.
 *
 * @param column whether the ids are those of orders or of `order_customer` rows
 */
export async function listOrderingCustomers(
  db: ShopConnection,
  column: 'order_id' | 'id',
  ids: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const group of cutList(ids, IDS_AT_ONCE)) {
    const {rows} = await sql<{customer_id: string}>`
      select distinct customer_id from order_customer
      where customer_id is not null and ${sql.ref(column)} in (${sql.join(group)})`.execute(db)
    for (const {customer_id} of rows) found.add(customer_id)
  }
  return [...found]
}

const TOTALS = sql`count(*) as orders, coalesce(round(sum(o.amount_total) * 100) / 100, 0) as amount,
  max(o.order_date_time) as last_at`

function isCountedInTotals(): RawBuilder<boolean> {
  return sql<boolean>`o.state_id <> ${deriveStateId('order.state', 'cancelled')}`
}
