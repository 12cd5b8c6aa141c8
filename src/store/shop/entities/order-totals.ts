import {type Kysely, sql} from 'kysely'
import type {ShopTables} from '../tables.js'

/** Brings what customers know of their orders up to date: how many, what they came to, the last one's moment. */
export async function countOrdersOfCustomers(db: Kysely<ShopTables>): Promise<void> {
  await sql`
    update customer
    set order_count = totals.orders, order_total_amount = totals.amount, last_order_date = totals.last_at
    from (
      select c.customer_id, count(*) as orders, round(sum(o.amount_total) * 100) / 100 as amount,
        max(o.order_date_time) as last_at
      from order_customer c join "order" o on o.id = c.order_id
      where c.customer_id is not null
      group by c.customer_id
    ) as totals
    where customer.id = totals.customer_id`.execute(db)
}
