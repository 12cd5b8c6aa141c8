import {createUsageError, StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {computeWorkerOrigin} from '../journal/hash-chain.js'
import {createRunId} from '../journal/run-id.js'
import type {RunKind, RunRow, RunStore} from '../journal/run-store.js'
import {isHeld} from './lease.js'
import type {Machine} from './liveness.js'
import {WorkerSession} from './worker-session.js'

export interface JoinDeps {
  readonly store: RunStore
  readonly machine: Machine
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** Ends the waiting for a plan. */
  readonly stopping: AbortSignal
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** How often a run without a stored plan is read. */
const LOOK_MS = 500

/**
 * A run once its plan is stored and confirmed; waits for that while somebody is working on it.
 *
 * @throws StorectlError `usage.run_is_over`, `usage.not_shared`; the signal's reason
 */
export async function waitUntilPlanned(run: RunRow, deps: JoinDeps): Promise<RunRow> {
  const {store, machine, clock, stopping, note} = deps
  if (run.kind !== 'replay') throw refuseUnshared(run)
  let hasSaid = false
  for (let now: RunRow | undefined = run; ; [now] = await store.find(run.id)) {
    stopping.throwIfAborted()
    if (!now) throw refuseDiscarded(run)
    if (now.state !== 'running') throw isOver(now)
    if (now.total !== null) return now
    if (!isHeld(now, machine)) throw refuseUnplanned(now)
    if (!hasSaid)
      await note(`run ${run.id} by ${run.who} on ${run.host} is being planned; waiting for it to begin`)
    hasSaid = true
    await clock.sleep(LOOK_MS, stopping)
  }
}

/**
 * Joins a run that another worker began; sends heartbeats until `end`.
 *
 * @param run as `waitUntilPlanned` returns it
 * @throws StorectlError `usage.run_is_over`, `usage.not_shared`
 */
export async function joinRun(run: RunRow, deps: JoinDeps): Promise<WorkerSession> {
  const {store, machine, clock, random} = deps
  const {who, host, pid, processStart} = machine
  const {id, kind, target} = run
  const worker = {id: createRunId(clock.now(), random), who, host, pid, processStart}
  const joined = await store.join({id, kind, target}, worker)
  if (joined === 'over') throw isOver((await store.find(id))[0] ?? run)
  if (joined !== 'joined') throw refuseUnshared(run)
  return new WorkerSession(
    {id, kind, target, worker: worker.id},
    () => computeWorkerOrigin(run, worker),
    deps,
  )
}

function isOver({id, state, stopCode}: RunRow): StorectlError {
  const how = state === 'running' ? `is being stopped (${stopCode})` : HOW[state]
  return createUsageError('run_is_over', `Run ${id} ${how}: nothing to join. Nothing was sent.`, [
    `storectl run show ${id}`,
    ...(state === 'completed' ? [] : [`storectl run resume ${id}`]),
  ])
}

const HOW = {completed: 'has completed', stopped: 'was stopped', interrupted: 'was interrupted'} as const

const WHY_UNSHARED: Readonly<Record<RunKind, string>> = {
  submit: 'is a submit, and its files are on the machine that began it',
  replay: 'was begun by an older storectl, which cannot share',
  repair: 'is a repair, which uses one worker',
  resolve: 'marked events by hand, and there is nothing to resume',
  undo: 'marked events by hand, and there is nothing to resume',
}

function refuseUnshared({id, kind}: RunRow): StorectlError {
  const why = WHY_UNSHARED[kind]
  const ways =
    kind === 'submit'
      ? [
          'split the orders into several files and submit those one after the other, with a higher --concurrency',
        ]
      : [`storectl run show ${id} --follow`, `storectl run resume ${id}   (when it is over)`]
  return createUsageError('not_shared', `Run ${id} ${why}: it cannot be joined. Nothing was sent.`, ways)
}

function refuseDiscarded({id}: RunRow): StorectlError {
  return createUsageError('run_is_over', `Run ${id} was cancelled before it began. Nothing was sent.`, [
    'storectl run list',
  ])
}

function refuseUnplanned({id}: RunRow): StorectlError {
  return new StorectlError(
    'usage.never_began',
    `Run ${id} became unresponsive before its plan was complete. Nothing was sent.`,
    {
      nextSteps: ['storectl webhook replay --dry-run'],
    },
  )
}
