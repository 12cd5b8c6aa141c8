/** Kinds of calls that the bundled provider makes on demand, each with its flag of `server trigger`. */
export const CALL_KINDS = ['count', 'old-token', 'wrong-token', 'unknown-transaction', 'unsigned'] as const

/** Which calls are made. */
export interface TriggerRequest {
  /** At least one type that the shop handles; calls use them in turn. */
  readonly types: readonly string[]
  /** How many calls of each kind. */
  readonly counts: Readonly<Partial<Record<(typeof CALL_KINDS)[number], number | undefined>>>
  /** Base URL or full URL of another receiver on this machine; default: the bundled shop. */
  readonly to?: string | undefined
}

/** A call that was made, and its response. */
export interface TriggeredCall {
  /** Id of the event. */
  readonly id: string
  readonly type: string
  /** Its kind; `valid` for those of `count`. */
  readonly call: string
  /** The order transaction that the event names. */
  readonly transaction: string
  /** HTTP status; `null` without a response. */
  readonly answer: number | null
  /** Beginning of the response's body, or why there is none. */
  readonly message: string
}

/** Error codes of `server trigger`. */
export const TRIGGER_REFUSALS = {
  tooFewPayments: 'STORECTL__TOO_FEW_PAYMENTS',
  receiver: 'STORECTL__TRIGGER',
} as const
