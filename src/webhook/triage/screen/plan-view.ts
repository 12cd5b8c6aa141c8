import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {ListCursor} from './list-cursor.js'
import {PagedRows} from './paged-rows.js'
import {alignCells, fitLine, highlight} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {TriagePlan} from './triage-source.js'
import type {KeyCommand, TriageView, ViewContext} from './triage-view.js'

type PlanLine = Awaited<ReturnType<TriagePlan['listRows']> extends AsyncIterable<infer Row> ? Row : never>

/** Rows of a page before the screen has been drawn. */
const USUAL_PAGE = 20

/** What a replay of the selection would do. Nothing is sent. */
export class PlanView implements TriageView {
  readonly hints = '← back'
  readonly #cursor = new ListCursor()
  #plan: TriagePlan | undefined
  #rows: PagedRows<PlanLine> | undefined
  #page = USUAL_PAGE

  constructor(
    private readonly selection: TriageSelection,
    context: ViewContext,
  ) {
    context.watch(this.#make(context))
  }

  async #make(context: ViewContext): Promise<void> {
    const plan = await context.source.planReplay(this.selection)
    this.#rows = new PagedRows(() => plan.listRows())
    this.#plan = plan
    await this.#load(context)
  }

  async #load({refresh}: Pick<ViewContext, 'refresh'>): Promise<void> {
    await this.#rows?.load(this.#cursor.top, this.#page + 1)
    refresh()
  }

  get title(): string {
    return this.#plan ? `plan: ${this.#plan.summary}` : 'planning'
  }

  /** The command that sends; `undefined` where nothing is to be sent, or the plan is not made yet. */
  get sendCommand(): readonly string[] | undefined {
    return this.#plan && this.#plan.sends > 0 ? this.#plan.command : undefined
  }

  render({columns, rows}: ScreenSize, {style}: ViewContext): string[] {
    if (!this.#plan || !this.#rows) return ['Planning: looks up the state of each payment…']
    const notes = [this.#plan.summary, ...this.#plan.notes].map(line => fitLine(line, columns))
    const page = Math.max(1, rows - notes.length - 2)
    this.#page = page
    const shown = this.#rows.peek(this.#cursor.at, page)
    const cells = shown.map(({action, id, detail}) => [action, id, detail ?? ''])
    const [heading = '', ...lines] = alignCells([['ACTION', 'ID', 'DETAIL'], ...cells], new Set())
    const head = highlight(fitLine(heading, columns), 'dim', style)
    return [...notes, '', head, ...lines.map(line => fitLine(line, columns))].slice(0, rows)
  }

  press({name}: Key, context: ViewContext): boolean {
    const rows = this.#rows
    if (!rows) return false
    const isFar = name === 'end' && !rows.isComplete
    if (!this.#cursor.move(isFar ? 'pagedown' : name, rows.known, this.#page)) return false
    this.#cursor.top = this.#cursor.at
    context.watch(this.#load(context))
    return true
  }

  selectCurrent(): TriageSelection {
    return this.selection
  }

  listCommands(): readonly KeyCommand[] {
    return []
  }

  close(): void {
    void this.#rows?.close()
  }
}
