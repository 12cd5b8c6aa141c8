/** An item of a plan, as it waits to be claimed. */
export interface PlannedItem {
  readonly item: string
  readonly orderingKey: string
  /** An earlier attempt may have been applied. */
  readonly isUnsure: boolean
  /** What the operation stores with it, and gets back. */
  readonly metadata: string | null
}

/** The block that stands for the beginning of a run: as long as somebody has it, nobody else may claim any other. */
export const OPENING = -1

export type Opening = typeof OPENING

/** The answer to a request for a block. */
export interface Claim {
  /** The block that this worker now has, and whether another worker had it before. */
  readonly block?: {readonly number: number; readonly isAgain: boolean}
  /** How many blocks others have, or have to give. */
  readonly others: number
}

/** What earlier workers of this run recorded about an item. */
export interface EarlierAttempts {
  readonly isOver: boolean
  /** The result of an attempt is unknown. */
  readonly isUnsure: boolean
  /** What was stored with the attempt whose result is unknown. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** It failed or is unknown, so that the rest of its ordering key waits. */
  readonly hasFailed: boolean
}
