import type {ReplayRow} from '../contract/replay-rows.js'
import {createUsageError} from '../errors.js'
import {createRepairResumeError} from '../payment/repair/repair-plan.js'
import type {RunRow} from '../runs/journal/run-store.js'
import type {Concurrency} from '../runs/pool/adaptive-rate.js'
import {applyLimits, type ResumeLimits} from '../runs/resume-limits.js'
import type {Run} from '../runs/run.js'
import {createResumeSource} from '../webhook/choose/event-source.js'
import type {ReplayOptions} from '../webhook/plan/replay-input.js'
import {joinReplay} from '../webhook/replay/join-replay.js'
import {createReplay, type ReplayTask} from '../webhook/replay/replay.js'
import {createReplayParts} from '../webhook/replay/replay-parts.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/delivery.js'
import {addVersions} from './adapters/versions.js'
import type {Host} from './host.js'

/**
 * The rest of a replay: events that it was going to send and that have no result.
 *
 * @param limits replace its own
 * @throws StorectlError `usage.repair_resume`, `usage.mark_resume` for a run of another kind
 */
export async function buildReplayResume(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  limits: ResumeLimits,
): Promise<ReplayTask> {
  if (run.kind === 'repair') throw createRepairResumeError(run.id)
  if (run.kind !== 'replay') {
    const message = `Run ${run.id} marked events by hand: there is nothing to resume. Nothing was changed.`
    throw createUsageError('mark_resume', message, [`storectl run show ${run.id}`])
  }
  const {runs} = await adapters.openRecords()
  const source = createResumeSource(run, runs, await adapters.openInbox())
  const stored = applyLimits(run.options.options as ReplayOptions, limits)
  const options = await addVersions(host, adapters, stored)
  const delivery = await openDelivery(host, adapters, options.checkState)
  const reason = adapters.options.reason ?? run.reason
  return createReplay(
    {
      options,
      reason,
      isNamed: source.isNamed,
      asked: {...run.options, options, command: adapters.commandLine},
      continues: run.id,
    },
    source,
    createReplayParts(delivery),
  )
}

/**
 * A worker that joins a replay.
 *
 * @param concurrency transactions at once of this worker; default: the run's
 */
export async function buildReplayJoin(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  concurrency: Concurrency | undefined,
): Promise<Run<ReplayRow>> {
  const options = run.options.options as Partial<ReplayOptions> | undefined
  const delivery = await openDelivery(host, adapters, options?.checkState ?? true)
  return joinReplay(run, concurrency, createReplayParts(delivery))
}
