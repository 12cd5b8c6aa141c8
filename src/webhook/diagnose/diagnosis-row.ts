import type {Money} from '../../language/amount-totals.js'
import type {Traits} from '../../providers/traits.js'
import type {Cause} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownDrift} from './known-drift.js'
import type {Diagnosis} from './remedies.js'

/** The diagnosis of one event. Keys are stable. */
export interface DiagnosisRow {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly answer: number | null
  /** The text of the shop's answer. */
  readonly message: string | null
  readonly transaction: string | null
  readonly cause: Cause
  readonly remedy: Diagnosis['remedy']
  readonly detail: string
  readonly evidence: readonly string[]
  readonly sender: InboxEvent['sender']
  readonly next: string | null
  /** UTC, ISO 8601. */
  readonly createdAt: string
  readonly amount: Traits['amount'] | null
  readonly orderNumber: string | null
  /** How its payment differed from the provider in the last comparison. */
  readonly drift: KnownDrift | null
  /** What sending it would do, if only its unknown sender holds it: `would apply`, `already paid`. */
  readonly ifSent: string | null
  readonly [key: string]: unknown
}

/** Events of one cause, which have one remedy. Keys are stable. */
export interface CauseGroup {
  readonly cause: Cause
  readonly count: number
  /** Their amounts by currency; empty if none is known. */
  readonly amounts: readonly Money[]
  /** When the provider created the first and the last of them; UTC, ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** One of them in full. */
  readonly example: DiagnosisRow
  readonly remedy: DiagnosisRow['remedy']
  /** Applies to all of them. */
  readonly detail: string
  /** The command for all of them. */
  readonly next: string | null
  /** Events whose payment differed from the provider in the last comparison. */
  readonly differ: number
  /** How one of those payments differed. */
  readonly drift: KnownDrift | null
  /** Events by what sending them would do, if only their unknown senders hold them; else empty. */
  readonly ifSent: Readonly<Record<string, number>>
  readonly [key: string]: unknown
}
