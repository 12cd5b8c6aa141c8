/** One HTTP call to a base URL. */
export interface Call {
  readonly method: string
  /** Relative to the base URL, with its query: `/api/search/customer`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array
  /** Cuts the call short; reads pass the interruption's signal, writes do not. */
  readonly signal?: AbortSignal
}

/** What was answered, whole. Header names are lower-case. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/**
 * Makes calls to one base URL. It answers with whatever status came back, redirects included: none is followed.
 *
 * Throws StorectlError, told apart by `code`: `unavailable.not_connected` when nothing was sent,
 * `unavailable.no_answer` when the call may have been received and applied; Stopped when `signal` fired.
 */
export interface Caller {
  readonly baseUrl: URL
  call(call: Call): Promise<Answer>
}
