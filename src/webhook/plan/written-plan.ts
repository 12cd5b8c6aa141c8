import type {SealedPlan} from '../../runs/sealed-plan.js'
import type {Selection} from '../choose/selection.js'
import type {EventSender} from '../event/sender.js'
import type {Action, Reason, Rules} from './judged.js'

/** The first line of a plan: its subject, and the rules of its actions. */
export interface PlanHead {
  /** The format. */
  readonly storectlPlan: 1
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly profile: string
  /** ISO 8601, UTC; ages are counted up to here. */
  readonly madeAt: string
  /** The events were named by their ids. */
  readonly isNamed: boolean
  readonly rules: Rules
  readonly words: readonly string[]
  readonly selection: Selection
}

/** One event of a plan, with what its action was based on. */
export interface PlanLine {
  readonly action: Action
  readonly reason: Reason | null
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  /** State of the transaction at that time. */
  readonly state: string | null
  /** Status in the inbox at that time. */
  readonly status: string
  readonly sender: EventSender
  readonly detail: string | null
  readonly orderingKey: string
  readonly sha256: string
}

/** A complete plan file. */
export type WrittenPlan = SealedPlan<PlanHead, PlanLine>
