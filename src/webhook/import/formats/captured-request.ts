import type {Headers} from '../../event/headers.js'

/** The member that tells an event. */
export const EVENT_MEMBER = 'event_type'

/** A JSON object, read. */
export type ObjectMembers = Readonly<Record<string, unknown>>

/** A request to the webhook as a capture holds it. Its address carries a token and goes no further than this. */
export interface CapturedRequest {
  /** `undefined` where the capture does not say. */
  readonly method: string | undefined
  /** Address or path, `undefined` where the capture does not say. */
  readonly target: string | undefined
  readonly headers: Headers
  /** `undefined` where the capture holds none. */
  readonly body: Uint8Array | undefined
  /** The body, where it was read as JSON. */
  readonly members?: ObjectMembers | undefined
  readonly at?: Date | undefined
  /** How it was answered. */
  readonly answer?: CapturedAnswer | undefined
  /** Whether it is an event as the provider lists it, with how it was delivered. */
  readonly isListable?: boolean | undefined
  /** Whether a text came before: then it may be a stranger's, line end and all, and that the shop took it does not count. */
  readonly isBehindProse?: boolean | undefined
  /** Why the bytes may not be those that were sent. */
  readonly doubt?: string | undefined
}

export interface CapturedAnswer {
  readonly status: number
  /** The body of the answer, where it is known. */
  readonly body?: Uint8Array | undefined
  /** What a log says about it. */
  readonly reason?: string | undefined
}
