import type {PlanHead, PlanLine} from '../../contract/replay-rows.js'
import type {SealedPlan} from '../../runs/sealed-plan.js'

/** A complete plan file. */
export type WrittenPlan = SealedPlan<PlanHead, PlanLine>
