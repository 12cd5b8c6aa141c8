import {Command} from '@oclif/core/command'
import type * as Interfaces from '@oclif/core/interfaces'
import {type Adapters, createAdapters, type OpenAdapters} from '../app/adapters/adapters.js'
import {HOST, type Host, openPager, type PagedHost} from '../app/host.js'
import {createUsageError, EXIT, type ExitName, StorectlError} from '../errors.js'
import {formatCommandLine} from '../flags/command-line.js'
import {type GlobalFlags, printFlags} from '../flags/global-flags.js'
import {formatErrorJson, formatErrorText} from '../output/error-report.js'
import {type ListOptions, Presenter, splitFields} from '../output/presenter.js'
import type {Rows} from '../output/print.js'
import type {Row, View} from '../output/view.js'
import type {ProgressOutput} from '../platform/terminal/progress.js'
import type {RunOutput} from '../runs/report/present-run.js'
import {createShopKeeper, formatNote, keepShopOn, type ShopFlags} from './keep-shop.js'
import {describeLocalMoments, requireTimeRanges} from './local-moments.js'
import {escapeDashedValues, unescapeValues, wantsJson} from './manifest/argv.js'
import {exitAtEnd, exitOfStop, ignoreStop, stopInTime} from './stop-in-time.js'
import {checkArgValues, checkFlagValues, checkWords, toUsageError} from './usage-errors.js'

type FlagOutput = Interfaces.OutputFlags<Interfaces.FlagInput>
type ArgOutput = Interfaces.OutputArgs<Interfaces.ArgInput>

/** Flags that turn the pager off. */
const UNPAGED = ['no-pager', 'no-input', 'debug', 'follow', 'fail-if-any', 'fail-if-empty']

/**
 * The bridge to oclif: gives a command its host, adapters and presenter, and turns its end into an exit code, to which
 * `Command.run()` resolves.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags: Interfaces.FlagInput = printFlags
  static override enableJsonFlag = false

  /** Whether the command changes something: a closed stdout then ends it with 141 instead of 0. */
  static changes = false

  /** Fields of its rows, where a command sends something before it prints the first; `undefined` leaves them unchecked. */
  static resultFields: readonly string[] | undefined

  /** Whether a job must choose its shop, because its result may mean that all is well. */
  static needsChosenShop = false

  /** Whether a signal is this command's ordinary end, as for a server: then it exits with 0. */
  static endsBySignal = false

  /** The machine. */
  protected host!: Host
  /** Whether a signal is the ordinary end of this very command line. */
  protected endsBySignal = (this.ctor as typeof BaseCommand).endsBySignal

  #adapters: OpenAdapters | undefined
  /** From the settings; `undefined` if they cannot be read. */
  #resolveFormat: (() => GlobalFlags['output']) | undefined
  #paged: PagedHost | undefined

  /** Openers of what is outside the process, used at first need. */
  protected get adapters(): Adapters {
    this.#adapters ??= createAdapters(this.host, {})
    return this.#adapters
  }

  /** The flags that every command has. */
  protected get globals(): GlobalFlags {
    return this.adapters.options
  }

  /** Prints results in the format of flags, environment or settings. */
  protected get presenter(): Presenter {
    const {env, clock, platform} = this.host
    const hasColor = !env.NO_COLOR && env.TERM !== 'dumb' && (platform === 'win32' || Boolean(env.TERM))
    const forEyes = {now: this.globals.verbose ? undefined : clock.now(), hasColor}
    const appearance = {forEyes, noHeader: this.globals['no-header'], bom: this.globals.bom}
    return new Presenter(this.host, () => this.#readFormat(), splitFields(this.globals.fields), appearance)
  }

  /** The same of this very command line. */
  protected get isChange(): boolean {
    return (this.ctor as typeof BaseCommand).changes
  }

  /** Whether a signal ended the work, not a closed reader. */
  protected get isStopped(): boolean {
    return this.host.interruption.isBySignal
  }

  #exit: ExitName = 'ok'

  /** The exit to end with when nothing throws. */
  protected endWith(name: ExitName): void {
    this.#exit = name
  }

  /** Prints a list as it comes, row by row or batch by batch. */
  protected print(rows: Rows, view: View, options?: ListOptions): Promise<number> {
    return this.presenter.print(rows, view, options)
  }

  /** Prints one record. */
  protected printOne(record: Row, view: View): Promise<void> {
    return this.presenter.printOne(record, view)
  }

  /** Prints a list, and below it on a terminal how many there are. @param limit where the list was cut */
  protected async printCounted(
    rows: Rows,
    view: View,
    {limit}: {readonly limit?: number | undefined} = {},
  ): Promise<number> {
    const shown = await this.print(rows, view)
    await this.noteShown(shown, view.noun, async () => (shown === limit ? undefined : shown), null)
    return shown
  }

  /** A note for the person, on stderr; never part of the result. */
  protected note(text: string): Promise<void> {
    return this.presenter.note(text)
  }

  /** Names the shop that was asked where a list is empty. @param what `orders at` */
  protected async noteIfEmpty(shown: number, what: string): Promise<void> {
    if (shown > 0) return
    const {describeNothingFound} = await import('../auth/profile/describe-shop.js')
    await this.note(describeNothingFound(what, await this.adapters.chooseProfile()))
  }

  /** Notes below a complete list how many there are, or names the shop that was asked. @param what `events to verify in` */
  protected async noteFound(found: number, noun: View['noun'], what: string): Promise<void> {
    await this.noteIfEmpty(found, what)
    await this.noteShown(found, noun, async () => found)
  }

  /**
   * Notes below a table on a terminal how many of all were shown.
   *
   * @param countAll counts those that match, `undefined` where that takes too long
   * @param whose the shop that was asked; the chosen one by default, `null` where none was
   */
  protected async noteShown(
    shown: number,
    noun: View['noun'],
    countAll: () => Promise<number | undefined>,
    whose?: string | null,
  ): Promise<void> {
    if (shown === 0 || this.presenter.format !== 'table' || !this.host.stdout.isTerminal) return
    const {describeShown} = await import('../output/describe-shown.js')
    const name = whose === undefined ? (await this.adapters.chooseProfile()).name : (whose ?? undefined)
    await this.note(describeShown(shown, await countAll(), noun, name))
  }

  /** Names the shop that was asked in the error for a record that is not there. */
  protected async nameShopIfMissing<T>(looking: Promise<T>): Promise<T> {
    return looking.catch(async error => {
      if (!(error instanceof StorectlError) || error.exitName !== 'empty') throw error
      const {describeChosenShop} = await import('../auth/profile/describe-shop.js')
      const shop = describeChosenShop(await this.adapters.chooseProfile())
      const message = error.message.replace(/^The shop\b/, shop)
      throw new StorectlError(error.code, message, {nextSteps: error.nextSteps})
    })
  }

  /** Where progress is shown. */
  protected get progressOutput(): ProgressOutput {
    const {clock, interruption} = this.host
    return {
      openBar: () => this.host.openProgressBar(),
      note: text => this.note(text),
      verbose: this.globals.verbose === true,
      clock,
      stopping: interruption.stopping,
    }
  }

  /** Where a run is printed, and how far it is. */
  protected get runOutput(): RunOutput {
    const {interruption, stderr} = this.host
    return {
      ...this.progressOutput,
      print: (rows, view) => this.print(rows, view),
      wasInterrupted: () => interruption.cause !== undefined,
      isBrief: this.#isBrief,
      printGrouped: this.printGrouped,
      setLastMessage: words => interruption.registerLastMessage(() => formatNote(words(), stderr)),
    }
  }

  /** Prints many rows in groups; `undefined` where nobody reads a table, or somebody asked for all rows or for fields. */
  protected get printGrouped(): RunOutput['printGrouped'] {
    const {presenter} = this
    return this.#isBrief && presenter.isInWords ? presenter.printGrouped.bind(presenter) : undefined
  }

  /** Whether a person reads a table, who did not ask for all rows. */
  get #isBrief(): boolean {
    const {all} = this.globals as {readonly all?: boolean}
    return all !== true && this.presenter.format === 'table' && this.host.stdout.isTerminal
  }

  #readFormat(): GlobalFlags['output'] {
    if (this.#resolveFormat) return this.#resolveFormat()
    const {json, output} = this.globals
    return json ? 'json' : output
  }

  protected override async parse<F extends FlagOutput, B extends FlagOutput, A extends ArgOutput>(
    options: Interfaces.Input<F, B, A> = this.ctor as Interfaces.Input<F, B, A>,
    argv = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const flags = {...options.baseFlags, ...options.flags} as Interfaces.FlagInput
    const {args = {}} = options
    const command = this.ctor.id.replaceAll(':', ' ')
    const help = [`storectl ${command} --help`]
    const checked = {
      ...options,
      flags: unescapeValues(checkFlagValues(flags, help)) as Interfaces.FlagInput<F>,
      args: checkArgValues(args, help) as Interfaces.ArgInput<A>,
    }
    const words = escapeDashedValues(argv, flags)
    checkWords(words, flags, help)
    const parsed = await super.parse<F, B, A>(checked, words).catch(error => {
      throw toUsageError(error, {command, flags, args}, help)
    })
    this.argv = [...argv]
    await this.#openPager(flags, parsed.flags)
    this.host = keepShopOn(
      this.host,
      createShopKeeper(parsed.flags as ShopFlags, () => this.config.commandIDs),
    )
    const {needsChosenShop, resultFields} = this.ctor as typeof BaseCommand
    this.#adapters = createAdapters(this.host, parsed.flags as GlobalFlags, {
      commandLine: formatCommandLine('storectl', [...command.split(' '), ...argv]),
      strictCommand: needsChosenShop ? command : undefined,
    })
    // Unreadable settings do not matter until something depends on them.
    const settings = await this.adapters.home.openSettings().catch(() => undefined)
    this.#resolveFormat = settings && (() => settings.resolveValue('output'))
    requireTimeRanges(parsed, this.host.clock.now())
    for (const line of describeLocalMoments(parsed, this.host.clock.now())) await this.note(line)
    if (splitFields(this.globals.fields)?.length === 0) throw createUsageError('fields', '--fields is empty.')
    const {bom, out} = parsed.flags as {bom?: boolean; out?: string}
    if (bom) this.presenter.requireCsv(out)
    if (resultFields) this.presenter.requireFields(resultFields)
    return parsed
  }

  /** Long results of a read-only command go through the pager, if a person is at the terminal. */
  async #openPager(known: Interfaces.FlagInput, given: object): Promise<void> {
    const values = given as Readonly<Record<string, unknown>>
    if (this.endsBySignal || !('no-pager' in known) || UNPAGED.some(name => values[name])) return
    this.#paged = await openPager(this.host, () => !this.isChange)
    if (this.#paged) this.host = this.#paged.host
  }

  /** Runs it to its end. @returns the exit code */
  override async _run<T = number>(): Promise<T> {
    this.host = (this.config.options as unknown as {[HOST]: Host})[HOST]
    const kind = this.ctor as typeof BaseCommand
    let exit: number
    try {
      await stopInTime(this.run(), this.host, kind)
      await this.#adapters?.noteDefaultShop()
      exit = exitAtEnd(EXIT[this.#exit], this.host.interruption.cause, this.isChange, this.endsBySignal)
    } catch (error) {
      exit = await this.#report(error as Error)
    } finally {
      await stopInTime(this.#adapters?.close(), this.host, kind).catch(ignoreStop)
    }
    return (await this.#leavePager(exit)) as T
  }

  /** Connections and databases are closed by now: a person may read for hours. */
  async #leavePager(exit: number): Promise<number> {
    try {
      await this.#paged?.leave()
      return exit
    } catch (error) {
      return error instanceof StorectlError ? this.#report(error) : exit
    }
  }

  /** Whether arguments, environment or settings request JSON; reading any of them may be what failed. */
  #isJson(): boolean {
    if (wantsJson(this.argv)) return true
    try {
      return this.presenter.isJson
    } catch {
      return false
    }
  }

  async #report(error: Error): Promise<number> {
    this.host.onFailure?.(error)
    const stopExit = exitOfStop(error, this.isChange)
    if (stopExit !== undefined) return stopExit
    const debug = this.globals.debug ?? this.argv.includes('--debug')
    const {stderr} = this.host
    const text = this.#isJson() ? formatErrorJson(error, stderr) : await formatErrorText(error, debug, stderr)
    await stderr.write(text).catch(() => undefined)
    return error instanceof StorectlError ? error.exit : EXIT.internal
  }
}
