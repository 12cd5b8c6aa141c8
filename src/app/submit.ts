import {resolve} from 'node:path'
import {formatBaseUrl} from '../auth/profile/base-url.js'
import {LOCAL} from '../auth/profile/profile.js'
import {usageError} from '../errors.js'
import {sayings} from '../http/response-errors.js'
import {retryAfterMs} from '../http/retry.js'
import type {OrderInput} from '../order/draft/draft.js'
import type {OrderSource} from '../order/draft/read-options.js'
import {requireDifferentFiles} from '../order/file-collisions.js'
import type {OrderShop} from '../order/order-client.js'
import type {OrderFiles} from '../order/submit/result-files.js'
import type {SubmitDeps, SubmitTarget} from '../order/submit/submit.js'
import {type Given, givenTo} from '../order/submit/submit-input.js'
import {type AskedReading, resolveReadOptions} from '../order/validate/submit-read-options.js'
import {behindLinks} from '../platform/files/files.js'
import {keepHeapSmall, thisMachine} from '../platform/processes.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {readErrors} from '../wire/read-errors.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** What a submit works on, in the words of the command line. */
export interface AskedSubmit extends AskedReading {
  /** Files, and `-` for stdin; one order from settings and questions when there are none. */
  readonly files: readonly string[]
  readonly rejects?: string | undefined
  readonly report?: string | undefined
  /** Whether files that are there may be replaced. */
  readonly force: boolean
  /** Whether orders are only looked at: what is missing is a fault then, and nobody is asked for it. */
  readonly onlyChecks?: boolean
}

/**
 * Dependencies of a submit: its input, the files that it writes, the shop and the run's records. Shop and records are
 * opened after the input has been checked.
 */
export async function buildSubmitDeps(
  host: Host,
  adapters: Adapters,
  asked: AskedSubmit,
): Promise<SubmitDeps> {
  const {clock, folder, interruption} = host
  keepHeapSmall()
  requireDifferentFiles(asked, path => behindLinks(resolve(folder(), path)))
  const opened = new Opened(adapters)
  const source = await openSource(host, adapters, asked, opened)
  return {
    source,
    given: givenBy(host, asked, opened.canBeReadAgain && asked.files.length > 0),
    openFiles: () => openFiles(adapters, asked, source),
    openScratch: () => adapters.files.openScratch(),
    connect: () => connectTarget(host, adapters),
    clock,
    random: Math.random,
    stopping: interruption.stopping,
  }
}

/** Dependencies of resuming a run of orders: everything that it was given, and the run. @param force may replace files */
export async function buildSubmitResumeDeps(
  host: Host,
  adapters: Adapters,
  run: RunRow,
  force: boolean,
): Promise<SubmitDeps> {
  const given = givenTo(run)
  return {...(await buildSubmitDeps(host, adapters, {...given, force: force || given.force})), continues: run}
}

/** Inputs as they are opened. */
class Opened {
  canBeReadAgain = true

  constructor(private readonly adapters: Adapters) {}

  async open(path: string): Promise<OrderInput> {
    const input = await this.adapters.files.openInput(path)
    if (input.place === undefined) this.canBeReadAgain = false
    return input
  }

  async textOf(path: string): Promise<string> {
    const pieces: Buffer[] = []
    for await (const piece of (await this.open(path)).read()) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
}

/** What was asked for, with places as they are seen from any folder. */
function givenBy({folder}: Host, asked: AskedSubmit, canBeReadAgain: boolean): Given {
  const {files, set, map, schema, raw, rejects, report, force} = asked
  const place = (path: string | undefined) => (path === undefined ? undefined : resolve(folder(), path))
  return {
    files: canBeReadAgain ? files.map(file => resolve(folder(), file)) : undefined,
    ...{set, map, raw, force},
    ...{schema: place(schema), rejects: place(rejects), report: place(report)},
  }
}

async function openSource(
  {clock}: Host,
  {prompts}: Adapters,
  asked: AskedSubmit,
  opened: Opened,
): Promise<OrderSource> {
  const {files, set, onlyChecks} = asked
  const reading = await resolveReadOptions(asked, path => opened.textOf(path))
  if (files.length > 0) {
    const inputs = []
    for (const file of files) inputs.push(await opened.open(file))
    return {inputs, reading}
  }
  const asks = prompts.possible && !onlyChecks
  if (set.length === 0 && !asks) {
    const command = `storectl order ${onlyChecks ? 'validate' : 'submit'}`
    throw usageError('no_orders', 'There is nothing to read orders from: name a FILE, or - for stdin.', [
      `${command} orders.csv`,
      `${command} --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …`,
    ])
  }
  const {askForOrder, ONE_ORDER} = await import('../order/submit/prompt-order.js')
  const settings = asks ? await askForOrder(reading, prompts, clock.now()) : reading.settings
  return {inputs: [ONE_ORDER], reading: {...reading, settings}}
}

async function openFiles(
  adapters: Adapters,
  {rejects, report, force}: AskedSubmit,
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
    saying: ({body}) => sayings(readErrors(body)),
    retryAfterMs: answer => retryAfterMs(answer, clock.now()),
  }
  const {runs: store} = await adapters.openRecords()
  const {name, url} = shop.profile
  return {shop, store, machine: thisMachine(env), target: name === LOCAL ? LOCAL : formatBaseUrl(url)}
}
