import type {ProviderMovement, ShopTransaction} from './payment-facts.js'

/** The ways in which a payment may differ between shop and provider. */
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
  /** The attempt that it is about: the one with the money, or the live one; `undefined` if the shop has none. */
  readonly transaction: ShopTransaction | undefined
  /** Technical name of the state that matches the provider's side; `undefined` if no state does. */
  readonly expected: string | undefined
  /** Both sides, in a sentence. */
  readonly detail: string
}

/** Sums of the provider's side, smallest units. */
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
  /** Whether the report has an open dispute. */
  readonly isDisputed: boolean
  /** ISO 4217, of all movements of money. */
  readonly currencies: ReadonlySet<string>
}
