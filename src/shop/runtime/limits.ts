const MIB = 1024 * 1024

/**
 * What a server takes of a request; a start may set them. A real shop would run into limits of PHP or of its database; here
 * one process answers everybody.
 */
export interface ServerLimits {
  /** Rows a page, and what a search without a limit gives; `undefined` for as many as there are. @see protocol.md §1.7 */
  readonly maxLimit: number | undefined
  /** Bytes of a body. */
  readonly bodyBytes: number
  /** How long the head of a request may take to come. */
  readonly headersTimeoutMs: number
  /** How long a whole request may take to come. */
  readonly requestTimeoutMs: number
  /** How often slow senders are looked for: they are cut off that much later at most. */
  readonly slowCheckMs: number
  /** How long a connection that was answered may stay without another request. */
  readonly keepAliveMs: number
  /** How long a connection may stay on which neither side gets a byte through: somebody who does not read his answer. */
  readonly stalledMs: number
  /** Connections at once; further ones are hung up on. */
  readonly connections: number
}

export const DEFAULT_LIMITS: ServerLimits = {
  maxLimit: 500,
  bodyBytes: 10 * MIB,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  slowCheckMs: 5000,
  keepAliveMs: 30_000,
  // Longer than a fault or a heavy search keeps somebody waiting.
  stalledMs: 10 * 60_000,
  connections: 1000,
}

/** Bytes of a fulfillment order, unless the server takes fewer. @see fulfillment-order.md */
export const FULFILLMENT_BODY_BYTES = MIB

/** Characters of one part of a path. */
export const LONGEST_PARAMETER = 2000

/** Fields of a form or a query string, and how deep they nest: PHP's own defaults. Further ones are left out. */
export const MOST_FORM_FIELDS = 1000
export const DEEPEST_FORM = 64

/** How deep JSON nests: PHP's own limit, and what keeps later walks over a body from running out of stack. */
export const DEEPEST_JSON = 512

/** What the criteria of one search hold at most, associations included; more is a plain 400. */
export const CRITERIA = {
  /** Members of all lists and objects. */
  members: 50_000,
  /** Characters of all texts. */
  characters: 1_000_000,
  /** Characters of the term: each ranked field is compared with all of it. */
  termCharacters: 10_000,
  /** Values compared with: what one statement takes in the smaller of our databases, with room for paging. */
  values: 10_000,
  /** Fields that filters name, and associations on the way to them. */
  filterSteps: 5000,
  /** Associations on the way to one field. */
  pathSteps: 12,
  /** Groups inside groups; SQLite gives up at 1000. */
  filterDepth: 100,
  /** Filters that earn points: all of them are looked at for every row. */
  scored: 500,
  sortings: 100,
  fields: 1000,
  associations: 100,
  /** Each aggregation is a statement of its own, and each range and group a part of one. */
  aggregations: 100,
  aggregationDepth: 8,
  ranges: 500,
  groups: 100,
} as const

/** What one statement of a search looks at, by the sizes of the tables that its paths multiply. */
export const STATEMENT = {
  /** A few seconds' work: nobody else is answered, and no signal is heard, meanwhile. */
  rows: 5_000_000,
  /** Large tables are gone through all the same: so many rows for each of theirs. */
  rowsForEach: 10,
} as const

/** What one answer holds at most. */
export const ANSWER = {
  /** Things that associations load: about a second's work, and what would fill the memory that a real shop has. */
  loaded: 20_000,
  /** Things written inside others: one that hangs on many is written with each of them. */
  written: 50_000,
  /** Buckets of one aggregation, all levels together. */
  buckets: 10_000,
} as const

/** What one write holds at most. */
export const WRITE = {
  /** Complaints that are answered; further ones are left out. */
  violations: 1000,
  /** Passwords: each takes its time. */
  secrets: 500,
} as const

/** Callers whose attempts to sign in are counted; beyond that the oldest are forgotten. */
export const MOST_THROTTLED = 10_000
