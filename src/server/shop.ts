import type {Database} from '../store/database.js'
import type {ShopTables} from '../store/shop/tables.js'

/** An open shop: what every route works on. */
export interface Shop {
  readonly db: Database<ShopTables>
  /** The shop's time, not the machine's. */
  now(): Date
  /** The path segment of the payment provider's webhook: `paypal`. */
  readonly provider: string
  /** What comes before `-token` in the webhook's query: `sw`. */
  readonly tokenPrefix: string
}
