import {confirmWrite} from '../auth/profile/confirm-write.js'
import {parseStoredProfiles} from '../auth/profile/stored-profiles.js'
import {describeMachine} from '../platform/processes.js'
import {findRun, findWatch} from '../runs/find-run.js'
import type {RunRow, RunStore} from '../runs/journal/run-store.js'
import {toRunRow} from '../runs/report/run-view.js'
import {toWatchRow} from '../runs/report/watch-view.js'
import {type ResumeLimits, resumeWithLimits} from '../runs/resume-limits.js'
import {changeRun, changeWatch, isPausedRun} from '../runs/workers/control-run.js'
import type {Machine} from '../runs/workers/liveness.js'
import {takeOver} from '../runs/workers/take-over.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** A run that may be changed from this terminal, with the dependencies. */
export interface ControlledRun {
  readonly run: RunRow
  readonly deps: {readonly store: RunStore; readonly machine: Machine}
}

/**
 * Finds a run by `last`, an id or a prefix of one, and has its change confirmed if its profile is protected.
 *
 * @param verb what is to be done with it: `pause`
 * @throws StorectlError as `findRun` and `confirmWrite` do
 */
export async function buildRunControl(
  host: Host,
  adapters: Adapters,
  word: string,
  verb: 'pause' | 'stop' | 'change' | 'resume',
): Promise<ControlledRun> {
  const {runs: store} = await adapters.openRecords()
  const run = await findRun(store, word)
  await confirmControl(run, verb, adapters)
  return {run, deps: {store, machine: describeMachine(host.env)}}
}

/** The row of a watch; `undefined` if the word names none. */
export async function findWatchRow(host: Host, adapters: Adapters, word: string) {
  const records = await adapters.openRecords()
  const watch = await findWatch(records, word)
  return watch && toWatchRow(watch, describeMachine(host.env), records.runs)
}

/**
 * Pauses, resumes or ends the watch that a word names: its run ends once its requests in flight have ended.
 *
 * @returns its row afterwards; `undefined` if the word names no watch
 * @throws StorectlError `usage.watch_ended`, and as `confirmWrite` does
 */
export async function changeNamedWatch(
  host: Host,
  adapters: Adapters,
  word: string,
  {isPaused, stopReason}: {readonly isPaused?: boolean | undefined; readonly stopReason?: string},
) {
  const records = await adapters.openRecords()
  const change = {...(isPaused !== undefined && {isPaused}), ...(stopReason !== undefined && {stopReason})}
  const watch = Object.keys(change).length > 0 && (await findWatch(records, word))
  if (!watch) return undefined
  await confirmControl(watch, stopReason === undefined ? 'change' : 'stop', adapters)
  const {clock, interruption} = host
  await changeWatch(watch, change, {
    ...{watches: records.watches, machine: describeMachine(host.env), clock},
    signal: interruption.stopping,
  })
  return findWatchRow(host, adapters, watch.id)
}

/** Lets a paused run continue in its own processes. @returns its row, `undefined` if it is not paused */
export async function resumePaused(host: Host, adapters: Adapters, stored: RunRow, limits: ResumeLimits) {
  if (!isPausedRun(stored, describeMachine(host.env))) return undefined
  const change = resumeWithLimits(stored.id, limits)
  const {run, deps} = await buildRunControl(host, adapters, stored.id, 'resume')
  return toRunRow(await changeRun(run, change, deps), deps.machine)
}

/** Ends an unresponsive run, so that another process can resume it. @returns its row, and how to resume it */
export async function takeOverRun(host: Host, adapters: Adapters, run: RunRow, force: boolean) {
  const {runs: store} = await adapters.openRecords()
  const clock = await adapters.openRecordsClock()
  const machine = describeMachine(host.env)
  const row = toRunRow(await takeOver(run, force, {store, machine, clock}), machine)
  return {row, next: TO_CONTINUE[run.kind].replace('ID', run.id)}
}

const TO_CONTINUE: Readonly<Record<RunRow['kind'], string>> = {
  replay: 'To resume: storectl run resume ID',
  submit: 'To resume, run the same "order submit" again.',
  repair: 'To resume, apply its plan again.',
  resolve: 'To undo what it resolved: storectl webhook resolve --undo ID',
  undo: 'To resume, run the same "webhook resolve --undo" again.',
}

/** An unprotected profile needs no confirmation: a run under way was confirmed when it began. */
async function confirmControl(
  run: Pick<RunRow, 'id' | 'profile'>,
  verb: string,
  adapters: Adapters,
): Promise<void> {
  const {content} = await adapters.home.readUser()
  const isProtected = parseStoredProfiles(content)[run.profile]?.protected === true
  if (!isProtected) return
  const {confirm} = adapters.options
  await confirmWrite(`${verb} run ${run.id} on ${run.profile}`, {
    profile: {name: run.profile, protected: true},
    ...{yes: false, confirm, prompts: adapters.prompts},
  })
}
