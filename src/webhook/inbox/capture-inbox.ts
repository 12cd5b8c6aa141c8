import type {WebhookEvent} from '../event/event.js'
import type {EventStatus} from '../event/event-status.js'
import type {ArrivedWith} from '../event/sender.js'

/** The message of an event until its answer is stored. */
export const BEING_HANDED_ON = 'forwarded to the shop; no response was recorded'

/** An event as a capture received it, to be stored before anything else happens. */
export interface Arrival {
  readonly event: WebhookEvent
  /** For how long it counts as in flight unless renewed, milliseconds from now; `null` if it is only stored. */
  readonly busyMs: number | null
  /** `BEING_HANDED_ON` if it is forwarded; otherwise, why the result of a call is unknown. */
  readonly message: string | null
  /** What it came with. */
  readonly arrivedWith: ArrivedWith
  /** SHA-256 of the webhook token that it came with, hex. */
  readonly tokenDigest?: string | undefined
  /** Whether a new event may be stored; an existing one stays. */
  readonly hasRoom: boolean
}

/** How the inbox stored an arrival. */
export interface Kept {
  /**
   * The id it is stored under: the event's own; if that belongs to another body, the id with a part of the hash, so that
   * both are stored.
   */
  readonly id: string
  /** Whether it was there already, with the same body. */
  readonly isKnown: boolean
  /** Whether it was delivered before. */
  readonly wasDelivered: boolean
  /** Whether the result of an earlier attempt is unknown: a later failure does not settle it. */
  readonly wasInDoubt: boolean
  /** Until when it counts as in flight, milliseconds since 1970; `null` if it does not. Unique for each call. */
  readonly inFlightUntilMs: number | null
}

/** The result of forwarding an event. */
export interface HandedOn {
  readonly id: string
  /** As stored with the call: an event with another call under way stays in flight. */
  readonly inFlightUntilMs: number | null
  readonly status: Extract<EventStatus, 'delivered' | 'failed' | 'unknown'>
  /** HTTP status of the shop's answer; `null` when there was none. */
  readonly answer: number | null
  readonly message: string | null
  readonly at: Date
  /** The sender's evidence in the call, and in the shop's answer. */
  readonly arrivedWith: ArrivedWith
  /** Whether the event existed before the call: then an unproven call changes nothing about it, and is stored beside it. */
  readonly isKnown?: boolean | undefined
}

/**
 * The source whose position records calls that were not stored: their number, and the time of the last, milliseconds
 * since 1970.
 */
export const NOT_STORED = 'capture: calls that were not stored'

/** Older calls that were not stored no longer matter: the provider retries a call for three days. */
const NOT_STORED_LASTS_MS = 7 * 86_400_000

/** How many calls were not stored lately. @param position of the source `NOT_STORED` */
export function readNotStored(position: string | undefined, now: Date): number {
  const [calls = 0, lastMs = 0] = (position ?? '').split(' ').map(Number)
  return now.getTime() - lastMs <= NOT_STORED_LASTS_MS ? calls : 0
}

/** The note about calls that were not stored lately. @param position of the source `NOT_STORED` */
export function describeNotStored(position: string | undefined, now: Date): string | undefined {
  const calls = readNotStored(position, now)
  if (calls === 0) return undefined
  return `${calls} ${calls === 1 ? 'call' : 'calls'} without a known token could not be stored by webhook capture: --max-disk was reached`
}

/** The heartbeat of a capture. */
export interface CaptureNote {
  startedAt: Date
  /** When the last call came; `null` before the first. */
  lastCallAt: Date | null
  /** `null` until it ends; a killed one never does. */
  endedAt: Date | null
}

/** The same as it is stored, with its process. */
export interface CaptureHeartbeat extends Readonly<CaptureNote> {
  readonly host: string
  readonly pid: number
  /** When the process began, in the system's own terms. */
  readonly processStart: string
  readonly heartbeatAt: Date
}

/** Live and recent captures. */
export interface CaptureHeartbeats {
  /** Stores a heartbeat of this process's capture for the shop, by the clock of the records. */
  writeHeartbeat(target: string, note: Readonly<CaptureNote>, at: Date): Promise<void>
  /** The captures of the last week, the one with the newest heartbeat first. */
  listHeartbeats(target: string): Promise<CaptureHeartbeat[]>
}

/** What a capture stores. */
export interface CaptureInbox extends EventCapture, CaptureHeartbeats {}

/** Until when an event counts as in flight, as `Kept` has it. */
export interface LeaseTerm {
  readonly id: string
  readonly untilMs: number
}

/** The inbox of one shop, as a capture writes it. Every write is durable once its promise resolves. */
export interface EventCapture {
  /**
   * Stores an event once: `unknown` until the shop answers, or `pending` if it is only stored. A delivered or resolved
   * event stays so. Of two bodies under one id, the stronger sender's has the id, and the other is stored beside it,
   * marked; equal ones are both marked. An unproven sender's event changes nothing about an existing one.
   *
   * @returns `no-room` for a new event if there is none
   */
  take(target: string, arrival: Arrival): Promise<Kept | 'no-room'>
  /**
   * Stores the result of forwarding an event, as one more attempt. A delivered or resolved event does not become failed,
   * and the answer to an unproven call changes no event whose sender was proven meanwhile.
   */
  storeResult(target: string, handedOn: HandedOn): Promise<void>
  /**
   * Extends the time in flight of events.
   *
   * @param ms from now
   * @returns the new end for each, `undefined` if another call has taken it over since or it is over
   */
  renewLeases(
    target: string,
    terms: readonly LeaseTerm[],
    ms: number,
  ): Promise<readonly (LeaseTerm | undefined)[]>
  /**
   * How much is stored from a source.
   *
   * @param rowBytes size of an event without body and headers
   * @returns bytes
   */
  countBytes(target: string, source: string, rowBytes: number): Promise<number>
  /** Adds to the number of calls that were not stored, which restarts at 0 after a week without any. */
  noteNotStored(target: string, calls: number, at: Date): Promise<void>
  /** Counts of events by status; a status without events is absent. */
  countByStatus(target: string): Promise<Map<string, number>>
  /**
   * The run that has an event of a payment in flight; an event that it asked the provider to resend may pass.
   *
   * @param transaction the payment's key
   * @param eventId of the arriving event
   */
  findReplay(target: string, transaction: string, eventId: string): Promise<string | undefined>
  /** Tests whether the database can be written. */
  tryToWrite(): Promise<void>
}

/**
 * Turns for forwarding events of a payment, shared by all captures of an inbox. Each turn expires, so that a killed
 * capture blocks nobody forever.
 */
export interface Turns {
  /**
   * Takes all of the keys, or none.
   *
   * @param holder unique
   * @param ms duration of the turn, by the database's clock
   * @returns whether they were free
   */
  take(target: string, keys: readonly string[], holder: string, ms: number): Promise<boolean>
  leave(target: string, holder: string): Promise<void>
}
