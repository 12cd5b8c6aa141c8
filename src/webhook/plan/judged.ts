import type {ShopVersions} from '../../shopware/versions/version-range.js'

/** What is to happen to an event. What is held is sent only where a flag releases holds of its kind. */
export type Action = 'send' | 'skip' | 'hold' | 'invalid'

/** Why an event is skipped or held. */
export type Reason =
  | 'delivered'
  | 'no-handler'
  | 'resolved'
  | 'already-applied'
  | 'other-authorization'
  | 'out-of-order'
  | 'no-transaction'
  | 'unknown-transaction'
  | 'expired'
  | 'unknown-result'
  | 'blocked'
  | 'in-flight'
  | 'unverified'
  | 'wrong-token'
  | 'unknown-version'
  | 'amount-differs'
  | 'forged'
  | 'other-provider'

export interface Rules {
  /** Events older than this are held, milliseconds; `undefined` for any age. */
  readonly maxAgeMs: number | undefined
  /** Sends what would move a transaction backwards, or is older than an event that was delivered. */
  readonly includeOutOfOrder: boolean
  /** Sends events of which nothing establishes the sender. */
  readonly includeUnverified: boolean
  /** Sends what came with a webhook token that is not the shop's. Absent in runs and plans of before. */
  readonly includeWrongToken?: boolean | undefined
  /** Sends the last capture of a payment although the captures do not add up to its amount. Absent in runs and plans of before. */
  readonly includeAmountDiffers?: boolean | undefined
  /** Compares the payment's state before and after; otherwise no state is read. */
  readonly checkState: boolean
  /** Sends what was delivered already; after a shop was restored from a backup. */
  readonly includeDelivered: boolean
  /**
   * With `includeDelivered`: deliveries before this moment do not count, those since then do; milliseconds since 1970.
   * Where it is not known, none counts.
   */
  readonly countsSinceMs?: number | undefined
  /** With `includeDelivered`: what these runs delivered counts too, whatever the clocks of their machines said. */
  readonly countsRuns?: readonly string[] | undefined
  /** Sends what was dealt with by hand. */
  readonly includeResolved?: boolean
  /** Sends what may have been applied although no state shows it. */
  readonly includeUnknown: boolean
  /** The records were restored from a backup: what is open there may have been delivered since. */
  readonly isRestored?: boolean | undefined
  /** Of the shop that events are sent to; forecasts depend on them. Absent in runs of before. */
  readonly versions?: ShopVersions | undefined
  /** The profile's word for the provider, whose events alone are sent. Absent for the default one. */
  readonly provider?: string | undefined
  /** The shop runs no flows and sends no e-mails for what the events change. */
  readonly skipFlows?: boolean | undefined
  /** An attempt that ended so long ago counts as not applied where the state did not change, milliseconds; never where absent. */
  readonly presumeLostAfterMs?: number | undefined
}

/** What was decided for an event, and why. */
export interface Judged {
  readonly action: Action
  /** `null` where it is sent or invalid. */
  readonly reason: Reason | null
  /** A sentence for people; `null` where there is nothing to add. */
  readonly detail: string | null
  /** The state that sending it leads to, where that is known. */
  readonly leadsTo?: string
}

/** As it is printed in a count: `send`, `hold (out-of-order)`. */
export function formatAction({action, reason}: Pick<Judged, 'action' | 'reason'>): string {
  return reason === null ? action : `${action} (${reason})`
}

/** Why an event is not sent, in a line: `out-of-order: it would go back to paid`. */
export function describeAction({action, reason, detail}: Judged): string {
  const name = reason ?? action
  return detail === null ? name : `${name}: ${detail}`
}

/** Holds an event. */
export function hold(reason: Reason, detail: string): Judged {
  return {action: 'hold', reason, detail}
}
