import type {RunBrief, ShopStatus} from '../contract/status-rows.js'
import type {RunRow, RunStore} from '../runs/journal/run-store.js'
import {toRunRow} from '../runs/report/run-view.js'
import type {Machine} from '../runs/workers/liveness.js'
import {type GroupSources, listGroupRows} from '../webhook/inbox/group-view.js'

export interface ShiftSources extends GroupSources {
  readonly machine: Machine
  readonly runs: Pick<RunStore, 'list'>
}

/** Events that the provider created since a time, as `webhook list --group-by` counts them, and runs since then. */
export async function collectShift(
  since: Date,
  sources: ShiftSources,
): Promise<NonNullable<ShopStatus['shift']>> {
  const {runs, target, machine} = sources
  return {
    since: since.toISOString(),
    hours: await listGroupRows(sources, {since}, 'hour'),
    causes: await listGroupRows(sources, {since, statuses: ['failed', 'unknown']}, 'cause'),
    runs: await listRunsSince(since, runs.list({target}), machine),
  }
}

/** Longer than any run. */
const LONGEST_RUN_MS = 7 * 86_400_000

/** Runs that began or ended since then, or have not ended, the newest first. */
async function listRunsSince(since: Date, runs: ReturnType<RunStore['list']>, machine: Machine) {
  const found: RunBrief[] = []
  for await (const run of runs) {
    if (run.startedAt.getTime() < since.getTime() - LONGEST_RUN_MS) break
    if ((run.endedAt ?? since) >= since) found.push(pickRun(run, machine))
  }
  return found
}

/** What a person must know about a run. */
export function pickRun(run: RunRow, machine: Machine): RunBrief {
  const {id, kind, state, who, reason, startedAt, endedAt, counts} = toRunRow(run, machine)
  return {id, kind, state, who, reason, startedAt, endedAt, counts}
}
