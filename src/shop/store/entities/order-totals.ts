import {type Kysely, type RawBuilder, sql} from 'kysely'
import {deriveStateId} from '../../runtime/base-data.js'
import type {ShopTables} from '../schema/schema.js'

type Db = Kysely<ShopTables>

/** One statement takes so many ids and no more and no more. */
const IDS_AT_ONCE = 500

/**
 * Brings what customers know of their orders up to date: how many, what they came to, the last one's moment. Cancelled
 * orders do not count; customers may have none any more.
 */
export async function countOrdersOf(db: Db, customerIds: readonly string[]): Promise<void> {
  for (const ids of splitIds(customerIds)) {
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

/** The same for everybody who is said to have ordered. */
export async function updateAllOrderTotals(db: Db): Promise<void> {
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
 * Who ordered, each once.
 *
 * @param column whether the ids are those of orders or of the customers as they were when they ordered
 */
export async function listOrderingCustomers(
  db: Db,
  column: 'order_id' | 'id',
  ids: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const group of splitIds(ids)) {
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

function splitIds(ids: readonly string[]): string[][] {
  const groups = Math.ceil(ids.length / IDS_AT_ONCE)
  return Array.from({length: groups}, (_, index) => ids.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE))
}
