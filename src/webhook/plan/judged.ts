import type {ShopVersions} from '../../shopware/versions/version-range.js'

/** What is to happen to an event. A held event is sent only if a flag releases its kind of hold. */
export const ACTIONS = ['send', 'skip', 'hold', 'invalid'] as const
export type Action = (typeof ACTIONS)[number]

/** Why an event is skipped or held. */
export const REASONS = [
  ...(['delivered', 'no-handler', 'resolved', 'already-applied', 'other-authorization'] as const),
  ...(['out-of-order', 'no-transaction', 'unknown-transaction', 'expired', 'unknown-result'] as const),
  ...(['blocked', 'in-flight', 'unverified', 'wrong-token', 'unknown-version', 'amount-differs'] as const),
  ...(['forged', 'other-provider'] as const),
] as const
export type Reason = (typeof REASONS)[number]

export interface Rules {
  /** Events older than this are held, milliseconds; `undefined` for any age. */
  readonly maxAgeMs: number | undefined
  /** Sends events that would move a transaction backwards, or are older than a delivered one. */
  readonly includeOutOfOrder: boolean
  /** Sends events whose sender nothing establishes. */
  readonly includeUnverified: boolean
  /** Sends events that came with a webhook token that is not the shop's. Absent in older runs and plans. */
  readonly includeWrongToken?: boolean | undefined
  /** Sends a payment's last capture although the captures do not add up to its amount. Absent in older plans. */
  readonly includeAmountDiffers?: boolean | undefined
  /** Compares the payment's state before and after; otherwise no state is read. */
  readonly checkState: boolean
  /** Sends delivered events too; after a shop was restored from a backup. */
  readonly includeDelivered: boolean
  /**
   * With `includeDelivered`: deliveries before this moment do not count, those since then do; milliseconds since 1970.
   * If it is unknown, none counts.
   */
  readonly countsSinceMs?: number | undefined
  /** With `includeDelivered`: deliveries of these runs count too, whatever the clocks of their machines. */
  readonly countsRuns?: readonly string[] | undefined
  /** Sends resolved events. */
  readonly includeResolved?: boolean
  /** Sends events that may have been applied, although no state shows it. */
  readonly includeUnknown: boolean
  /** The records were restored from a backup: events open there may have been delivered since. */
  readonly isRestored?: boolean | undefined
  /** Of the shop that events are sent to; forecasts depend on them. Absent in older runs. */
  readonly versions?: ShopVersions | undefined
  /** The profile's provider, whose events alone are sent. Absent for the default one. */
  readonly provider?: string | undefined
  /** The shop runs no flows and sends no e-mails for what the events change. */
  readonly skipFlows?: boolean | undefined
  /** An attempt that ended this long ago counts as not applied if the state did not change, milliseconds; absent: never. */
  readonly presumeLostAfterMs?: number | undefined
}

/** The decision about an event, and its reason. */
export interface Judged {
  readonly action: Action
  /** `null` if it is sent or invalid. */
  readonly reason: Reason | null
  /** A sentence for people; `null` if there is nothing to add. */
  readonly detail: string | null
  /** The state to which sending it leads, if known. */
  readonly leadsTo?: string
}

/** As printed in a count: `send`, `hold (out-of-order)`. */
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
