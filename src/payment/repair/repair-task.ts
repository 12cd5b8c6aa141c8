import {createHash} from 'node:crypto'
import type {PlannedRepair, RepairRow} from '../../contract/payment-rows.js'
import {createUsageError, StorectlError} from '../../errors.js'
import type {BulkPlan, BulkTask} from '../../runs/bulk-run.js'
import type {ExecutionDeps, Unsent} from '../../runs/execution.js'
import type {Item, Result} from '../../runs/journal/item.js'
import {type OpenRun, openRun} from '../../runs/open-run.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {Operation, RunSettings} from '../../runs/pool/operation.js'
import {createIdleRun, type Presentation} from '../../runs/run.js'
import {type ResultNames, RunSummary} from '../../runs/run-summary.js'
import {explainFlows} from '../../shopware/versions/versions.js'
import {describeRepair, listPaymentFacts, movesBack} from './repair.js'
import type {RepairScope, WrittenRepairPlan} from './repair-plan.js'
import {REPAIR_VIEW, toRepairRow} from './repair-row.js'

/** Options of a run of repairs. */
export interface RepairInput {
  readonly plan: WrittenRepairPlan
  /** Whether repairs may move money back. */
  readonly allowsBackwards: boolean
  /** A plan with more repairs is refused before the first; `undefined` for no limit. */
  readonly max: number | undefined
  readonly settings: RunSettings
  readonly reason: string | null
}

export interface RepairTaskDeps extends ExecutionDeps {
  /** Name of the shop in ledger and lease. */
  readonly target: string
  readonly profile: string
  /** The shop's name in messages. */
  readonly shopName: string
  /** Asks the person. @param isTyped whether the profile's name must be typed */
  readonly confirm: (what: string, isTyped: boolean) => Promise<void>
  readonly createOperation: (run: string) => Promise<Operation<PlannedRepair, RepairRow>>
}

const RESULTS: ResultNames = {
  done: ['applied', 'unchanged', 'accepted'],
  failed: ['rejected', 'failed', 'unknown'],
  held: ['held'],
  skipped: ['skipped'],
}

/**
 * The repairs of a plan for the engine.
 *
 * @throws StorectlError `usage.plan_of_other_shop`; when it runs `stopped.too_many`, `conflict.lease_held`, and as
 *   `confirm` does
 */
export function createRepairTask(
  input: RepairInput,
  deps: RepairTaskDeps,
): BulkTask<PlannedRepair, RepairRow> {
  const {head} = input.plan
  if (head.target !== deps.target) throw createOtherShopError(head, deps.target)
  return {plan: async () => planRepairs(input, deps)}
}

function planRepairs(input: RepairInput, deps: RepairTaskDeps): BulkPlan<PlannedRepair, RepairRow> {
  const {plan, allowsBackwards, max} = input
  const back = allowsBackwards ? plan.back.count : 0
  const sends = plan.forward.count + back
  const total = plan.count
  const parts = {total, presentation: createPresentation(total - sends), summary: new RunSummary(RESULTS)}
  const previewRows = async function* () {
    for await (const some of listUnsent(input, null)) yield some.map(({row}) => row)
  }
  return {
    ...{...parts, sends},
    listUnsent: run => listUnsent(input, run),
    preview: async () => createIdleRun({...parts, rows: previewRows}),
    storeInput: async () => {},
    confirm: async () => {
      if (max !== undefined && sends > max) throw createTooManyError(sends, max)
      await deps.confirm(describeScope(input, deps.shopName), back > 0)
      return {
        deps,
        open: () => openRepair(input, deps),
        createWork: async run => ({
          ...parts,
          operation: await deps.createOperation(run.id),
          ...{settings: input.settings, blocksKey: true},
          items: readItems(input),
          unsent: listUnsent(input, run.id),
          unsentTotal: total - sends,
        }),
      }
    },
  }
}

/** What a person confirms: how many payments, their amounts, and whether the shop's flows run. */
function describeScope({plan, allowsBackwards}: RepairInput, shopName: string): string {
  const {forward, back, head} = plan
  const scopes = allowsBackwards ? [forward, back] : [forward]
  const count = scopes.reduce((sum, scope) => sum + scope.count, 0)
  const worth = formatAmounts(forward)
  const backWorth = formatAmounts(back)
  const isBack = allowsBackwards && back.count > 0
  return [
    `repair ${count} ${count === 1 ? 'payment' : 'payments'} of ${shopName}${worth === '' ? '' : ` (${worth})`}`,
    ...(isBack
      ? [`, ${back.count} of which move money back${backWorth === '' ? '' : ` (${backWorth})`}`]
      : []),
    `; ${explainFlows(head.skipFlows, false, count).replace(/^F/, 'f')}`,
  ].join('')
}

function formatAmounts({amounts}: RepairScope): string {
  return amounts.format()
}

function openRepair(
  {plan, reason, settings, allowsBackwards}: RepairInput,
  deps: RepairTaskDeps,
): Promise<OpenRun> {
  const {target, profile} = deps
  const options = {plan: plan.hash, allowsBackwards, settings, options: {skipFlows: plan.head.skipFlows}}
  return openRun({kind: 'repair', target, profile, reason, options, total: plan.count}, deps)
}

const AT_ONCE = 100

async function* readItems(input: RepairInput): AsyncGenerator<Item<PlannedRepair>[], void, void> {
  for await (const some of splitBatches(input.plan.readLines(), AT_ONCE)) {
    yield some.filter(each => findHold(each, input) === undefined).map(toItem)
  }
}

function toItem(value: PlannedRepair): Item<PlannedRepair> {
  const contentHash = createHash('sha256').update(JSON.stringify(value)).digest('hex')
  // One order may have several payments that the shop does not know.
  const key = value.transaction ?? `${value.orderNumber ?? 'payment'}-${contentHash.slice(0, 12)}`
  return {key, orderingKey: `transaction:${key}`, contentHash, value}
}

/** Why a payment of the plan is not repaired by a run. */
function findHold(planned: PlannedRepair, {allowsBackwards}: RepairInput): string | undefined {
  if (planned.repair.way === 'by-hand') return `${describeRepair(planned)} (${planned.detail})`
  return movesBack(planned) && !allowsBackwards ? 'it would move money back: --allow-backwards' : undefined
}

async function* listUnsent(
  input: RepairInput,
  run: string | null,
): AsyncGenerator<readonly Unsent<RepairRow>[], void, void> {
  for await (const some of splitBatches(input.plan.readLines(), AT_ONCE)) {
    yield some.flatMap(repair => {
      const detail = findHold(repair, input)
      if (detail === undefined) return []
      // The plan already says so: it is not news of this run.
      const facts = listPaymentFacts(repair)
      const result: Result = {resultClass: 'held', result: 'held', detail, isKnownHold: true, facts}
      return [{item: toItem(repair), result, row: toRepairRow(repair, {...result, attempts: 0}, run)}]
    })
  }
}

/** @param left payments that the run does not repair */
function createPresentation(left: number): Presentation<RepairRow> {
  return {
    view: REPAIR_VIEW,
    show: rows => rows,
    summarize: ({summary}) => summary.describeResults() || 'nothing to repair',
    describeUnknown: ({unknown}) => `may have been repaired: ${unknown.join(', ')}`,
    resumeCommand: () => 'storectl payment reconcile --apply FILE   (the same plan)',
    // Payments for a person are not repaired.
    chooseExit: exit => (exit === 'ok' && left > 0 ? 'partial' : exit),
  }
}

function createTooManyError(sends: number, max: number): StorectlError {
  return new StorectlError('stopped.too_many', `${sends} repairs exceed --max ${max}. Nothing was changed.`, {
    nextSteps: [`add --max ${sends}`],
  })
}

function createOtherShopError({target, profile}: WrittenRepairPlan['head'], chosen: string) {
  const message = `The plan is for ${target}, and ${chosen} is chosen. Nothing was changed.`
  return createUsageError('plan_of_other_shop', message, [
    `storectl payment reconcile --apply FILE --profile ${profile}`,
  ])
}
