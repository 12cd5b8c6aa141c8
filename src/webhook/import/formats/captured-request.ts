import type {Headers} from '../../event/headers.js'

/** The member that identifies an event. */
export const EVENT_MEMBER = 'event_type'

/** A JSON object, read. */
export type ObjectMembers = Readonly<Record<string, unknown>>

/** A request to the webhook as a captured file has it. Its address carries a token and goes no further than this. */
export interface CapturedRequest {
  /** `undefined` where the capture does not say. */
  readonly method: string | undefined
  /** Address or path, `undefined` where the capture does not say. */
  readonly target: string | undefined
  readonly headers: Headers
  /** `undefined` where the capture holds none. */
  readonly body: Uint8Array | undefined
  /** The body, if it was parsed as JSON. */
  readonly members?: ObjectMembers | undefined
  readonly at?: Date | undefined
  /** How it was answered. */
  readonly answer?: CapturedAnswer | undefined
  /** Whether it is an event as the provider lists it, with how it was delivered. */
  readonly isListable?: boolean | undefined
  /** Whether a text came before: then a stranger may have written it, and a success of the shop does not count. */
  readonly isBehindProse?: boolean | undefined
  /** Why these may not be the bytes that were sent. */
  readonly doubt?: string | undefined
}

export interface CapturedAnswer {
  readonly status: number
  /** The body of the answer, where it is known. */
  readonly body?: Uint8Array | undefined
  /** What a log says about it. */
  readonly reason?: string | undefined
}
