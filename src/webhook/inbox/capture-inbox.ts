import type {WebhookEvent} from '../event/event.js'
import type {EventStatus} from '../event/event-status.js'
import type {ArrivedWith} from '../event/sender.js'

/** What is said of an event until its answer is written down. */
export const BEING_HANDED_ON = 'forwarded to the shop; no response was recorded'

/** An event as a capture got it, to be written down before anything else is done with it. */
export interface Arrival {
  readonly event: WebhookEvent
  /** For how long it counts as in flight unless that is renewed, milliseconds from now; `null` when it only is to be kept. */
  readonly busyMs: number | null
  /** `BEING_HANDED_ON` where it is forwarded: what stands there otherwise says that nobody knows what came of a call. */
  readonly message: string | null
  /** What it came with. */
  readonly arrivedWith: ArrivedWith
  /** SHA-256 of the webhook token that it came with, hex. */
  readonly tokenDigest?: string | undefined
  /** Whether a new event may be put in; one that is there stays there. */
  readonly hasRoom: boolean
}

/** What the inbox made of an arrival. */
export interface Kept {
  /**
   * The id it is kept under: the event's own; where that belongs to another body, one that has a part of the hash added,
   * so that both are there.
   */
  readonly id: string
  /** Whether it was there already, with the same body. */
  readonly isKnown: boolean
  /** Whether it was delivered before. */
  readonly wasDelivered: boolean
  /** Whether nobody knows what came of an earlier attempt: a later one that fails does not tell. */
  readonly wasInDoubt: boolean
  /** Until when it counts as in flight, milliseconds since 1970; `null` where it does not. No two calls have the same. */
  readonly inFlightUntilMs: number | null
}

/** What came of handing an event on. */
export interface HandedOn {
  readonly id: string
  /** As the call was stored with: an event of which another call is on its way stays in flight. */
  readonly inFlightUntilMs: number | null
  readonly status: Extract<EventStatus, 'delivered' | 'failed' | 'unknown'>
  /** HTTP status of the shop's answer; `null` when there was none. */
  readonly answer: number | null
  readonly message: string | null
  readonly at: Date
  /** What the call came with, by the shop's answer too. */
  readonly arrivedWith: ArrivedWith
  /** Whether the event was there before the call: then what nobody vouches for changes nothing of it, and stands beside. */
  readonly isKnown?: boolean | undefined
}

/**
 * The source under which the inbox keeps how many calls were not stored, as its position: their number, and when the last
 * of them came, milliseconds since 1970.
 */
export const NOT_STORED = 'capture: calls that were not stored'

/** Calls that were not stored so long ago concern nobody: the provider sends a call again for three days. */
const NOT_STORED_LASTS_MS = 7 * 86_400_000

/** How many calls were not stored lately. @param position of the source `NOT_STORED` */
export function readNotStored(position: string | undefined, now: Date): number {
  const [calls = 0, lastMs = 0] = (position ?? '').split(' ').map(Number)
  return now.getTime() - lastMs <= NOT_STORED_LASTS_MS ? calls : 0
}

/** What a person is told of calls that were not stored lately. @param position of the source `NOT_STORED` */
export function describeNotStored(position: string | undefined, now: Date): string | undefined {
  const calls = readNotStored(position, now)
  if (calls === 0) return undefined
  return `${calls} ${calls === 1 ? 'call' : 'calls'} without a known token could not be stored by webhook capture: --max-disk was reached`
}

/** What a capture notes of itself again and again. */
export interface CaptureNote {
  startedAt: Date
  /** When the last call came; `null` before the first. */
  lastCallAt: Date | null
  /** `null` until it ends; one that was killed never does. */
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

/** Captures that live, and those that did lately. */
export interface CaptureHeartbeats {
  /** Notes that this process captures for the shop, by the clock of the records. */
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

/** The inbox of one shop as a capture fills it. Every write is durable once its promise resolves. */
export interface EventCapture {
  /**
   * Writes an event down, each once: `unknown` until the shop's answer has been, or `pending` where it is only kept. What
   * was delivered or resolved stays so. Of two bodies under one id the one of the stronger sender has the id, and the other
   * is stored beside it, marked; equal ones are both marked. An event of a sender that proves nothing changes nothing of
   * one that is there.
   *
   * @returns `no-room` for a new event where there is none
   */
  take(target: string, arrival: Arrival): Promise<Kept | 'no-room'>
  /**
   * Writes down what came of an event: one more attempt. What was delivered or resolved does not fail again, and an answer
   * to a call that proved nothing changes no event that somebody else has proven meanwhile.
   */
  storeResult(target: string, handedOn: HandedOn): Promise<void>
  /**
   * Leaves events in flight for longer.
   *
   * @param ms from now
   * @returns for each of them its new term, `undefined` where another call has taken it up since or it is over
   */
  renewLeases(
    target: string,
    terms: readonly LeaseTerm[],
    ms: number,
  ): Promise<readonly (LeaseTerm | undefined)[]>
  /**
   * How much is stored of what a source sent.
   *
   * @param rowBytes what each event takes beside body and headers
   * @returns bytes
   */
  countBytes(target: string, source: string, rowBytes: number): Promise<number>
  /** Adds to the number of calls that were not stored, which begins anew when there were none for a week. */
  noteNotStored(target: string, calls: number, at: Date): Promise<void>
  /** How many events there are of each status; a status that none has is absent. */
  countByStatus(target: string): Promise<Map<string, number>>
  /**
   * Whether a replay has an event of a payment on its way; what it asked the provider to send is not kept from coming.
   *
   * @param transaction what names the payment
   * @param eventId of the event that came
   */
  isReplayed(target: string, transaction: string, eventId: string): Promise<boolean>
  /** Writes something that does not matter, to see whether anything can be written. */
  tryToWrite(): Promise<void>
}

/**
 * Whose turn it is to hand on events of a payment, over all captures that share an inbox. Each holds for a while only, so
 * that one that went away keeps nobody waiting for ever.
 */
export interface Turns {
  /**
   * Takes all of the keys, or none.
   *
   * @param holder nobody else's
   * @param ms how long it may hold them, by the database's clock
   * @returns whether they were free
   */
  take(target: string, keys: readonly string[], holder: string, ms: number): Promise<boolean>
  leave(target: string, holder: string): Promise<void>
}
