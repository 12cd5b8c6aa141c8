/** One HTTP call to a base URL. */
export interface Call {
  readonly method: string
  /** Relative to the base URL, with its query: `/api/search/customer`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array | Pieces
  /** Cuts the call short; reads pass the interruption's signal, writes do not. */
  readonly signal?: AbortSignal
  /** How long an answer may be that is kept; `usual` unless said. What is taken as it comes may be of any length. */
  readonly answer?: keyof typeof ANSWER_BYTES
  /** Takes the body of an answer below 300 as it comes, instead of it being kept. */
  readonly receive?: Receive
}

/** A body that is read while it is sent, each time from its beginning. */
export interface Pieces {
  readonly sizeBytes: number
  read(): AsyncIterable<Uint8Array>
}

/** What takes an answer as it comes. What it throws ends the call. */
export interface Receive {
  take(arriving: Arriving): Promise<void>
  /** Ends the taking, with its reason; what was called for has happened by then. */
  readonly signal: AbortSignal
}

/** An answer whose body is on its way. */
export interface Arriving extends Pick<HttpResponse, 'status' | 'headers'> {
  /** No faster than they are taken; throws StorectlError `unavailable.cut_off` when the body ends too soon. */
  readonly pieces: AsyncIterable<Uint8Array>
}

/** What was answered, whole. Header names are lower-case. A body that was taken as it came is empty here. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Of a body that was taken as it came. */
  readonly takenBytes?: number
}

/**
 * Makes calls to one base URL. It answers with whatever status came back, redirects included: none is followed.
 *
 * Throws StorectlError, told apart by `code`: `unavailable.not_connected` when nothing was sent, `unavailable.no_tls`
 * when that stays so until somebody sees to it, `unavailable.no_answer` when the call may have been received and applied, `unavailable.cut_off` when an answer that is
 * taken as it comes broke off; Stopped when `signal` fired.
 */
export interface HttpClient {
  readonly baseUrl: URL
  call(call: Call): Promise<HttpResponse>
}

/** Commands that mend a sign-in that was refused, made for the place that refused it. */
export interface SignInFixes {
  /** Signs in again, or gives the environment another secret. */
  readonly signIn: string
  /** Has the same place looked for at another base URL. */
  readonly atUrl: (url: string) => string
  /** Gives a gate the user and password that it asks for; they come from standard input. */
  readonly basicAuth: string
  /** Gives a gate a header of its own. */
  readonly header: string
}

const MIB = 1024 * 1024

/** The longest answers that are kept, bytes. */
export const ANSWER_BYTES = {
  /** A token, a sent event or order: an acknowledgement or an error. */
  short: MIB,
  /** Anything else. */
  usual: 16 * MIB,
  /** A page of 500 with associations, a shop's whole description. */
  page: 128 * MIB,
} as const
