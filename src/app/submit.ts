import {resolve} from 'node:path'
import type {SubmitFlags} from '../flags/order-flags.js'
import {describeErrorsOf} from '../http/response-errors.js'
import {readRetryAfterMs} from '../http/retry.js'
import {requireDifferentFiles} from '../order/file-collisions.js'
import type {OrderShop} from '../order/order-client.js'
import {openOrderFiles} from '../order/submit/open-files.js'
import {OpenedInputs, openSource} from '../order/submit/open-source.js'
import {createSubmit, type SubmitDeps, type SubmitTarget} from '../order/submit/submit.js'
import {
  buildRunInput,
  parseSubmitOptions,
  restoreRunInput,
  type SubmitOptions,
  type SubmitRequest,
} from '../order/submit/submit-input.js'
import {createNoteWriter} from '../output/write-note.js'
import {resolveLinks} from '../platform/files/files.js'
import {describeMachine} from '../platform/processes.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {applyLimits, type ResumeLimits, requireNoMax} from '../runs/resume-limits.js'
import type {Adapters} from './adapters/adapters.js'
import {findTarget} from './adapters/home.js'
import type {Host} from './host.js'

type SubmitTask = ReturnType<typeof createSubmit>

/** A submit: its input, the files that it writes, the shop and the run's records. */
export async function buildSubmit(
  host: Host,
  adapters: Adapters,
  request: SubmitRequest & SubmitFlags,
  isTable: boolean,
): Promise<SubmitTask> {
  const options = parseSubmitOptions(request, adapters.options.reason ?? null)
  const deps = {...(await buildSubmitDeps(host, adapters, request)), failsIfEmpty: request['fail-if-empty']}
  return createSubmit(options, deps, {isTable, stderr: host.stderr})
}

/** The rest of a run of orders: its input, and the run. @throws StorectlError `usage.max_of_replay` */
export async function buildSubmitResume(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  {
    force,
    isTable,
    limits,
  }: {readonly force: boolean; readonly isTable: boolean; readonly limits: ResumeLimits},
): Promise<SubmitTask> {
  requireNoMax(run.id, limits)
  const stored = restoreRunInput(run)
  const deps = await buildSubmitDeps(host, adapters, {...stored, force: force || stored.force})
  const {given: _, ...options} = run.options as unknown as SubmitOptions & {readonly given: object}
  return createSubmit(
    {...applyLimits(options, limits), reason: adapters.options.reason ?? run.reason},
    {...deps, continues: run},
    {isTable, stderr: host.stderr},
  )
}

/**
 * Dependencies of a submit, and of a check of its orders. Shop and records are opened after the input has been checked.
 */
export async function buildSubmitDeps(
  host: Host,
  adapters: Adapters,
  request: SubmitRequest,
): Promise<SubmitDeps> {
  const {clock, folder, interruption, stderr} = host
  requireDifferentFiles(request, path => resolveLinks(resolve(folder(), path)))
  const {files, prompts} = adapters
  const opened = new OpenedInputs(files.openInput)
  const source = await openSource(request, opened, {prompts, now: () => clock.now()})
  return {
    source,
    given: buildRunInput(request, path => resolve(folder(), path), opened.canBeReadAgain),
    fileNames: request,
    command: adapters.commandLine,
    openFiles: () => openOrderFiles(request, source, files),
    openScratch: () => files.openScratch(),
    connect: () => connectTarget(host, adapters),
    clock,
    random: Math.random,
    stopping: interruption.stopping,
    note: createNoteWriter(stderr),
  }
}

async function connectTarget({env}: Host, adapters: Adapters): Promise<SubmitTarget> {
  const connection = await adapters.connect()
  const clock = await adapters.openRecordsClock()
  const shop: OrderShop = {
    ...connection,
    describeErrors: describeErrorsOf,
    retryAfterMs: answer => readRetryAfterMs(answer, clock.now()),
  }
  const {runs: store, noteIfRestored} = await adapters.openRecords()
  const isRestored = await noteIfRestored()
  const target = await findTarget(adapters.home, connection.profile)
  const {presumeLostAfterMs} = connection.profile
  return {shop, store, machine: describeMachine(env), clock, target, presumeLostAfterMs, isRestored}
}
