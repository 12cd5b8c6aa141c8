const MIB = 1024 * 1024

/**
 * Limits of a server for requests, configurable at its start. A real shop has the limits of PHP and of its database;
 * here one process serves all clients.
 */
export interface ServerLimits {
  /** Most rows in a page, also the default limit; `undefined` for no limit. @see protocol.md §1.7 */
  readonly maxLimit: number | undefined
  /** Longest body, bytes. */
  readonly bodyBytes: number
  /** Time for receiving the head of a request. */
  readonly headersTimeoutMs: number
  /** Time for receiving a whole request. */
  readonly requestTimeoutMs: number
  /** Interval of the check for slow senders: the longest delay before they are disconnected. */
  readonly slowCheckMs: number
  /** How long a connection may stay idle after a response. */
  readonly keepAliveMs: number
  /** How long a connection may stay without a byte in either direction, as when a client does not read its response. */
  readonly stalledMs: number
  /** Most connections at once; further ones are closed. */
  readonly connections: number
}

export const DEFAULT_LIMITS: ServerLimits = {
  maxLimit: 500,
  bodyBytes: 10 * MIB,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  slowCheckMs: 5000,
  keepAliveMs: 30_000,
  // Longer than the delay of a fault or a heavy search.
  stalledMs: 10 * 60_000,
  connections: 1000,
}

/** Longest fulfillment order, bytes, unless the server's limit is lower. @see fulfillment-order.md */
export const FULFILLMENT_BODY_BYTES = MIB

/** Longest segment of a path, in characters. */
export const LONGEST_PARAMETER = 2000

/** Most fields of a form or a query string, and their nesting depth: PHP's defaults. Further ones are ignored. */
export const MOST_FORM_FIELDS = 1000
export const DEEPEST_FORM = 64

/** Deepest nesting of JSON: PHP's limit, which also protects later recursion over a body from a stack overflow. */
export const DEEPEST_JSON = 512

/** Limits of one search's criteria, associations included; beyond them the response is 400. */
export const CRITERIA = {
  /** Total members of lists and objects. */
  members: 50_000,
  /** Total characters of texts. */
  characters: 1_000_000,
  /** Characters of the term, with all of which each ranked field is compared. */
  termCharacters: 10_000,
  /** Compared values: the limit of one statement in either database, minus some for paging. */
  values: 10_000,
  /** Fields in filters, and associations on their paths. */
  filterSteps: 5000,
  /** Associations on the path to one field. */
  pathSteps: 12,
  /** Nesting depth of groups; SQLite allows 1000. */
  filterDepth: 100,
  /** Scored filters, all of which are evaluated for every row. */
  scored: 500,
  sortings: 100,
  fields: 1000,
  associations: 100,
  /** Aggregations: each one is a statement of its own, and each range and group a part of one. */
  aggregations: 100,
  aggregationDepth: 8,
  ranges: 500,
  groups: 100,
} as const

/** Limits of one search statement, by the sizes of the tables that its paths multiply. */
export const STATEMENT = {
  /** A few seconds of work, during which no other request and no signal is handled. */
  rows: 5_000_000,
  /** Large tables are scanned anyway: the limit is at least so many rows for each of theirs. */
  rowsForEach: 10,
} as const

/** Limits of one response. */
export const ANSWER = {
  /** Entities loaded by associations: about a second of work, and enough to fill a real shop's memory. */
  loaded: 20_000,
  /** Entities nested in others: one that belongs to many is written with each of them. */
  written: 50_000,
  /** Buckets of one aggregation, all levels together. */
  buckets: 10_000,
} as const

/** Limits of one write. */
export const WRITE = {
  /** Violations in a response; further ones are left out. */
  violations: 1000,
  /** Passwords, each of which is slow to hash. */
  secrets: 500,
} as const

/** Most callers whose sign-in attempts are counted; beyond that the oldest are dropped. */
export const MOST_THROTTLED = 10_000
