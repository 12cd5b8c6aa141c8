import {prepareJoin} from '../../runs/bulk-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import type {Run} from '../../runs/run.js'
import {RunSummary} from '../../runs/run-summary.js'
import type {ReplayOptions} from '../plan/replay-input.js'
import {createReplayPresentation, REPLAY_OUTCOMES} from './replay-presentation.js'
import type {ReplayRow} from './replay-row.js'
import {createReader, createWork, type DeliveryDeps, describeShop, openTransport} from './replay-work.js'

/**
 * Prepares a further worker of a replay that is under way, by its rules and limits.
 *
 * @param concurrency transactions at once of this worker; those of the run unless it is given
 * @throws StorectlError as `prepareJoin`, `confirmWrite` and `webhookToken` do
 */
export function joinReplay(
  run: RunRow,
  concurrency: number | undefined,
  deps: DeliveryDeps,
): Promise<Run<ReplayRow>> {
  return prepareJoin(run, {
    ...{target: deps.target, deps},
    confirm: async ({id, options: stored, total}) => {
      const begun = stored.options as ReplayOptions
      const options = {...begun, concurrency: concurrency ?? begun.concurrency}
      const transport = await openTransport(options, deps)
      await deps.shop.confirmWrite(`join run ${id}, which sends to ${describeShop(deps.shop)}`)
      return () => ({
        ...createWork(id, options, transport, deps),
        items: {isFounder: false, read: createReader(stored.isNamed === true, deps)},
        presentation: createReplayPresentation(false),
        summary: new RunSummary(REPLAY_OUTCOMES),
        total: total ?? 0,
      })
    },
  })
}
