import type {PlannedRepair, RepairPlanHead} from '../../contract/payment-rows.js'
import {createUsageError} from '../../errors.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {readSealedPlan, type SealedFormat, type SealedPlan, SealedWriter} from '../../runs/sealed-plan.js'
import {DRIFT_KINDS} from '../drift/drift.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import {movesBack} from './repair.js'

/** A complete plan of repairs. */
export interface WrittenRepairPlan extends SealedPlan<RepairPlanHead, PlannedRepair> {
  /** Payments that follow the provider's money, and those that move backwards because the provider has none for them. */
  readonly forward: RepairScope
  readonly back: RepairScope
}

/** How many payments, and their amounts by currency. */
export interface RepairScope {
  readonly count: number
  readonly amounts: AmountTotals
}

const FORMAT: SealedFormat = {
  ...{headKey: 'storectlRepairPlan', countKey: 'payments', noun: 'a plan of repairs'},
  unharmed: 'Nothing was changed.',
  again: 'storectl payment reconcile --plan FILE   (a new plan)',
}

/** Writes a plan: head, payments, end. */
export function createRepairPlanWriter(
  write: (text: string) => Promise<void>,
): SealedWriter<RepairPlanHead, PlannedRepair> {
  return new SealedWriter(FORMAT.countKey, write)
}

/**
 * Reads a plan and checks that it is unchanged.
 *
 * @param file the whole file, readable from its beginning any number of times
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export async function readRepairPlan(file: Parameters<typeof readSealedPlan>[0]): Promise<WrittenRepairPlan> {
  const [forward, back] = [createScope(), createScope()]
  const plan = await readSealedPlan<RepairPlanHead, PlannedRepair>(file, FORMAT, line => {
    if (!isPlannedRepair(line)) throw createUnreadableError(file.name)
    if (line.repair.way === 'by-hand') return
    const scope = movesBack(line) ? back : forward
    scope.count++
    scope.amounts.add(line.amount ?? undefined)
  })
  return {...plan, forward, back}
}

/** A plan with a recomputed hash may contain anything. */
function isPlannedRepair(line: Partial<PlannedRepair>): boolean {
  const {kind, transaction, orderNumber, amount, state, expected, providerOrders, repair, detail} = line
  const {way, event, sha256, action, why} = (repair ?? {}) as Record<string, unknown>
  const isText = (value: unknown) => typeof value === 'string'
  const ways: Readonly<Record<string, boolean>> = {
    ...{replay: isText(event) && isText(sha256), resend: isText(event)},
    ...{transition: isText(action), 'by-hand': isText(why)},
  }
  return (
    DRIFT_KINDS.some(known => known === kind) &&
    (transaction === null || (isText(transaction) && /^[0-9a-f]{32}$/.test(transaction as string))) &&
    [orderNumber, state, expected].every(value => value === null || isText(value)) &&
    (amount === null || (isText(amount?.value) && isText(amount?.currency))) &&
    Array.isArray(providerOrders) &&
    providerOrders.every(isText) &&
    isText(detail) &&
    isText(way) &&
    Object.hasOwn(ways, way as string) &&
    ways[way as string] === true
  )
}

function createUnreadableError(name: string) {
  const message = `${name} was edited, or is of another version. Nothing was changed.`
  return createUsageError('plan_edited', message, [FORMAT.again])
}

function createScope() {
  return {count: 0, amounts: new AmountTotals()}
}

/** The error for resuming a run of repairs: its plan is applied again instead, which skips repaired payments. */
export function createRepairResumeError(run: string) {
  return createUsageError(
    'repair_resume',
    `Run ${run} is a repair: apply its plan again. Nothing was changed.`,
    ['storectl payment reconcile --apply FILE   (what no longer differs is skipped)'],
  )
}

/** Writes how payments are repaired into a file. */
export interface RepairPlanner {
  /** Adds one. @returns its repair */
  add(found: FoundDrift): Promise<string>
  /** Completes the file. @returns what was written, a sentence each */
  end(): Promise<readonly string[]>
}
