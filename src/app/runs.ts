import type {BulkTask} from '../runs/bulk-run.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {applyLimits, type ResumeLimits} from '../runs/resume-limits.js'
import type {Run} from '../runs/run.js'
import {createResumeSource} from '../webhook/plan/event-source.js'
import type {ReplayOptions} from '../webhook/plan/replay-input.js'
import {createReplay, joinReplay} from '../webhook/replay/replay.js'
import type {PlannedDelivery} from '../webhook/replay/replay-operation.js'
import type {ReplayRow} from '../webhook/replay/replay-row.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/delivery.js'
import type {Host} from './host.js'
import {addVersions} from './versions.js'

/** The rest of a replay: what it was going to send and has no result for. @param limits in place of its own */
export async function buildReplayResume(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  limits: ResumeLimits,
): Promise<BulkTask<PlannedDelivery, ReplayRow>> {
  const {runs} = await adapters.openRecords()
  const source = createResumeSource(run, runs, await adapters.openInbox())
  const stored = applyLimits(run.options.options as ReplayOptions, limits)
  const options = await addVersions(host, adapters, stored)
  const delivery = await openDelivery(host, adapters, options.checkState)
  const reason = adapters.options.reason ?? run.reason
  const openScratch = () => adapters.files.openScratch()
  return createReplay(
    {options, reason, isNamed: source.isNamed, asked: {...run.options, options}, continues: run.id},
    {...delivery, source, openScratch},
  )
}

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
