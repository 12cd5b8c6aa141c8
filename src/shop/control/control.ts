import type {ShopCounts} from '../store/counts.js'

/** What a running server says of itself, as it goes over the wire. */
export interface ServerReport {
  /** Of the program that runs it. */
  readonly version: string
  /** UTC. */
  readonly startedAt: string
  readonly provider: string
  readonly tokenPrefix: string
  readonly counts: ShopCounts
}
