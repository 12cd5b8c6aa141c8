import type {AmountTotals} from '../../language/amount-totals.js'
import type {InboxEvent} from '../event/event.js'
import type {FailureCauses} from './failure-causes.js'
import type {Action, Reason} from './judged.js'
import type {PlanTotals} from './plan-totals.js'

/** What is to happen to one event. */
export interface Planned {
  readonly event: InboxEvent
  readonly orderingKey: string
  readonly action: Action
  /** `null` if it is sent or invalid. */
  readonly reason: Reason | null
  readonly detail: string | null
  /** The transaction's state when the plan was made; `null` if it was not checked or is unknown. */
  readonly state: string | null
  /** An earlier attempt may have been applied: the state is checked before it is sent. */
  readonly isUnsure: boolean
  readonly isNamed: boolean
}

/** What a replay would do. */
export interface ReplayPlan {
  readonly total: number
  /** Ages of events count up to this moment. */
  readonly madeAt: Date
  /** How many of them to send. */
  readonly sends: number
  /** Amounts of the events to send. */
  readonly amounts: AmountTotals
  /** Counts by action and reason: `hold (out-of-order)`. */
  readonly counts: ReadonlyMap<string, number>
  /** Counts and amounts by sender, action and reason. */
  readonly totals: PlanTotals
  /** Why they had failed. */
  readonly causes: FailureCauses
  /** In the order of sending; may be read several times. */
  listEntries(): AsyncGenerator<Planned, void, void>
}
