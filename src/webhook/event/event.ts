import type {Traits} from '../../providers/traits.js'
import type {Cause} from './cause.js'
import type {EventStatus} from './event-status.js'
import type {Headers} from './headers.js'
import type {ArrivedWith, EventSender} from './sender.js'
import type {VerificationReason, VerificationResult} from './verification.js'

/** What is known about an event without its bytes. */
export interface EventHead {
  /** The provider's id; the same for every attempt to deliver it. */
  readonly id: string
  /** `PAYMENT.CAPTURE.COMPLETED`, … */
  readonly type: string
  /** The provider's own time; the time of receipt if the body has none. */
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

/** An event with what is known about its sender on arrival. */
export type ArrivedEvent = WebhookEvent & {
  /** Default: `not-needed` if the provider's calls carry no token, else `unverified`. */
  readonly arrivedWith?: ArrivedWith | undefined
  /** SHA-256 of the webhook token that it came with, hex. */
  readonly tokenDigest?: string | undefined
  /** Whether the provider's own list has it, asked with the credentials of the profile. */
  readonly isListed?: boolean | undefined
}

/** An event in the inbox, with its status. */
export interface InboxEvent extends EventHead {
  readonly status: EventStatus
  /** HTTP status of the last answer. */
  readonly answer: number | null
  /** The text of the answer, or what went wrong. */
  readonly message: string | null
  readonly attempts: number
  readonly changedAt: Date
  /** Whether another body came under the same id: which of them is genuine is unknown. */
  readonly hasConflict: boolean
  /** Whether a capture may have been forwarding it when this was read. */
  readonly isInFlight: boolean
  /** Who sent it, or what establishes that. */
  readonly sender: EventSender
  /** The result of checking its signature, or of asking the provider. */
  readonly verification: VerificationResult
  /** `null` if it is verified, or was not checked yet. */
  readonly verificationReason: VerificationReason | null
  /** Of the shop's order; `null` while its payment has not been looked up, or cannot be. */
  readonly orderNumber: string | null
  /** Who resolved it by hand; absent if it is not resolved, and in plans. */
  readonly resolution?: EventResolution | undefined
  /** From the last diagnosis; `null` if there was none since its last change. */
  readonly cause: Cause | null
}

/** Who resolved an event by hand. */
interface EventResolution {
  readonly at: Date
  readonly who: string
  readonly reason: string | null
  /** Id of the run; `null` if an earlier version resolved it. */
  readonly run: string | null
}

/** A delivery by somebody else, as recorded by them. */
export interface ObservedDelivery {
  readonly status: Extract<EventStatus, 'delivered' | 'failed' | 'unknown'>
  /** HTTP status; `null` without an answer. */
  readonly answer: number | null
  readonly message: string | null
  readonly at: Date
}
