import {StorectlError} from '../../../errors.js'
import {formatCommandLine} from '../../../flags/command-line.js'
import type {FullScreen, Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {EventMarks} from './event-marks.js'
import {GroupsView} from './groups-view.js'
import {KeysView} from './keys-view.js'
import {PlanView} from './plan-view.js'
import {fitHints, fitLine, highlight, joinEnds, type LineStyle} from './screen-lines.js'
import {describeSelection, type TriageSelection} from './triage-selection.js'
import type {TriageSource} from './triage-source.js'
import type {KeyCommand, TriageView, ViewContext} from './triage-view.js'

/** How the screen ended: a command to run, without `storectl`, or none. */
export interface TriageEnd {
  readonly command: readonly string[] | undefined
}

/** A line typed at the bottom. */
interface Typing {
  readonly label: string
  text: string
  /** @throws StorectlError for invalid input; it is shown, and the line stays */
  accept(text: string): {readonly end: TriageEnd} | undefined
}

/** Keys named at the bottom of every view. */
const ALWAYS = '? keys  q quit'
/** Keys of a pager, with the keys that move the cursor as far. */
const MOVES: Readonly<Record<string, string>> = {g: 'home', G: 'end'}
/** Lines above and below a view. */
const FRAME = 4
/** Terminal height below which the commands of the keys are left out. */
const LEAST_WITH_COMMANDS = 16

/**
 * Groups by cause, the events of a group, one event, and what to do with them. The caller runs the commands that change
 * anything; the screen itself changes nothing.
 */
export class TriageScreen implements FullScreen<TriageEnd> {
  readonly #marks = new EventMarks()
  readonly #views: TriageView[] = []
  readonly #commands: string[] = []
  #groups = new GroupsView()
  #where: string | undefined
  #message = ''
  #typing: Typing | undefined
  #failure: unknown
  #refresh = () => {}

  constructor(
    private readonly source: TriageSource,
    private readonly style: LineStyle,
  ) {}

  /** The commands that ran, in their order, as a shell reads them. */
  get transcript(): readonly string[] {
    return this.#commands
  }

  /** @throws errors of views that a person cannot act on */
  watch(onChange: () => void): () => void {
    this.#refresh = onChange
    this.#begin()
    return () => {
      this.#refresh = () => {}
      for (const view of this.#views) view.close()
    }
  }

  /** Begins with the groups, as they are now. */
  #begin(): void {
    for (const view of this.#views.splice(0)) view.close()
    this.#groups = new GroupsView(this.#groups)
    this.#views.push(this.#groups)
    this.#groups.start(this.#context)
  }

  get #view(): TriageView {
    return this.#views.at(-1) ?? this.#groups
  }

  get #context(): ViewContext {
    return {
      source: this.source,
      marks: this.#marks,
      style: this.style,
      where: this.#where,
      refresh: () => this.#refresh(),
      watch: work => this.#watchWork(work),
      open: view => void this.#views.push(view),
      note: command => void this.#note(command),
      report: message => {
        this.#message = message
      },
    }
  }

  #watchWork(work: Promise<void>): void {
    const view = this.#view
    work.catch(error => {
      if ((error as Error).name === 'AbortError' || !this.#views.includes(view)) return
      if (error instanceof StorectlError) this.#message = [error.message, ...error.nextSteps].join(' → ')
      else this.#failure = error
      this.#refresh()
    })
  }

  #note(command: readonly string[], comment = ''): void {
    const line = `${formatCommandLine('storectl', command)}${comment}`
    if (this.#commands.at(-1) !== line) this.#commands.push(line)
  }

  /**
   * Notes a command with which the screen ended. Marks stay if nothing was done.
   *
   * @param isCancelled whether a person declined, or left the question
   */
  endCommand(command: readonly string[], isCancelled: boolean): void {
    this.#note(command, isCancelled ? '  # cancelled' : '')
    if (!isCancelled) this.#marks.clear()
    else if (!this.#marks.isEmpty) this.#message = 'Cancelled. The marks are kept.'
  }

  render({columns, rows}: ScreenSize): readonly string[] {
    if (this.#failure !== undefined) throw this.#failure
    const {style, source} = this
    const title = joinEnds(`Triage  ${source.shopName}`, this.#view.title, columns)
    const marked = this.#marks.describe(cause => this.#groups.countGroup(cause))
    const condition = [source.filters, this.#where && `where ${this.#where}`].filter(Boolean).join('  ')
    const commands = rows < LEAST_WITH_COMMANDS ? [] : this.#listCommands()
    const keyed = commands.map(([key, command]) =>
      highlight(fitLine(`${key.padEnd(8)}${formatCommandLine('storectl', command)}`, columns), 'dim', style),
    )
    const room = rows - 1 - FRAME - keyed.length
    const body = this.#view
      .render({columns, rows: Math.max(1, room)}, this.#context)
      .slice(0, Math.max(1, room))
    const filler = new Array<string>(Math.max(0, room - body.length)).fill('')
    return [
      highlight(fitLine(title, columns), 'bold', style),
      fitLine(joinEnds(condition, marked, columns), columns),
      ...[...body, ...filler],
      ...keyed,
      fitLine(this.#message, columns),
      fitLine(this.#describeKeys(columns), columns),
    ]
  }

  #describeKeys(columns: number): string {
    const typing = this.#typing
    if (!typing) return fitHints(this.#view.hints, ALWAYS, columns)
    const typed = `${typing.label}: ${typing.text}_`
    return typed.length < columns ? typed : `…${typed.slice(-(columns - 3))}`
  }

  /** What the keys would do now, as commands. */
  #listCommands(): readonly KeyCommand[] {
    const selection = this.#select()
    const own = this.#view.listCommands(this.#context)
    if (!selection) return own
    const write = this.source.writeCommand.bind(this.source)
    const view = this.#view
    const send = view instanceof PlanView ? view.sendCommand : write('replay', selection)
    return [
      ...own,
      ['p', write('replay', selection, {'dry-run': true})],
      ...(send ? [['s', send] as const] : []),
      ['r', write('resolve', selection, {reason: 'TEXT'})],
      ['v', write('verify', selection)],
    ]
  }

  /** The marked events, or else the row with the cursor. */
  #select(): TriageSelection | undefined {
    if (this.#view instanceof PlanView) return this.#view.selectCurrent()
    return this.#marks.isEmpty ? this.#view.selectCurrent(this.#context) : this.#marks.select(this.#where)
  }

  press(key: Key): {readonly end: TriageEnd} | undefined {
    if (this.#typing) return this.#type(key, this.#typing)
    this.#message = ''
    const name = MOVES[key.text] ?? key.name
    if (this.#view.press({...key, name}, this.#context)) return undefined
    if (['left', 'escape', 'backspace'].includes(key.name)) this.#goBack()
    else if (key.text === 'q') return this.#end(undefined)
    else if (key.text === '/') this.#askCondition()
    else if (key.text === 'p') this.#plan()
    else if (key.text === 's') return this.#send()
    else if (key.text === 'r') this.#askReason()
    else if (key.text === 'v') return this.#verify()
    else if (key.text === '?') this.#showKeys()
    return undefined
  }

  #goBack(): void {
    if (this.#views.length > 1) this.#views.pop()?.close()
  }

  #showKeys(): void {
    if (this.#view instanceof KeysView) this.#goBack()
    else this.#views.push(new KeysView())
  }

  #end(command: readonly string[] | undefined): {readonly end: TriageEnd} {
    return {end: {command}}
  }

  /** Shows the plan of the marked events; on a plan, makes it again. */
  #plan(): void {
    const selection = this.#select()
    if (!selection) return
    if (this.#view instanceof PlanView) this.#goBack()
    const placeholder = this.#view
    const view = new PlanView(selection, {
      ...this.#context,
      watch: work => this.#watchPlan(work, selection, placeholder),
    })
    this.#views.push(view)
  }

  /** If the plan fails, the screen returns to the view before. */
  #watchPlan(work: Promise<void>, selection: TriageSelection, from: TriageView): void {
    const made = work.then(() => this.#note(this.source.writeCommand('replay', selection, {'dry-run': true})))
    this.#watchWork(
      made.catch(error => {
        while (this.#view !== from && this.#views.length > 1) this.#goBack()
        throw error
      }),
    )
  }

  /** The plan is always shown before anything is sent. */
  #send(): {readonly end: TriageEnd} | undefined {
    const view = this.#view
    if (!(view instanceof PlanView)) {
      this.#plan()
      this.#message = 'This is the plan. Press s again, and confirm, to send it.'
      return undefined
    }
    if (view.sendCommand) return this.#end(view.sendCommand)
    this.#message = 'Nothing to send.'
    return undefined
  }

  /** It sends nothing, so it asks nothing first. */
  #verify(): {readonly end: TriageEnd} | undefined {
    const selection = this.#select()
    return selection && this.#end(this.source.writeCommand('verify', selection))
  }

  #askCondition(): void {
    const accept = (text: string) => {
      const where = text.trim() || undefined
      if (where !== undefined) this.source.checkCondition(where)
      this.#where = where
      this.#marks.clear()
      this.#begin()
      return undefined
    }
    this.#typing = {label: 'Filter (--where)', text: this.#where ?? '', accept}
  }

  #askReason(): void {
    const selection = this.#select()
    if (!selection) return
    const accept = (text: string) => {
      const reason = text.trim()
      return reason === '' ? undefined : this.#end(this.source.writeCommand('resolve', selection, {reason}))
    }
    this.#typing = {label: `Resolve ${describeSelection(selection)}: reason (--reason)`, text: '', accept}
  }

  #type({name, text}: Key, typing: Typing): {readonly end: TriageEnd} | undefined {
    if (name === 'escape') this.#typing = undefined
    else if (name === 'backspace') typing.text = [...typing.text].slice(0, -1).join('')
    else if (name === 'ctrl-u') typing.text = ''
    else if (name === 'return' || name === 'enter') return this.#accept(typing)
    else typing.text += text
    return undefined
  }

  #accept(typing: Typing): {readonly end: TriageEnd} | undefined {
    try {
      const ended = typing.accept(typing.text)
      this.#typing = undefined
      this.#message = ''
      return ended
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      this.#message = error.message
      return undefined
    }
  }
}
