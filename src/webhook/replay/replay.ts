import type {ReplayRow} from '../../contract/replay-rows.js'
import type {BulkTask} from '../../runs/bulk-run.js'
import type {ExecutionDeps} from '../../runs/execution.js'
import type {OpenRun} from '../../runs/open-run.js'
import {RunSummary} from '../../runs/run-summary.js'
import type {ReplaySource} from '../choose/selection.js'
import type {ReplayInput} from '../plan/replay-input.js'
import type {Confirmation} from './confirm-replay.js'
import type {Preparation} from './prepare-replay.js'
import type {PlannedDelivery} from './replay-operation.js'
import {
  createReplayPresentation,
  previewPlan,
  REPLAY_RESULTS,
  type ReplayedShop,
} from './replay-presentation.js'
import type {CreateWork} from './replay-work.js'

/** The parts of a replay, each with what it needs. */
export interface ReplayParts {
  readonly preparation: Preparation
  readonly confirmation: Confirmation
  readonly createWork: CreateWork
  /** Begins a run. @throws StorectlError as `openRun` does */
  readonly open: (input: ReplayInput, isPreview?: boolean) => Promise<OpenRun>
  readonly engine: ExecutionDeps
  readonly isRestored: boolean
  readonly shop: ReplayedShop
}

/** A replay as the engine runs it. */
export type ReplayTask = BulkTask<PlannedDelivery, ReplayRow>

/**
 * A replay for the engine: prepared, confirmed and sent by its parts. Its plan is made under the lease: events that a
 * crashed run left open are `unknown` by then.
 *
 * @param source the chosen events
 * @throws StorectlError when it runs, as its parts and `openRun` do
 */
export async function createReplay(
  given: ReplayInput,
  source: ReplaySource,
  parts: ReplayParts,
): Promise<ReplayTask> {
  const {preparation, confirmation, createWork, open, engine, shop} = parts
  const input = await preparation.complete(given)
  const {options, isNamed} = input
  const openRun = (isPreview?: boolean) => open(input, isPreview)
  return {
    openEarly: openRun,
    plan: async () => {
      const prepared = await preparation.makePlan(input, source)
      const {plan, hash, total, sends, hasInvalid, listUnsent, listPlanned, hasNewHolds, storeInput} =
        prepared
      const found = {causes: plan.causes.list(), ...(hash === undefined ? {} : {plan: hash})}
      const presentation = createReplayPresentation(hasInvalid, shop.name)
      const summary = new RunSummary(REPLAY_RESULTS)
      return {
        ...{total, sends, found, presentation, summary, storeInput, listUnsent},
        // A round of a watch that sends nothing leaves no run.
        ...(!input.watch && {hasNewHolds}),
        preview: async () => previewPlan(plan, input, shop),
        confirm: async () => {
          const transport = await confirmation.confirmPlan(plan, input)
          return {
            deps: engine,
            open: () => openRun(),
            createWork: async run => {
              await run.storePlan(total, sends, listPlanned(), found)
              const work = createWork({run: run.id, isFounder: true, isNamed, options, transport})
              return {
                ...work,
                ...input.watch?.guard(work.operation),
                presentation,
                summary,
                total,
                unsentTotal: total - sends,
                unsent: listUnsent(run.id),
              }
            },
          }
        },
      }
    },
  }
}
