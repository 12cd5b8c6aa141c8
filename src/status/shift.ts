import type {RunRow, RunStore} from '../runs/journal/run-store.js'
import {toRunRow} from '../runs/report/run-view.js'
import type {Machine} from '../runs/workers/liveness.js'
import {listGroupRows} from '../webhook/inbox/event-view.js'
import type {Inbox} from '../webhook/inbox/inbox.js'

export interface ShiftSources {
  readonly target: string
  readonly machine: Machine
  readonly inbox: Pick<Inbox, 'countGroups'>
  readonly runs: Pick<RunStore, 'list'>
}

/** Responses that are told of. */
const MOST_MESSAGES = 10

/** Events that the provider created since a time, as `webhook list --group-by` counts them, and runs since then. */
export async function collectShift(since: Date, {inbox, runs, target, machine}: ShiftSources) {
  const undelivered = {since, statuses: ['failed', 'unknown'] as const, limit: MOST_MESSAGES}
  return {
    since: since.toISOString(),
    hours: await listGroupRows(inbox, target, {since}, 'hour'),
    messages: await listGroupRows(inbox, target, undelivered, 'message'),
    runs: await listRunsSince(since, runs.list({target}), machine),
  }
}

/** No run takes longer. */
const LONGEST_RUN_MS = 7 * 86_400_000

/** Runs that began or ended since then, or have not ended, the newest first. */
async function listRunsSince(since: Date, runs: ReturnType<RunStore['list']>, machine: Machine) {
  const found: ReturnType<typeof pickRun>[] = []
  for await (const run of runs) {
    if (run.startedAt.getTime() < since.getTime() - LONGEST_RUN_MS) break
    if ((run.endedAt ?? since) >= since) found.push(pickRun(run, machine))
  }
  return found
}

/** What a person has to know of a run. Keys are stable. */
export function pickRun(run: RunRow, machine: Machine) {
  const {id, kind, state, who, reason, startedAt, endedAt, results} = toRunRow(run, machine)
  return {id, kind, state, who, reason, startedAt, endedAt, results}
}
