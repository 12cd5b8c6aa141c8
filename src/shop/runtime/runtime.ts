import type {FaultList} from '../faults/active-faults.js'
import type {EntityModel} from '../model/entities/entities.js'
import type {AccessTokens} from '../oauth/access-tokens.js'
import type {Throttle} from '../oauth/throttle.js'
import type {PlainWriters} from '../search/response/response.js'
import type {ShopStore} from '../store/store.js'
import type {ServerLimits} from './limits.js'

/** An open shop: what every route works on. */
export interface Shop {
  readonly store: ShopStore
  readonly model: EntityModel
  readonly accessTokens: AccessTokens
  readonly throttle: Throttle
  readonly plainWriters: PlainWriters
  /** The shop's time, not the machine's. */
  now(): Date
  /** The path segment of the payment provider's webhook: `paypal`. */
  readonly provider: string
  /** What comes before `-token` in the webhook's query: `sw`. */
  readonly tokenPrefix: string
  readonly limits: ServerLimits
  /** About the server that others find this shop by; absent inside a command. */
  readonly listening?: {
    /** Of the program that runs it. */
    readonly version: string
    /** UTC. */
    readonly startedAt: string
  }
  /** What to rehearse; also strikes where the shop asks the payment provider. */
  readonly faults?: FaultList
}
