import type {ProviderMovement, ShopTransaction} from './payment-facts.js'

/** The ways in which a payment of the shop is not as the provider has it. */
export const DRIFT_KINDS = [
  'unclear',
  'disputed',
  'capture-missed',
  'refund-missed',
  'partial-missed',
  'cancelled-late',
  'cancelled-at-provider',
  'amount-differs',
  'captured-twice',
  'unknown-at-provider',
  'unknown-in-shop',
  'pending',
  'authorization-expiring',
  'refund-owed',
] as const

export type DriftKind = (typeof DRIFT_KINDS)[number]

/** One payment that differs. */
export interface Drift {
  readonly kind: DriftKind
  /** The attempt that it is about: the one with the money, or the live one; `undefined` where the shop has none. */
  readonly transaction: ShopTransaction | undefined
  /** State that goes with what the provider has, by its technical name; `undefined` where no state of the shop does. */
  readonly expected: string | undefined
  /** What the two have, in a sentence. */
  readonly detail: string
}

/** Sums over what the provider has, smallest units. */
export interface ProviderSums {
  /** Captured and not held back. */
  readonly captured: number
  readonly refunded: number
  readonly captures: readonly ProviderMovement[]
  /** What is left of each capture after its refunds; only captures with something left. */
  readonly kept: readonly number[]
  readonly pending: readonly ProviderMovement[]
  readonly hasDeclined: boolean
  /** Authorizations that were neither voided nor declined. */
  readonly authorizations: readonly ProviderMovement[]
  /** A dispute is open, as far as the report says. */
  readonly isDisputed: boolean
  /** ISO 4217, of all movements of money. */
  readonly currencies: ReadonlySet<string>
}
