import type {ReplayRow} from '../../contract/replay-rows.js'
import {StorectlError} from '../../errors.js'
import {prepareJoin} from '../../runs/bulk-run.js'
import type {ExecutionDeps} from '../../runs/execution.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import type {Concurrency} from '../../runs/pool/adaptive-rate.js'
import type {Run} from '../../runs/run.js'
import {RunSummary} from '../../runs/run-summary.js'
import type {ReplayOptions} from '../plan/replay-input.js'
import type {Confirmation} from './confirm-replay.js'
import {createReplayPresentation, REPLAY_RESULTS, type ReplayedShop} from './replay-presentation.js'
import type {CreateWork} from './replay-work.js'

/** The parts of a replay that a joining worker needs. */
export interface JoinParts {
  readonly confirmation: Confirmation
  readonly createWork: CreateWork
  readonly engine: ExecutionDeps
  /** The records were restored from a backup and not checked yet. */
  readonly isRestored: boolean
  readonly shop: ReplayedShop
}

/**
 * Prepares a worker that joins a replay, with the replay's rules and limits.
 *
 * @param concurrency transactions at once of this worker; default: the run's
 * @throws StorectlError `stopped.restored`, and as `prepareJoin` and `Confirmation.confirmJoin` do
 */
export async function joinReplay(
  run: RunRow,
  concurrency: Concurrency | undefined,
  {isRestored, confirmation, createWork, engine, shop}: JoinParts,
): Promise<Run<ReplayRow>> {
  const begun = run.options.options as Partial<ReplayOptions> | undefined
  if (isRestored && begun?.isRestored !== true) throw createRestoredError(run)
  return prepareJoin(run, {
    ...{target: shop.target, deps: engine},
    confirm: async ({id, options: stored, total}) => {
      const begun = stored.options as ReplayOptions
      const options = {...begun, concurrency: concurrency ?? begun.concurrency}
      const transport = await confirmation.confirmJoin(id, options)
      return () => ({
        ...createWork({run: id, isFounder: false, isNamed: stored.isNamed === true, options, transport}),
        presentation: createReplayPresentation(false, shop.name),
        summary: new RunSummary(REPLAY_RESULTS),
        total: total ?? 0,
      })
    },
  })
}

/** The run's plan is older: it does not look up what may have been sent since the backup. */
function createRestoredError({id}: RunRow): StorectlError {
  return new StorectlError(
    'stopped.restored',
    `Run ${id} began before the records were restored from a backup. Nothing was sent.`,
    {nextSteps: [`storectl run resume ${id}   (with a plan of now)`]},
  )
}
