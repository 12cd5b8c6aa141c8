/**
 * One entry of the shop's error envelope. Members stand in the order in which they are written; which of them there
 * are depends on where the error comes from.
 *
 * @see protocol.md §1.3
 */
export type ErrorEntry = PlainEntry | ShopEntry | ViolationEntry

/** Errors of the HTTP layer (`code` is `"0"`) and of the authorisation server (`code` is its number as text). */
export interface PlainEntry {
  code: string
  /** The HTTP status as text. */
  status: string
  title: string
  /** `null` where the authorisation server has no hint to give. */
  detail: string | null
}

/** Errors of the shop itself; criteria errors also point at the member that is wrong. */
export interface ShopEntry {
  status: string
  code: string
  title: string
  detail: string
  source?: {pointer: string}
  /** An empty set of parameters is written as `[]`. */
  meta: {parameters: Record<string, unknown> | []}
}

/** What is wrong with a value that was to be written. */
export interface ViolationEntry {
  /** Which rule: a UUID with dashes, or a name. */
  code: string
  status: string
  title?: undefined
  detail: string
  /** The detail with its parameters' names. */
  template: string
  meta: {parameters: Record<string, string> | []}
  /** `/0/addresses/1/city` */
  source: {pointer: string}
}

/** The body of every answer that is not a success. */
export interface ErrorEnvelope {
  errors: ErrorEntry[]
}
