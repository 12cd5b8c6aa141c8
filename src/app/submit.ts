import {resolve} from 'node:path'
import {formatBaseUrl} from '../auth/profile/base-url.js'
import {LOCAL} from '../auth/profile/profile.js'
import {createUsageError} from '../errors.js'
import {describeErrors} from '../http/response-errors.js'
import {readRetryAfterMs} from '../http/retry.js'
import type {OrderInput} from '../order/draft/draft.js'
import type {OrderSource} from '../order/draft/read-options.js'
import {requireDifferentFiles} from '../order/file-collisions.js'
import type {OrderShop} from '../order/order-client.js'
import type {EndedOrder, OrderFiles} from '../order/submit/result-files.js'
import {createSubmit, type SubmitDeps, type SubmitTarget} from '../order/submit/submit.js'
import {
  type Given,
  parseSubmitOptions,
  restoreRunInput,
  type SubmitFlags,
  type SubmitOptions,
} from '../order/submit/submit-input.js'
import type {Submission} from '../order/submit/submit-operation.js'
import {type AskedReading, resolveReadOptions} from '../order/validate/submit-read-options.js'
import {escapeControls} from '../output/escape-controls.js'
import {resolveLinks} from '../platform/files/files.js'
import {describeMachine, keepHeapSmall} from '../platform/processes.js'
import type {BulkTask} from '../runs/bulk-run.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {readErrors} from '../wire/read-errors.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** A submit in the words of the command line. */
export interface SubmitRequest extends AskedReading {
  /** Files, and `-` for stdin; one order from settings and questions when there are none. */
  readonly files: readonly string[]
  readonly rejects?: string | undefined
  readonly report?: string | undefined
  /** Whether existing files may be replaced. */
  readonly force: boolean
  /** Whether orders are only checked: what is missing is a fault then, and nobody is asked for it. */
  readonly onlyChecks?: boolean
}

type SubmitTask = BulkTask<Submission, EndedOrder>

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

/** The rest of a run of orders: everything that it was given, and the run. */
export async function buildSubmitResume(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  {force, isTable}: {readonly force: boolean; readonly isTable: boolean},
): Promise<SubmitTask> {
  const stored = restoreRunInput(run)
  const deps = await buildSubmitDeps(host, adapters, {...stored, force: force || stored.force})
  const {given: _, ...options} = run.options as unknown as SubmitOptions & {readonly given: object}
  return createSubmit(
    {...options, reason: adapters.options.reason ?? run.reason},
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
  keepHeapSmall()
  requireDifferentFiles(request, path => resolveLinks(resolve(folder(), path)))
  const opened = new Opened(adapters)
  const source = await openSource(host, adapters, request, opened)
  return {
    source,
    given: buildRunInput(host, request, opened.canBeReadAgain && request.files.length > 0),
    fileNames: request,
    openFiles: () => openFiles(adapters, request, source),
    openScratch: () => adapters.files.openScratch(),
    connect: () => connectTarget(host, adapters),
    clock,
    random: Math.random,
    stopping: interruption.stopping,
    note: async text => void stderr.write(`${escapeControls(text)}\n`),
  }
}

/** Inputs as they are opened. */
class Opened {
  canBeReadAgain = true

  constructor(private readonly adapters: Adapters) {}

  async open(path: string): Promise<OrderInput> {
    const input = await this.adapters.files.openInput(path)
    if (input.absolutePath === undefined) this.canBeReadAgain = false
    return input
  }

  async readText(path: string): Promise<string> {
    const pieces: Buffer[] = []
    for await (const piece of (await this.open(path)).read()) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
}

/** What was asked for, with places as they are seen from any folder. */
function buildRunInput({folder}: Host, request: SubmitRequest, canBeReadAgain: boolean): Given {
  const {files, set, map, schema, raw, rejects, report, force} = request
  const resolvePath = (path: string | undefined) => (path === undefined ? undefined : resolve(folder(), path))
  return {
    files: canBeReadAgain ? files.map(file => resolve(folder(), file)) : undefined,
    ...{set, map, raw, force},
    ...{schema: resolvePath(schema), rejects: resolvePath(rejects), report: resolvePath(report)},
  }
}

async function openSource(
  {clock}: Host,
  {prompts}: Adapters,
  request: SubmitRequest,
  opened: Opened,
): Promise<OrderSource> {
  const {files, set, onlyChecks} = request
  const reading = await resolveReadOptions(request, path => opened.readText(path))
  if (files.length > 0) {
    const inputs = []
    for (const file of files) inputs.push(await opened.open(file))
    return {inputs, reading}
  }
  const asks = prompts.possible && !onlyChecks
  if (set.length === 0 && !asks) {
    const command = `storectl order ${onlyChecks ? 'validate' : 'submit'}`
    throw createUsageError(
      'no_orders',
      'There is nothing to read orders from: name a FILE, or - for stdin.',
      [
        `${command} orders.csv`,
        `${command} --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …`,
      ],
    )
  }
  const {askForOrder, ONE_ORDER} = await import('../order/submit/prompt-order.js')
  const settings = asks ? await askForOrder(reading, prompts, clock.now()) : reading.settings
  return {inputs: [ONE_ORDER], reading: {...reading, settings}}
}

async function openFiles(
  adapters: Adapters,
  {rejects, report, force}: SubmitRequest,
  {inputs}: OrderSource,
): Promise<OrderFiles> {
  return {
    ...(rejects !== undefined && {rejects: await openRejects()}),
    ...(report !== undefined && {report: await openReport(report)}),
  }

  async function openRejects() {
    const {findCommonLayout: commonLayout} = await import('../order/read/file-layout.js')
    const {Rejects} = await import('../order/submit/rejects-file.js')
    const layout = await commonLayout(inputs)
    const {sink, keep} = await adapters.files.openOutput(rejects as string, force)
    const openScratch = () => adapters.files.openScratch()
    return {content: new Rejects({inputs, layout, openScratch, write: text => sink.write(text)}), keep}
  }

  async function openReport(path: string) {
    const {Report} = await import('../order/submit/report-file.js')
    const {sink, keep} = await adapters.files.openOutput(path, force)
    return {content: await Report.open(path, text => sink.write(text)), keep}
  }
}

async function connectTarget({clock, env}: Host, adapters: Adapters): Promise<SubmitTarget> {
  const connection = await adapters.connect()
  const shop: OrderShop = {
    ...connection,
    describeErrors: ({body}) => describeErrors(readErrors(body)),
    retryAfterMs: answer => readRetryAfterMs(answer, clock.now()),
  }
  const {runs: store} = await adapters.openRecords()
  const {name, url} = shop.profile
  return {shop, store, machine: describeMachine(env), target: name === LOCAL ? LOCAL : formatBaseUrl(url)}
}
