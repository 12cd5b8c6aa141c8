import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {ListCursor} from './list-cursor.js'
import {PagedRows} from './paged-rows.js'
import {alignCells, fitLine, highlight, wrapWords} from './screen-lines.js'
import {describeSelection, type TriageSelection} from './triage-selection.js'
import type {TriagePlan} from './triage-source.js'
import {ACTION_HINTS, type KeyCommand, type TriageView, type ViewContext} from './triage-view.js'

type PlanLine = Awaited<ReturnType<TriagePlan['listRows']> extends AsyncIterable<infer Row> ? Row : never>

/** Rows of a page before the screen has been drawn. */
const USUAL_PAGE = 20

/** What a replay of the selection would do. Nothing is sent. */
export class PlanView implements TriageView {
  readonly hints = `← back  ${ACTION_HINTS}  / filter`
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
    return this.#plan ? 'plan' : 'planning'
  }

  /** The command that sends; `undefined` if nothing is to be sent, or the plan is not ready. */
  get sendCommand(): readonly string[] | undefined {
    return this.#plan && this.#plan.sends > 0 ? this.#plan.command : undefined
  }

  render({columns, rows}: ScreenSize, {style}: ViewContext): string[] {
    const name = describeSelection(this.selection)
    if (!this.#plan || !this.#rows)
      return wrapWords(`Planning ${name}: looks up the state of each payment…`, columns)
    const {summary, notes} = this.#plan
    const about = [`Plan of ${name}: ${summary}`, ...notes].flatMap(line => wrapWords(line, columns, 2))
    const page = Math.max(1, rows - about.length - 2)
    this.#page = page
    const shown = this.#rows.peek(this.#cursor.at, page)
    const cells = shown.map(({action, id, detail}) => [action, id, detail ?? ''])
    const [heading = '', ...lines] = alignCells(
      [['ACTION', 'ID', 'DETAIL'], ...cells],
      new Set(),
      columns - 1,
    )
    const head = highlight(fitLine(heading, columns), 'dim', style)
    return [...about, '', head, ...lines.map(line => fitLine(line, columns))].slice(0, rows)
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
