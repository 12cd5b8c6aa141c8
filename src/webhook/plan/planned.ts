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
  /** `null` where it is sent or invalid. */
  readonly reason: Reason | null
  readonly detail: string | null
  /** The transaction's state when the plan was made; `null` when it was not looked at or is not known. */
  readonly state: string | null
  /** An earlier attempt may have been applied: the state is looked at before it is sent. */
  readonly isUnsure: boolean
  readonly isNamed: boolean
}

/** What a replay would do. */
export interface ReplayPlan {
  readonly total: number
  /** What is older than allowed is told by this moment. */
  readonly madeAt: Date
  /** How many of them are to be sent. */
  readonly sends: number
  /** What the events that are to be sent are worth. */
  readonly amounts: AmountTotals
  /** How many got each action, with its reason: `hold (out-of-order)`. */
  readonly counts: ReadonlyMap<string, number>
  /** Counts and amounts by sender, action and reason. */
  readonly totals: PlanTotals
  /** Why they had failed. */
  readonly causes: FailureCauses
  /** In the order in which it would be done; may be read several times. */
  listEntries(): AsyncGenerator<Planned, void, void>
}
