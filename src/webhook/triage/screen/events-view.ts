import {formatCount} from '../../../output/cell.js'
import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import type {CauseGroup, DiagnosisRow} from '../../diagnose/diagnosis-row.js'
import {EventView} from './event-view.js'
import {ListCursor} from './list-cursor.js'
import {PagedRows} from './paged-rows.js'
import {alignCells, fitLine, formatMoment, highlight} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {KeyCommand, TriageView, ViewContext} from './triage-view.js'

/** Rows of a page before the screen has been drawn. */
const USUAL_PAGE = 20

/** The events of a group, page by page. */
export class EventsView implements TriageView {
  readonly hints = 'space mark  enter open  ← back'
  readonly #cursor = new ListCursor()
  readonly #rows: PagedRows<DiagnosisRow>
  #page = USUAL_PAGE

  constructor(
    private readonly group: CauseGroup,
    context: ViewContext,
  ) {
    this.#rows = new PagedRows(() => context.source.listGroup(group, context.where))
    context.watch(this.#load(context))
  }

  get title(): string {
    return `${this.group.cause}  ${formatCount(this.group.count)} events`
  }

  /** Reads the page, and one row more, so that the cursor can go on. */
  async #load({refresh}: Pick<ViewContext, 'refresh'>): Promise<void> {
    await this.#rows.load(this.#cursor.top, this.#cursor.at - this.#cursor.top + this.#page + 1)
    this.#cursor.at = Math.max(0, Math.min(this.#cursor.at, this.#rows.known - 1))
    refresh()
  }

  get #current(): DiagnosisRow | undefined {
    return this.#rows.peek(this.#cursor.at, 1)[0]
  }

  render({columns, rows}: ScreenSize, context: ViewContext): string[] {
    const page = Math.max(1, rows - 2)
    if (page > this.#page) context.watch(this.#load(context))
    this.#page = page
    this.#cursor.follow(page)
    const shown = this.#rows.peek(this.#cursor.top, page)
    if (shown.length === 0) return [this.#rows.isComplete ? 'No event is left in this group.' : 'Reading…']
    const [heading = '', ...lines] = alignCells([HEADINGS, ...shown.map(toCells)], RIGHT)
    const listed = lines.map((line, index) => {
      const {id, cause} = shown[index] as DiagnosisRow
      const isCurrent = this.#cursor.top + index === this.#cursor.at
      const mark = context.marks.isEventMarked(id, cause) ? 'x' : ' '
      const text = fitLine(`${isCurrent ? '>' : ' '} [${mark}] ${line}`, columns)
      return isCurrent ? highlight(text, 'inverse', context.style) : text
    })
    const head = highlight(fitLine(`      ${heading}`, columns), 'dim', context.style)
    return [head, ...listed, this.#describePosition()]
  }

  #describePosition(): string {
    const {known, isComplete} = this.#rows
    return `      ${this.#cursor.at + 1} of ${isComplete ? known : formatCount(this.group.count)}`
  }

  press({name}: Key, context: ViewContext): boolean {
    const current = this.#current
    const length = this.#rows.isComplete ? this.#rows.known : this.group.count
    // The end of a long group is far: a page at a time leads there.
    const isFar = name === 'end' && !this.#rows.isComplete
    if (this.#cursor.move(isFar ? 'pagedown' : name, length, this.#page)) {
      this.#cursor.follow(this.#page)
      context.watch(this.#load(context))
      return true
    }
    if (!current) return false
    if (name === 'space') {
      context.report(context.marks.toggleEvent(current.id, current.cause) ?? '')
      this.#cursor.move('down', this.#rows.known, this.#page)
    } else if (name === 'return' || name === 'right') {
      context.note(writeShow(current.id, context))
      context.open(new EventView(current, context))
    } else return false
    return true
  }

  selectCurrent(): TriageSelection | undefined {
    const current = this.#current
    return current && {causes: [], where: undefined, ids: [current.id]}
  }

  listCommands(context: ViewContext): readonly KeyCommand[] {
    const current = this.#current
    return current ? [['enter', writeShow(current.id, context)]] : []
  }

  close(): void {
    void this.#rows.close()
  }
}

const HEADINGS = ['ID', 'STATUS', 'AMOUNT', 'ORDER', 'CREATED', 'TYPE']
const RIGHT = new Set([2])

function toCells({id, status, type, amount, orderNumber, createdAt}: DiagnosisRow): string[] {
  const worth = amount ? `${amount.value} ${amount.currency}` : ''
  return [id, status, worth, orderNumber ?? '', formatMoment(createdAt), type]
}

function writeShow(id: string, {source}: ViewContext): readonly string[] {
  return source.writeCommand('show', {causes: [], where: undefined, ids: [id]})
}
