import type {Counts} from './run-store.js'

/**
 * - `working`: it holds what it has claimed; whether its process still lives is to be judged by its signs of life
 * - `left`: it gave back what it had not begun
 * - `gone`: it went silent and was declared gone; should it wake up, it can write nothing more
 */
export type WorkerState = 'working' | 'left' | 'gone'

/** How many items of a worker came to what, as far as it matters for stopping a run. */
export interface Graded {
  /** Those that stand. */
  readonly done: number
  /** Those that do not stand, or of which nobody knows. */
  readonly failed: number
}

/** A process that works on a run. */
export interface Worker extends Graded {
  /** Unique; the founder's is the run's own. It names the worker's chain in the journal. */
  readonly id: string
  readonly who: string
  readonly host: string
  readonly pid: number
  /** When the process began, in the system's own terms. */
  readonly processStart: string
  readonly state: WorkerState
  readonly startedAt: Date
  /** Last sign of life, by the clock of the records. */
  readonly heartbeatAt: Date
  /** How long ago that was when this was read, milliseconds, by the same clock. */
  readonly silentMs: number
  /** What it has ended. */
  readonly counts: Counts
}

export type NewWorker = Pick<Worker, 'id' | 'who' | 'host' | 'pid' | 'processStart'>

/** How far a worker has come. */
export interface Progress extends Graded {
  readonly counts: Counts
}

/** An item of a plan, as it waits to be claimed. */
export interface PlannedItem {
  readonly item: string
  readonly lane: string
  /** An earlier attempt may have been applied. */
  readonly isUnsure: boolean
  /** What the noun keeps beside it, and gets back. */
  readonly remark: string | null
}

/** The block that stands for the beginning of a run: as long as somebody has it, nobody else may claim any other. */
export const OPENING = -1

export type Opening = typeof OPENING

/** What came of asking for a block. */
export interface Claim {
  /** The block that is this worker's now, and whether another one had it before. */
  readonly block?: {readonly number: number; readonly isAgain: boolean}
  /** How many blocks others have, or have to give. */
  readonly others: number
}

/** What was written about an item in this run by whoever had it before. */
export interface Before {
  readonly isOver: boolean
  /** Nobody knows what came of an attempt. */
  readonly isUnsure: boolean
  /** It does not stand, so that the rest of its lane waits. */
  readonly hasFailed: boolean
}
