import type {ResolutionRow} from '../../contract/event-rows.js'
import type {View} from '../../output/view.js'
import type {Clock} from '../../platform/clock.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {Counts} from '../../runs/journal/worker.js'
import type {OpenRun, RunIntent} from '../../runs/open-run.js'
import {describeCounts} from '../../runs/report/run-view.js'
import type {Inbox} from '../inbox/inbox.js'

export const RESOLUTIONS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'result', priority: 1},
    {path: 'id'},
    {path: 'orderNumber', header: 'ORDER', priority: 3},
    {path: 'amount', kind: 'money', priority: 2},
  ],
}

/** Which events to mark, in a run of its own. */
export type MarkRequest = Pick<RunIntent, 'reason'> & {
  /** Each batch is one commit: some hundreds. */
  readonly ids: AsyncIterable<readonly string[]>
  readonly count: number
  /** Id of the run to undo; `undefined` if events are resolved. */
  readonly resolvedBy?: string | undefined
}

/** Dependencies of marking events by hand. */
export interface MarkDeps {
  readonly inbox: Pick<Inbox, 'resolve' | 'reopen'>
  readonly target: string
  /** Who does it, for the history of the events. */
  readonly who: string
  readonly clock: Pick<Clock, 'now'>
  readonly openRun: (intent: Pick<RunIntent, 'kind' | 'reason' | 'total' | 'options'>) => Promise<OpenRun>
  readonly store: Pick<RunStore, 'readControl'>
  /** Ends it between two commits. */
  readonly stopping: AbortSignal
}

/** Events, marked while their rows are read. */
export interface MarkedEvents {
  /** How many there are to mark. */
  readonly count: number
  readonly rows: AsyncIterable<ResolutionRow>
  /** The summary of the run; complete once the rows have ended, and without an id if nothing was to be marked. */
  readonly run: {id?: string; isComplete: boolean; counts: Counts}
}

/** Resolves events, or undoes a run that did, as a run that sends nothing. */
export function markEvents(request: MarkRequest, deps: MarkDeps): MarkedEvents {
  const {count} = request
  const run: MarkedEvents['run'] = {isComplete: count === 0, counts: {}}
  return {count, run, rows: streamMarks(request, run, deps)}
}

/** Each batch is one commit, with its entries in the journal. A reader that leaves ends the run. */
async function* streamMarks(
  {ids, count, reason, resolvedBy}: MarkRequest,
  marked: MarkedEvents['run'],
  {inbox, target, who, clock, openRun, store, stopping}: MarkDeps,
): AsyncGenerator<ResolutionRow, void, void> {
  if (count === 0) return
  const isUndo = resolvedBy !== undefined
  const [kind, options] = isUndo ? (['undo', {undo: resolvedBy}] as const) : (['resolve', {}] as const)
  const run = await openRun({kind, reason, options, total: count})
  marked.id = run.id
  try {
    for await (const some of ids) {
      if (stopping.aborted || (await store.readControl(run.id)).stop) return
      const marking = {at: clock.now(), who, reason, run: {id: run.id, kind, target}} as const
      const results = isUndo
        ? await inbox.reopen(target, some, {...marking, resolvedBy})
        : await inbox.resolve(target, some, marking)
      for (const [id, mark] of results) yield {id, ...mark}
    }
    marked.isComplete = true
  } finally {
    marked.counts = (await run.end({isComplete: marked.isComplete})).counts
  }
}

/** Whether an event was not marked as requested, so that the exit code should show it. */
export function hasFallenShort({result}: ResolutionRow): boolean {
  return result === 'not-found' || result === 'changed'
}

/** `7 resolved, 1 was-delivered (run 01m8432gegpvcjpq). Undo: storectl webhook resolve --undo 01m8432gegpvcjpq` */
export function describeMarked({id, counts}: MarkedEvents['run']): string {
  const undo = counts.resolved ? `. Undo: storectl webhook resolve --undo ${id}` : ''
  const left = counts.changed ? '. What has changed since is left as it is' : ''
  return `${describeCounts(counts) || 'nothing marked'} (run ${id})${undo}${left}`
}
