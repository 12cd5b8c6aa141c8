import {Command} from '@oclif/core/command'
import type * as Interfaces from '@oclif/core/interfaces'
import type {Adapters} from '../app/adapters/adapters.js'
import {type Host, machineHost} from '../app/host.js'
import {Context} from '../context.js'
import {EXIT, type ExitName, StorectlError, usageError} from '../errors.js'
import {failureJson, failureText} from '../output/error-report.js'
import {visibleLines} from '../output/escape-controls.js'
import {type Out, type PrintOptions, printRecord, printRows, type Rows} from '../output/print.js'
import type {Format, Row, View} from '../output/view.js'
import {Stopped} from '../platform/interruption.js'
import type {Teller} from '../runs/report/progress-reporter.js'
import {type EverywhereFlags, everywhereFlags} from './flags.js'
import {escapeDashedValues, unescapeValues, wantsJson} from './manifest/argv.js'
import {toUsageError} from './usage-errors.js'
import {checkArgValues, checkFlagValues} from './value-checks.js'

/** Key under which a test hands its own context to the command, on oclif's load options. */
export const CONTEXT = Symbol.for('storectl.context')

type FlagOutput = Interfaces.OutputFlags<Interfaces.FlagInput>
type ArgOutput = Interfaces.OutputArgs<Interfaces.ArgInput>

/** How a list is printed, other than all are; `out` stands for stdout. */
type PrintingOptions = Partial<Pick<PrintOptions, 'live' | 'csvRaw' | 'format'>> & {out?: Out}

const SIGNAL_EXITS = {SIGINT: 130, SIGTERM: 143} as const

/**
 * oclif on one side, us on the other: gives a command its context, prints its result, and turns its end into an exit
 * code, which `Command.run()` resolves to.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = everywhereFlags
  static override enableJsonFlag = false

  /** Whether the command changes something: a closed stdout then ends it with 141 instead of 0. */
  static changes = false

  /** Whether a signal is this command's ordinary end, as it is for a server: then it ends with 0. */
  static endsBySignal = false

  protected context!: Context

  /** The flags that every command has. */
  protected get globals(): EverywhereFlags {
    return this.context.flags
  }

  /** The machine. */
  protected get host(): Host {
    return this.context.host
  }

  /** What is outside of the process, opened at its first use. */
  protected get adapters(): Adapters {
    return this.context.adapters
  }

  /** The same of this very command line. */
  protected get isChange(): boolean {
    return (this.ctor as typeof BaseCommand).changes
  }

  /** Whether a signal ended what was going on; a reader that has gone did not. */
  protected get isStopped(): boolean {
    const {cause} = this.host.interruption
    return cause === 'SIGINT' || cause === 'SIGTERM'
  }

  #exit: ExitName = 'ok'

  /** The exit to end with when nothing throws. */
  protected endWith(name: ExitName): void {
    this.#exit = name
  }

  /** Prints a list as it comes, row by row or batch by batch. */
  protected async print(
    rows: Rows,
    view: View,
    {out = this.host.stdout, ...options}: PrintingOptions = {},
  ): Promise<number> {
    return printRows(rows, out, {...this.#printing(view), ...options})
  }

  /** Prints one record. */
  protected async printOne(record: Row, view: View): Promise<void> {
    await printRecord(record, this.host.stdout, this.#printing(view))
  }

  /** A note for the person, on stderr; never part of the result. */
  protected async note(text: string): Promise<void> {
    await this.host.stderr.write(`${visibleLines(text)}\n`)
  }

  /** Where a run tells how far it is. */
  protected teller(): Teller {
    const {clock, interruption} = this.host
    return {
      bar: total => this.context.progressBar(total),
      note: text => this.note(text),
      verbose: this.context.flags.verbose === true,
      clock,
      stopping: interruption.stopping,
      sayAtLast: words => interruption.sayAtLast(() => visibleLines(words())),
    }
  }

  /** The format of the result: as flag, environment or settings ask, else a table on a terminal and TSV elsewhere. */
  protected get format(): Format {
    return this.context.output ?? (this.host.stdout.isTerminal ? 'table' : 'tsv')
  }

  /** Paths of `--fields`, `undefined` when it was not given. */
  protected get fields(): readonly string[] | undefined {
    return this.context.flags.fields
      ?.split(',')
      .map(field => field.trim())
      .filter(Boolean)
  }

  #printing(view: View): PrintOptions {
    return {view, format: this.format, fields: this.fields}
  }

  protected override async parse<F extends FlagOutput, B extends FlagOutput, A extends ArgOutput>(
    options: Interfaces.Input<F, B, A> = this.ctor as Interfaces.Input<F, B, A>,
    argv = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const flags = {...options.baseFlags, ...options.flags} as Interfaces.FlagInput
    const {args, id} = this.ctor
    const help = [`storectl ${id.replaceAll(':', ' ')} --help`]
    const checked = {
      ...options,
      flags: unescapeValues(checkFlagValues(flags, help)) as Interfaces.FlagInput<F>,
      args: checkArgValues(args, help) as Interfaces.ArgInput<A>,
    }
    const words = escapeDashedValues(argv, flags)
    const parsed = await super.parse<F, B, A>(checked, words).catch(error => {
      throw toUsageError(error, {flags, args, argv: words}, help)
    })
    this.argv = [...argv]
    await this.context.use(parsed.flags as EverywhereFlags)
    if (this.fields?.length === 0) throw usageError('fields', '--fields names no field.')
    return parsed
  }

  protected override async _run<T>(): Promise<T> {
    const given = (this.config.options as {[CONTEXT]?: Context})[CONTEXT]
    this.context = given ?? new Context(machineHost(process, this.config.userAgent, this.config.root))
    let exit: number
    try {
      await this.run()
      exit = this.#exitAfter()
    } catch (error) {
      exit = await this.#report(error as Error)
    } finally {
      await this.context.close()
    }
    return exit as T
  }

  /** Whether words, environment or settings ask for JSON; what failed may be the reading of any of them. */
  #isJson(): boolean {
    if (wantsJson(this.argv)) return true
    try {
      return this.context.output === 'json' || this.context.output === 'ndjson'
    } catch {
      return false
    }
  }

  #exitAfter(): number {
    const {cause} = this.host.interruption
    if (cause === 'output-closed') return this.isChange ? 141 : EXIT[this.#exit]
    const isStopped = cause !== undefined && !(this.ctor as typeof BaseCommand).endsBySignal
    return isStopped ? SIGNAL_EXITS[cause] : EXIT[this.#exit]
  }

  async #report(error: Error): Promise<number> {
    if (error instanceof Stopped) {
      if (error.stopCause === 'output-closed') return this.isChange ? 141 : 0
      return SIGNAL_EXITS[error.stopCause]
    }
    const debug = this.context.flags.debug ?? this.argv.includes('--debug')
    const text = this.#isJson() ? failureJson(error) : failureText(error, debug)
    await this.host.stderr.write(text).catch(() => undefined)
    return error instanceof StorectlError ? error.exit : EXIT.internal
  }
}
