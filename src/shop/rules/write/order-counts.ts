import type {Kysely} from 'kysely'
import type {Shop} from '../../runtime/runtime.js'
import type {ShopTables} from '../../store/schema/schema.js'

/** What a write touches, by the name of its kind. */
export type Touched = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Does a write, as part of the caller's, and brings up to date what customers know of their orders when it touches
 * any: how many there are, what they came to, when the last one was.
 */
export async function withOrderCounts(
  touched: Touched,
  {store}: Pick<Shop, 'store'>,
  db: Kysely<ShopTables>,
  write: () => Promise<void>,
): Promise<void> {
  const orders = [...(touched.get('order') ?? [])]
  const buyers = [...(touched.get('order_customer') ?? [])]
  if (orders.length === 0 && buyers.length === 0) return write()
  const {whoOrdered, countOrdersOf} = store.entities
  const customers = async () => [
    ...(await whoOrdered(db, 'order_id', orders)),
    ...(await whoOrdered(db, 'id', buyers)),
  ]
  const before = await customers()
  await write()
  const touchedNow = new Set([...before, ...(await customers())])
  await countOrdersOf(db, [...touchedNow], store.db.locks.forUpdate)
}
