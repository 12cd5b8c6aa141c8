import type {Money} from '../../language/amount-totals.js'
import type {DriftKind} from '../drift/drift.js'

/** How a payment that differs is repaired. */
export type Repair =
  /** A stored event is sent to the shop again. */
  | {
      readonly way: 'replay'
      readonly event: string
      /** SHA-256 of its body, lower-case hex. */
      readonly sha256: string
    }
  /** The provider delivers an event again. */
  | {readonly way: 'resend'; readonly event: string}
  /** The shop is asked for a transition that it allows; which one follows from its state machine at that moment. */
  | {readonly way: 'transition'; readonly action: string}
  /** A person decides. */
  | {readonly way: 'by-hand'; readonly why: string}

/** One payment of a plan, with what its repair is based on. */
export interface PlannedRepair {
  readonly kind: DriftKind
  /** `null` if the shop has none. */
  readonly transaction: string | null
  /** The provider's, if the shop has no such payment. */
  readonly orderNumber: string | null
  /** The amount due; `null` if the shop has no such payment. */
  readonly amount: Money | null
  /** State in the shop at that time. */
  readonly state: string | null
  /** State to which the repair leads. */
  readonly expected: string | null
  /** Orders of the provider, so that it can be looked up if the shop names none. */
  readonly providerOrders: readonly string[]
  readonly repair: Repair
  readonly detail: string
}

/** Whether a payment moves backwards in the shop: the provider has no money for it. Only the kind decides. */
export function movesBack({kind}: Pick<PlannedRepair, 'kind'>): boolean {
  return kind === 'unknown-at-provider'
}

/** `replay WH-1`, `transition paid`, `by hand: …`. */
export function describeRepair({kind, repair}: Pick<PlannedRepair, 'kind' | 'repair'>): string {
  switch (repair.way) {
    case 'replay':
    case 'resend':
      return `${repair.way} ${repair.event}`
    case 'transition':
      return `transition ${repair.action}${movesBack({kind}) ? ' (moves money back)' : ''}`
    case 'by-hand':
      return `by hand: ${repair.why}`
  }
}

/** What the journal stores about a payment besides its result, for reports. */
export function listPaymentFacts({orderNumber, amount}: PlannedRepair): Readonly<Record<string, unknown>> {
  return {
    ...(orderNumber === null ? {} : {order: orderNumber}),
    ...(amount === null ? {} : {amount}),
  }
}
