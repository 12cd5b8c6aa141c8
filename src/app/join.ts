import type {RunRow} from '../runs/journal/run-store.js'
import type {Run} from '../runs/run.js'
import type {ReplayOptions} from '../webhook/plan/replay-input.js'
import {joinReplay} from '../webhook/replay/replay.js'
import type {ReplayRow} from '../webhook/replay/replay-row.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/inbox.js'
import type {Host} from './host.js'

/**
 * A further worker of a replay that is under way.
 *
 * @param concurrency transactions at once of this worker; those of the run unless it is given
 */
export async function buildReplayJoin(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  concurrency: number | undefined,
): Promise<Run<ReplayRow>> {
  const options = run.options.options as Partial<ReplayOptions> | undefined
  const delivery = await openDelivery(host, adapters, options?.checkState ?? true)
  return joinReplay(run, concurrency, delivery)
}
