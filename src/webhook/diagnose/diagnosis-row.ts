import type {Money} from '../../language/amount-totals.js'
import type {Traits} from '../../providers/traits.js'
import type {Cause} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownDrift} from './known-drift.js'
import type {Diagnosis} from './remedies.js'

/** Why one event is where it is. Keys are stable. */
export interface DiagnosisRow {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly answer: number | null
  /** What the shop's answer said. */
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
  /** How its payment differed from the provider when it was compared the last time. */
  readonly drift: KnownDrift | null
  /** What sending it would come to, where only its unknown sender holds it: `would apply`, `already paid`. */
  readonly ifSent: string | null
  readonly [key: string]: unknown
}

/** Events of one cause, which have one remedy. Keys are stable. */
export interface CauseGroup {
  readonly cause: Cause
  readonly count: number
  /** What they are worth, by currency; empty where no amount is known. */
  readonly amounts: readonly Money[]
  /** When the provider created the first and the last of them; UTC, ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** One of them in full. */
  readonly example: DiagnosisRow
  readonly remedy: DiagnosisRow['remedy']
  /** True of all of them. */
  readonly detail: string
  /** The command for all of them. */
  readonly next: string | null
  /** Events whose payment differed from the provider when it was compared the last time. */
  readonly differ: number
  /** How one of those payments differed. */
  readonly drift: KnownDrift | null
  /** Events by what sending them would come to, where only their unknown senders hold them; empty elsewhere. */
  readonly ifSent: Readonly<Record<string, number>>
  readonly [key: string]: unknown
}
