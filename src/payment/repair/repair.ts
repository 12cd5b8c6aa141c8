import type {DriftKind} from '../drift/drift.js'

/** How a payment that differs is repaired. */
export type Repair =
  /** A stored event is sent to the shop again. */
  | {readonly way: 'replay'; readonly event: string}
  /** The provider delivers an event again. */
  | {readonly way: 'resend'; readonly event: string}
  /** The shop is asked for a transition that it allows. */
  | {readonly way: 'transition'; readonly action: string; readonly movesBack: boolean}
  /** A person decides. */
  | {readonly way: 'by-hand'; readonly why: string}

/** One payment of a plan, with what its repair is based on. */
export interface PlannedRepair {
  readonly kind: DriftKind
  /** `null` where the shop knows none. */
  readonly transaction: string | null
  /** The provider's, where the shop has no such payment. */
  readonly orderNumber: string | null
  /** State in the shop, by then. */
  readonly state: string | null
  /** State that the repair leads to. */
  readonly expected: string | null
  readonly repair: Repair
  readonly detail: string
}

/** `replay WH-1`, `transition paid`, `by hand: …`. */
export function describeRepair(repair: Repair): string {
  switch (repair.way) {
    case 'replay':
    case 'resend':
      return `${repair.way} ${repair.event}`
    case 'transition':
      return `transition ${repair.action}${repair.movesBack ? ' (moves money back)' : ''}`
    case 'by-hand':
      return `by hand: ${repair.why}`
  }
}
