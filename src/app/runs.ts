import {createRepairResumeError} from '../payment/repair/repair-plan.js'
import {describeMachine} from '../platform/processes.js'
import {findRun} from '../runs/find-run.js'
import type {RunRow} from '../runs/journal/run-store.js'
import type {Reported} from '../runs/report/report.js'
import type {ItemDetails} from '../runs/report/report-items.js'
import {toRunRow} from '../runs/report/run-view.js'
import {applyLimits, type ResumeLimits} from '../runs/resume-limits.js'
import type {Run} from '../runs/run.js'
import {createResumeSource} from '../webhook/choose/event-source.js'
import type {InboxEvent} from '../webhook/event/event.js'
import type {ReplayOptions} from '../webhook/plan/replay-input.js'
import {joinReplay} from '../webhook/replay/join-replay.js'
import {createReplay, type ReplayTask} from '../webhook/replay/replay.js'
import {createReplayParts} from '../webhook/replay/replay-parts.js'
import type {ReplayRow} from '../webhook/replay/replay-row.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/delivery.js'
import {addVersions} from './adapters/versions.js'
import type {Host} from './host.js'

/**
 * The rest of a replay: what it was going to send and has no result for.
 *
 * @param limits in place of its own
 * @throws StorectlError `usage.repair_resume` for a run of repairs
 */
export async function buildReplayResume(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  limits: ResumeLimits,
): Promise<ReplayTask> {
  if (run.kind === 'repair') throw createRepairResumeError(run.id)
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
  return joinReplay(run, concurrency, createReplayParts(delivery))
}

/**
 * Reads a run for a report as it stands at one moment, so that all of it is of one count: the journal, and the inbox for
 * what a replay sent.
 *
 * @throws StorectlError as `findRun` does
 */
export async function readRunSnapshot<T>(
  host: Host,
  adapters: Adapters,
  word: string,
  read: (reported: Reported) => Promise<T>,
): Promise<T> {
  const {runs: store, inbox} = await adapters.openRecords()
  return store.readSnapshot(async runs => {
    const run = await findRun(runs, word)
    const row = toRunRow(run, describeMachine(host.env))
    return read({
      ...{run, row, runs, now: host.clock.now()},
      findDetails: async (run, items) =>
        run.kind === 'submit' ? describeOrders(items) : describeEvents(await inbox.find(run.target, items)),
    })
  })
}

function describeOrders(items: readonly string[]): ReadonlyMap<string, ItemDetails> {
  return new Map(items.map(order => [order, {type: null, amount: null, transaction: null, order}]))
}

function describeEvents(events: ReadonlyMap<string, InboxEvent>): ReadonlyMap<string, ItemDetails> {
  return new Map(
    [...events].map(([id, {type, traits}]) => {
      const {amount = null, keyText: transaction, invoice: order = null} = traits
      return [id, {type, amount, transaction, order}]
    }),
  )
}
