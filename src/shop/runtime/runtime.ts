import type {RowLocks} from '../../storage/engine/database.js'
import type {ShopConnection} from '../store/schema/schema.js'
import type {ShopDatabase} from '../store/schema/search-dialect.js'
import type {ServerLimits} from './limits.js'

/** What holds for a whole shop as long as it is open: its clock, its names, its limits. */
export interface ShopRuntime {
  /** The shop's time, not the machine's. */
  now(): Date
  /** The path segment of the payment provider's webhook: `paypal`. */
  readonly provider: string
  /** What comes before `-token` in the webhook's query: `sw`. */
  readonly tokenPrefix: string
  readonly limits: ServerLimits
}

/** What most rules need: the shop's database, and its time. */
export interface RuleDeps extends Pick<ShopRuntime, 'now'> {
  readonly db: ShopDatabase
}

/** A write that is under way, for rules that are a part of it. */
export interface OpenWrite extends Pick<ShopRuntime, 'now'> {
  readonly db: ShopConnection
  readonly rowLocks: RowLocks
}
