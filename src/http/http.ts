/** One HTTP call to a base URL. */
export interface Call {
  readonly method: string
  /** Relative to the base URL, with its query: `/api/search/customer`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array | Pieces
  /** Aborts the call; reads pass the interruption's signal, writes do not. */
  readonly signal?: AbortSignal
  /** Longest response that is kept, default `usual`. A streamed response may be of any length. */
  readonly answer?: keyof typeof ANSWER_BYTES
  /** Consumes the body of a response below 300 as a stream, which is then not kept. */
  readonly receive?: Receive
}

/** A streamed body; each call reads it from the beginning. */
export interface Pieces {
  readonly sizeBytes: number
  read(): AsyncIterable<Uint8Array>
}

/** Consumes a response as a stream. An error that it throws ends the call. */
export interface Receive {
  take(arriving: Arriving): Promise<void>
  /** Ends the stream with its reason; by then the shop has done what the call asked for. */
  readonly signal: AbortSignal
}

/** A response whose body is still arriving. */
export interface Arriving extends Pick<HttpResponse, 'status' | 'headers'> {
  /** With backpressure; throws StorectlError `unavailable.cut_off` when the body ends too soon. */
  readonly pieces: AsyncIterable<Uint8Array>
}

/** A whole response. Header names are lower-case. A streamed body is empty here. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Length of a streamed body. */
  readonly takenBytes?: number
}

/**
 * Makes calls to one base URL. It returns responses of any status, and follows no redirect.
 *
 * Throws StorectlError, told apart by `code`: `unavailable.not_connected` when nothing was sent, `unavailable.no_tls`
 * when TLS fails until somebody changes the setup, `unavailable.no_answer` when the call may have been received and
 * applied, `unavailable.cut_off` when a streamed response broke off; Stopped when `signal` fired.
 */
export interface HttpClient {
  readonly baseUrl: URL
  call(call: Call): Promise<HttpResponse>
}

/** Commands that fix a refused sign-in, for the URL that refused it. */
export interface SignInFixes {
  /** Signs in again, or sets another secret in the environment. */
  readonly signIn: string
  /** Repeats the same at another base URL. */
  readonly atUrl: (url: string) => string
  /** Sets user and password for a gate in front of the shop, read from stdin. */
  readonly basicAuth: string
  /** Sets a header for a gate in front of the shop. */
  readonly header: string
}

const MIB = 1024 * 1024

/** The longest responses that are kept, bytes. */
export const ANSWER_BYTES = {
  /** The response to a token request, event or order: an acknowledgement or an error. */
  short: MIB,
  /** Anything else. */
  usual: 16 * MIB,
  /** A page of 500 with associations, a shop's whole description. */
  page: 128 * MIB,
} as const
