import {resolve} from 'node:path'
import {urlText} from '../auth/base-url.js'
import {LOCAL} from '../auth/profile.js'
import type {Context} from '../context.js'
import {usageError} from '../errors.js'
import {sayings} from '../http/refusal.js'
import {retryAfterMs} from '../http/retry-after.js'
import type {OrderShop} from '../order/api.js'
import {type AskedReading, readingOf} from '../order/asked.js'
import {type Given, givenTo} from '../order/given.js'
import type {OrderInput} from '../order/read/drafts.js'
import type {OrderSource} from '../order/read/reading.js'
import type {OrderFiles} from '../order/records.js'
import type {SubmitDeps, SubmitTarget} from '../order/submit.js'
import {behindLinks} from '../platform/files.js'
import {keepHeapSmall} from '../platform/small-heap.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {readErrors} from '../wire/read-errors.js'

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

/** What submitting orders needs; the shop and the records are opened once the input has been found good. */
export async function openSubmit(context: Context, asked: AskedSubmit): Promise<SubmitDeps> {
  const {clock, interruption} = context.world
  keepHeapSmall()
  requireDifferentFiles(context, asked)
  const opened = new Opened(context)
  const source = await openSource(context, asked, opened)
  return {
    source,
    given: givenBy(context, asked, opened.canBeReadAgain && asked.files.length > 0),
    openFiles: () => openFiles(context, asked, source),
    openScratch: () => context.openScratch(),
    connect: () => submitTarget(context),
    clock,
    random: Math.random,
    stopping: interruption.stopping,
  }
}

/** What carrying on with a run of orders needs: everything that it was given, and the run. */
export async function openSubmitAgain(context: Context, run: RunRow, force: boolean): Promise<SubmitDeps> {
  const given = givenTo(run)
  return {...(await openSubmit(context, {...given, force: force || given.force})), continues: run}
}

/** Inputs as they are opened. */
class Opened {
  canBeReadAgain = true

  constructor(private readonly context: Context) {}

  async open(path: string): Promise<OrderInput> {
    const input = await this.context.openInput(path)
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
function givenBy({world}: Context, asked: AskedSubmit, canBeReadAgain: boolean): Given {
  const {files, set, map, schema, raw, rejects, report, force} = asked
  const place = (path: string | undefined) => (path === undefined ? undefined : resolve(world.folder(), path))
  return {
    files: canBeReadAgain ? files.map(file => resolve(world.folder(), file)) : undefined,
    ...{set, map, raw, force},
    ...{schema: place(schema), rejects: place(rejects), report: place(report)},
  }
}

async function openSource(context: Context, asked: AskedSubmit, opened: Opened): Promise<OrderSource> {
  const {files, set, onlyChecks} = asked
  const reading = await readingOf(asked, path => opened.textOf(path))
  if (files.length > 0) {
    const inputs = []
    for (const file of files) inputs.push(await opened.open(file))
    return {inputs, reading}
  }
  const {prompts} = context
  const asks = prompts.possible && !onlyChecks
  if (set.length === 0 && !asks) {
    const command = `storectl order ${onlyChecks ? 'validate' : 'submit'}`
    throw usageError('no_orders', 'There is nothing to read orders from: name a FILE, or - for stdin.', [
      `${command} orders.csv`,
      `${command} --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …`,
    ])
  }
  const {askForOrder, ONE_ORDER} = await import('../order/one-order.js')
  const now = context.world.clock.now()
  const settings = asks ? await askForOrder(reading, prompts, now) : reading.settings
  return {inputs: [ONE_ORDER], reading: {...reading, settings}}
}

/** Whoever is interrupted would otherwise lose what was not sent yet. */
function requireDifferentFiles({world}: Context, {files, schema, rejects, report}: AskedSubmit): void {
  if (files.filter(file => file === '-').length > 1) {
    throw usageError('stdin_twice', 'stdin can be read once: give - once.')
  }
  const place = (path: string) => behindLinks(resolve(world.folder(), path))
  const taken = [...files.filter(file => file !== '-'), ...(schema === undefined ? [] : [schema])].map(place)
  for (const [flag, path] of Object.entries({rejects, report})) {
    if (path === undefined) continue
    if (taken.includes(place(path))) {
      throw usageError('same_file', `--${flag} ${path} names a file that is read or written already.`, [
        `--${flag} with another name`,
      ])
    }
    taken.push(place(path))
  }
}

async function openFiles(
  context: Context,
  {rejects, report, force}: AskedSubmit,
  {inputs}: OrderSource,
): Promise<OrderFiles> {
  return {
    ...(rejects !== undefined && {rejects: await openRejects()}),
    ...(report !== undefined && {report: await openReport(report)}),
  }

  async function openRejects() {
    const {commonLayout} = await import('../order/read/layout.js')
    const {Rejects} = await import('../order/rejects.js')
    const layout = await commonLayout(inputs)
    const {sink, keep} = await context.openOutput(rejects as string, force)
    const openScratch = () => context.openScratch()
    return {content: new Rejects({inputs, layout, openScratch, write: text => sink.write(text)}), keep}
  }

  async function openReport(path: string) {
    const {Report} = await import('../order/report.js')
    const {sink, keep} = await context.openOutput(path, force)
    return {content: await Report.open(path, text => sink.write(text)), keep}
  }
}

async function submitTarget(context: Context): Promise<SubmitTarget> {
  const connection = await context.connect()
  const shop: OrderShop = {
    ...connection,
    saying: ({body}) => sayings(readErrors(body)),
    retryAfterMs: answer => retryAfterMs(answer, context.world.clock.now()),
  }
  const {runs: store} = await context.records()
  const {name, url} = shop.profile
  return {shop, store, machine: await context.machine(), target: name === LOCAL ? LOCAL : urlText(url)}
}
