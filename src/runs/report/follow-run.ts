import type {Clock} from '../../platform/clock.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunRow, RunStore} from '../journal/run-store.js'
import {isHeld, type Machine} from '../workers/lease.js'

/** How often the records are looked at: a person sees no difference, and the run's own writes go on. */
const LOOK_MS = 500

export interface FollowRunDeps {
  readonly store: Pick<RunStore, 'find' | 'listResults'>
  readonly machine: Machine
  readonly clock: Clock
  /** Ends the following; the run goes on. */
  readonly signal: AbortSignal
}

/** The run at each look that found something new in it, the first one included, until it is over or goes silent. */
export async function* followRun(run: RunRow, deps: FollowRunDeps): AsyncGenerator<RunRow, void, void> {
  let seen = ''
  for await (const now of pollRun(run, deps)) {
    const shown = JSON.stringify([now.state, now.total, now.counts])
    if (shown !== seen) yield now
    seen = shown
  }
}

/** The results of a run, those of the past and then each as it comes, until the run is over or goes silent. */
export async function* followResults(
  run: RunRow,
  deps: FollowRunDeps,
): AsyncGenerator<JournalEntry, void, void> {
  const seen = new Map<string, number>()
  for await (const _ of pollRun(run, deps)) {
    for await (const result of deps.store.listResults(run.id, seen)) {
      seen.set(result.worker, result.sequence)
      yield result
    }
  }
}

/** The last look comes after the run's last word. */
async function* pollRun(
  run: RunRow,
  {store, machine, clock, signal}: FollowRunDeps,
): AsyncGenerator<RunRow, void, void> {
  for (let now = run; ; now = (await store.find(run.id))[0] ?? now) {
    yield now
    if (!isHeld(now, machine) || signal.aborted) return
    await clock.sleep(LOOK_MS, signal)
  }
}
