import {createUsageError, StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {ControlChange, RunRow, RunStore} from '../journal/run-store.js'
import type {WatchControl, WatchRow, WatchStore} from '../journal/watch-store.js'
import type {ResumeLimits} from '../resume-limits.js'
import {isHeld} from './lease.js'
import {isLive, type Machine} from './liveness.js'
import {STOPPED_BY_REQUEST} from './peer-monitor.js'

export interface ControlDeps {
  readonly store: Pick<RunStore, 'changeControl' | 'halt' | 'find'>
  readonly machine: Machine
}

/**
 * Changes a run that is under way, of any user and on any machine: its workers follow within two seconds.
 *
 * @returns the run as it is then
 * @throws StorectlError `usage.run_not_open`, `conflict.unresponsive`
 */
export async function changeRun(run: RunRow, change: ControlChange, deps: ControlDeps): Promise<RunRow> {
  refuseNotOpen(run, deps.machine)
  const {store, machine} = deps
  const isChanged = await store.changeControl(run, change, describeAsker(machine))
  const [now = run] = await store.find(run.id)
  if (!isChanged) throw createNotOpenError(now)
  return now
}

/**
 * Stops a run that is under way: its workers start nothing new, finish what is in flight and release the lease.
 *
 * @param reason of the person, `undefined` where none was given
 * @throws StorectlError `usage.run_not_open`, `conflict.unresponsive`
 */
export async function stopRun(run: RunRow, reason: string | undefined, deps: ControlDeps): Promise<void> {
  refuseNotOpen(run, deps.machine)
  const why = reason === undefined ? '' : `: ${reason}`
  await deps.store.halt(run.id, {
    code: STOPPED_BY_REQUEST,
    reason: `stopped by ${describeAsker(deps.machine)}${why}`,
  })
}

export interface ControlWatchDeps {
  readonly watches: Pick<WatchStore, 'changeControl' | 'find' | 'end'>
  readonly machine: Machine
  readonly clock: Clock
  /** Ends the wait for its end. */
  readonly signal: AbortSignal
}

/** How often storectl checks whether a watch has ended. */
const LOOK_MS = 500

/**
 * Pauses, resumes or ends a watch of any user, on any machine, and waits for its end; a watch without a process is
 * ended on its behalf.
 *
 * @throws StorectlError `usage.watch_ended`
 */
export async function changeWatch(
  watch: WatchRow,
  change: Partial<Pick<WatchControl, 'isPaused' | 'stopReason'>>,
  {watches, machine, clock, signal}: ControlWatchDeps,
): Promise<void> {
  const {id} = watch
  if (!(await watches.changeControl(id, change, describeAsker(machine))))
    throw createUsageError('watch_ended', `Watch ${id} has ended. Nothing was changed.`, [
      'storectl run list --kind watch',
    ])
  if (change.stopReason === undefined) return
  for (let now = watch; now.endedAt === null && !signal.aborted; now = (await watches.find(id))[0] ?? now) {
    if (!isLive(now, machine)) return watches.end(id, now.heartbeatAt)
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Limits that were changed while a run was under way; a resume begins with them. */
export function listSetLimits({control}: Pick<RunRow, 'control'>): ResumeLimits {
  const {ratePerSecond = null, concurrency = null} = control ?? {}
  return {
    ...(ratePerSecond !== null && {rate: ratePerSecond}),
    ...(concurrency !== null && {concurrency}),
  }
}

/** Whether a run is under way and paused, so that its own process can resume it. */
export function isPausedRun(run: RunRow, machine: Machine): boolean {
  return run.control?.isPaused === true && isHeld(run, machine)
}

/** `ada on desk` */
function describeAsker({who, host}: Machine): string {
  return `${who} on ${host}`
}

function refuseNotOpen(run: RunRow, machine: Machine): void {
  if (run.state !== 'running') throw createNotOpenError(run)
  if (isHeld(run, machine)) return
  throw new StorectlError(
    'conflict.unresponsive',
    `Run ${run.id} is unresponsive: its process on ${run.host} (pid ${run.pid}) is gone. Nothing was changed.`,
    {nextSteps: [`storectl run resume ${run.id} --take-over`, `storectl run resume ${run.id}`]},
  )
}

function createNotOpenError({id, state}: RunRow): StorectlError {
  const how = {running: 'is running', completed: 'has completed'}[state as string] ?? `was ${state}`
  return createUsageError('run_not_open', `Run ${id} ${how}: it is not under way. Nothing was changed.`, [
    `storectl run show ${id}`,
    ...(state === 'completed' ? [] : [`storectl run resume ${id}`]),
  ])
}
