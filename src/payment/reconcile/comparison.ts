import type {ProviderMovement, ShopPayment} from '../drift/payment-facts.js'
import type {FoundDrift} from './drift-row.js'
import type {PagePosition} from './shop-payments.js'

/** The options of a comparison, and how it ended. Times are ISO 8601, UTC. */
export interface StoredComparison {
  readonly id: string
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly startedAt: string
  /** `null` until it is complete. */
  readonly completedAt: string | null
  readonly since: string
  readonly until: string
  /** By id; `null` for all. */
  readonly salesChannel: string | null
  /** A condition as typed; `null` for none. */
  readonly where: string | null
  readonly pendingAfterMs: number
  readonly minAgeMs: number
  readonly expiringWithinMs?: number | undefined
  readonly owedAfterMs?: number | undefined
  /** The start for older payments that wait, or whose order has ended; `null` for none. */
  readonly olderSince?: string | null
}

/** The progress of a reconciliation. */
export interface ReconcileProgress {
  /** Payments of the shop that were compared. */
  payments: number
  /** Movements of the provider that were read. */
  movements: number
  /** Orders requested singly from the provider. */
  asked: number
  /** Payments that differ. */
  found: number
  /** How far the provider's report reaches, if it ends before the present; milliseconds since 1970. */
  reportedUntilMs?: number
  /** The role may not read deliveries: orders that were returned are not found. */
  hasNoDeliveries?: boolean
}

/** Where a comparison resumes: in the provider's report, then the shop's payments, then the rest of the report. */
export type ComparisonPosition =
  | {readonly phase: 'report'; readonly sinceMs: number}
  | {readonly phase: 'shop'; readonly page: PagePosition | null}
  | {readonly phase: 'rest'; readonly after: string}
  | {readonly phase: 'done'}

/** A payment that seems to differ, with the provider's report about it. */
export interface Candidate {
  readonly payment: ShopPayment
  readonly reported: readonly ProviderMovement[]
}

/** What a comparison has found since it was last stored. */
export interface ComparisonStep {
  readonly position: ComparisonPosition
  readonly progress: ReconcileProgress
  /** Ids of movements that belong to payments that were compared. */
  readonly taken: readonly string[]
  /** Whether `candidates` replace those stored before, as some have been looked up. */
  readonly isLookedUp: boolean
  /** Payments to look up on both sides. */
  readonly candidates: readonly Candidate[]
  readonly found: readonly FoundDrift[]
}

/** The keys of the movements of some payments. */
export interface MovementKeys {
  readonly transactionIds: readonly string[]
  readonly orderIds: readonly string[]
}

/** Where a comparison resumes, with the candidates that are not looked up yet. */
export type StoredStep = Pick<ComparisonStep, 'position' | 'progress' | 'candidates'>

/** A page of the rest of the report. */
export interface RestQuery {
  readonly since: Date
  readonly until: Date
  /** Last key of the page before. */
  readonly after: string
  /** Most payments. */
  readonly size: number
}

/** One comparison: the provider's movements, the differences, and its progress. Memory does not grow with their number. */
export interface ComparisonStore {
  /** An existing one is replaced. */
  add(movements: readonly ProviderMovement[]): Promise<void>
  countMovements(): Promise<number>
  /** Movements of these payments and the refunds of their captures. */
  find(keys: MovementKeys): Promise<ProviderMovement[]>
  /** Movements of a span of time that belong to no compared payment, those of one payment together. */
  listRest(query: RestQuery): Promise<{readonly movements: ProviderMovement[]; readonly last: string}>
  /** Stores a step completely or not at all. */
  save(step: ComparisonStep): Promise<void>
  /** The last stored step; `undefined` for a new comparison. */
  readStep(): Promise<StoredStep | undefined>
  /** The differences so far, in batches. */
  readFound(): AsyncGenerator<readonly FoundDrift[], void, void>
}
