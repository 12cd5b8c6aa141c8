/** An item of a plan, as it waits to be claimed. */
export interface PlannedItem {
  readonly item: string
  readonly orderingKey: string
  /** An earlier attempt may have been applied. */
  readonly isUnsure: boolean
  /** What the noun keeps beside it, and gets back. */
  readonly metadata: string | null
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
export interface EarlierAttempts {
  readonly isOver: boolean
  /** Nobody knows what came of an attempt. */
  readonly isUnsure: boolean
  /** What was stored with the attempt whose result is unknown. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** It does not stand, so that the rest of its ordering key waits. */
  readonly hasFailed: boolean
}
