import type {Traits} from '../../providers/traits.js'
import type {Cause} from './cause.js'
import type {EventStatus} from './event-status.js'
import type {Headers} from './headers.js'
import type {ArrivedWith, EventSender} from './sender.js'
import type {VerificationReason, VerificationResult} from './verification.js'

/** What is known of an event without its bytes. */
export interface EventHead {
  /** The provider's id; the same for every attempt to deliver it. */
  readonly id: string
  /** `PAYMENT.CAPTURE.COMPLETED`, … */
  readonly type: string
  /** The provider's own time; when it was received where the body has none. */
  readonly createdAt: Date
  readonly receivedAt: Date
  readonly resourceType: string | null
  readonly resourceVersion: string | null
  /** Events that share any of these belong to one payment and go one at a time. */
  readonly orderingKeys: readonly string[]
  readonly traits: Traits
  /** SHA-256 of the body, lower-case hex. */
  readonly sha256: string
  readonly sizeBytes: number
  /** Where it came from: `file events.ndjson`, `shop`. */
  readonly source: string
}

/** What is sent: the body byte for byte, and the provider's headers. */
export interface EventContent {
  readonly headers: Headers
  readonly body: Uint8Array
}

export type WebhookEvent = EventHead & EventContent

/** An event with what is known of its sender when it arrives. */
export type ArrivedEvent = WebhookEvent & {
  /** Default: `not-needed` where the provider's calls carry no token, else `unverified`. */
  readonly arrivedWith?: ArrivedWith | undefined
  /** SHA-256 of the webhook token that it came with, hex. */
  readonly tokenDigest?: string | undefined
  /** Whether the provider's own list has it, asked with the credentials of the profile. */
  readonly isListed?: boolean | undefined
}

/** An event in the inbox, with what became of it. */
export interface InboxEvent extends EventHead {
  readonly status: EventStatus
  /** HTTP status of the last answer. */
  readonly answer: number | null
  /** What was said, or what went wrong. */
  readonly message: string | null
  readonly attempts: number
  readonly changedAt: Date
  /** Whether another body came under the same id: which of them is true cannot be told. */
  readonly hasConflict: boolean
  /** Whether a capture may have been handing it on to the shop when this was read. */
  readonly isInFlight: boolean
  /** Who sent it, by what establishes it. */
  readonly sender: EventSender
  /** What checking its signature, or asking the provider, came to. */
  readonly verification: VerificationResult
  /** `null` where it is verified, or was not checked yet. */
  readonly verificationReason: VerificationReason | null
  /** Of the shop's order; `null` while its payment has not been looked up, or cannot be. */
  readonly orderNumber: string | null
  /** Who resolved it by hand; absent where it is not resolved, and in plans. */
  readonly resolution?: EventResolution | undefined
  /** As the last diagnosis found it; `null` where there was none since its last change. */
  readonly cause: Cause | null
}

/** Who resolved an event by hand. */
interface EventResolution {
  readonly at: Date
  readonly who: string
  readonly reason: string | null
  /** Id of the run; `null` where an earlier version resolved it. */
  readonly run: string | null
}

/** How a delivery went that somebody else made and wrote down. */
export interface ObservedDelivery {
  readonly status: Extract<EventStatus, 'delivered' | 'failed' | 'unknown'>
  /** HTTP status; `null` where nobody answered. */
  readonly answer: number | null
  readonly message: string | null
  readonly at: Date
}
