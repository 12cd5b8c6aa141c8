/** How many items have each result, by the operation's own words. */
export type Counts = Readonly<Record<string, number>>

/** Amounts of results: plain decimals by result, then by currency. */
export type Amounts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The last entry of a worker's chain: whoever knows it can tell whether anything before it was changed. */
export interface ChainEnd {
  readonly worker: string
  readonly sequence: number
  readonly hash: string
}

/** Totals of results: how many there are of each, and their amounts by currency. */
export interface ResultTotals {
  readonly counts: Counts
  readonly amounts: Amounts
}

/**
 * - `working`: it holds what it has claimed; its heartbeats show whether its process still lives
 * - `left`: it gave back what it had not begun
 * - `gone`: it was unresponsive and declared gone; should it wake up, it can write nothing more
 */
export type WorkerState = 'working' | 'left' | 'gone'

/** Counts of a worker's results, as far as they matter for stopping a run. */
export interface ClassCounts {
  /** Items that were applied. */
  readonly done: number
  /** Items that failed, or whose result is unknown. */
  readonly failed: number
}

/** A process that works on a run. */
export interface Worker extends ClassCounts {
  /** Unique; the founder's is the run's own. It names the worker's chain in the journal. */
  readonly id: string
  readonly who: string
  readonly host: string
  readonly pid: number
  /** When the process began, in the system's own terms. */
  readonly processStart: string
  readonly state: WorkerState
  readonly startedAt: Date
  /** Last heartbeat, by the clock of the records. */
  readonly heartbeatAt: Date
  /** How long ago that was when this was read, milliseconds, by the same clock. */
  readonly heartbeatAgeMs: number
  /** Counts of its results in the journal. */
  readonly counts: Counts
  /** The amounts of these results. */
  readonly amounts: Amounts
  /** The last entry of its chain; 0 and empty before the first. */
  readonly sequence: number
  readonly hash: string
}

export type NewWorker = Pick<Worker, 'id' | 'who' | 'host' | 'pid' | 'processStart'>

/** The progress of a worker. */
export type WorkerProgress = ClassCounts & Pick<Worker, 'counts' | 'amounts' | 'sequence' | 'hash'>

/** Counts without some of them, by result. */
export function subtractCounts(all: Counts, own: Counts): Counts {
  const others = Object.entries(all).map(([result, count]) => [result, count - (own[result] ?? 0)] as const)
  return Object.fromEntries(others.filter(([, count]) => count > 0))
}

/** All results together. */
export function sumCounts(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
