import {createUsageError} from '../../errors.js'
import {readSealedPlan, type SealedFormat, type SealedPlan, SealedWriter} from '../../runs/sealed-plan.js'
import type {PlannedRepair} from './repair.js'

/** The first line of a plan of repairs. */
export interface RepairPlanHead {
  /** The format. */
  readonly storectlRepairPlan: 1
  /** Name of the shop. */
  readonly target: string
  readonly profile: string
  /** ISO 8601, UTC. */
  readonly madeAt: string
}

/** A plan of repairs that was written down and is whole. */
export interface WrittenRepairPlan extends SealedPlan<RepairPlanHead, PlannedRepair> {
  /** Payments that a run repairs, and those of them that move money back. */
  readonly repairs: number
  readonly movesBack: number
}

const FORMAT: SealedFormat = {
  ...{headKey: 'storectlRepairPlan', countKey: 'payments', noun: 'a plan of repairs'},
  unharmed: 'Nothing was changed.',
  again: 'storectl payment reconcile --plan FILE   (a new plan)',
}

/** Writes a plan down: head, payments, end. */
export function createRepairPlanWriter(
  write: (text: string) => Promise<void>,
): SealedWriter<RepairPlanHead, PlannedRepair> {
  return new SealedWriter(FORMAT.countKey, write)
}

/**
 * Reads a plan and makes sure that it is as it was written.
 *
 * @param file all of it, from its beginning, as often as is needed
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export async function readRepairPlan(file: Parameters<typeof readSealedPlan>[0]): Promise<WrittenRepairPlan> {
  let [repairs, movesBack] = [0, 0]
  const plan = await readSealedPlan<RepairPlanHead, PlannedRepair>(file, FORMAT, ({repair}) => {
    if (repair.way !== 'by-hand') repairs++
    if (repair.way === 'transition' && repair.movesBack) movesBack++
  })
  return {...plan, repairs, movesBack}
}

/** The error for resuming a run of repairs: its plan is applied again instead, and what was repaired is left as it is. */
export function createRepairResumeError(run: string) {
  return createUsageError(
    'repair_resume',
    `Run ${run} is a repair: apply its plan again. Nothing was changed.`,
    ['storectl payment reconcile --apply FILE   (what no longer differs is skipped)'],
  )
}
