import type {CauseGroup, DiagnosisRow} from '../../../contract/event-rows.js'
import {formatCount} from '../../../output/cell.js'
import {measureWidth} from '../../../output/table/grid.js'
import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {describeEventType} from '../../../providers/providers.js'
import {EventView} from './event-view.js'
import {ListCursor} from './list-cursor.js'
import {PagedRows} from './paged-rows.js'
import {
  fitLine,
  formatMoment,
  highlight,
  joinSides,
  type ListColumn,
  layOutRows,
  MARGIN,
} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import {ACTION_HINTS, type KeyCommand, type TriageView, type ViewContext} from './triage-view.js'

/** Terminal width from which the event with the cursor is shown beside the list. */
const WIDE = 120

/** Rows of a page before the screen has been drawn. */
const USUAL_PAGE = 20

/** Rows of a long group that are read between updates of the screen. */
const READ_AT_ONCE = 500

/** The events of a group, page by page. */
export class EventsView implements TriageView {
  readonly hints = `space mark  ← back  ${ACTION_HINTS}  enter open  / filter`
  readonly #cursor = new ListCursor()
  readonly #rows: PagedRows<DiagnosisRow>
  #page = USUAL_PAGE
  /** The event beside the list. */
  #side: EventView | undefined
  /** Whether the rest of a long group is being read. */
  #isReadingOn = false

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
    const list = this.#listLines(shown, columns, context)
    const {style} = context
    const paint = (text: string, index: number) => {
      if (index === 0) return highlight(text, 'dim', style)
      return this.#cursor.top + index - 1 === this.#cursor.at ? highlight(text, 'inverse', style) : text
    }
    if (columns < WIDE) return list.map(paint)
    const width = Math.max(...list.map(measureWidth))
    const beside = this.#renderSide({columns: columns - width - SEPARATOR, rows}, context)
    return joinSides(list, beside, {width, paint})
  }

  #listLines(shown: readonly DiagnosisRow[], columns: number, {marks}: ViewContext): string[] {
    const isWide = columns >= WIDE
    const most = isWide ? Math.trunc(columns / 2) : columns
    const read = this.#rows.peek(0, this.#rows.known)
    const {heading, rows, common} = layOutRows(COLUMNS, {read, shown}, most - 1 - MARGIN.length)
    const listed = rows.map((line, index) => {
      const {id, cause} = shown[index] as DiagnosisRow
      const mark = marks.isEventMarked(id, cause) ? 'x' : ' '
      return `${this.#cursor.top + index === this.#cursor.at ? '>' : ' '} [${mark}] ${line}`
    })
    // The event beside the list shows what all rows have in common.
    const about = isWide || common === '' ? '' : `   all shown: ${common}`
    const position = `${MARGIN}${this.#describePosition()}${about}`
    return [`${MARGIN}${heading}`, ...listed, position].map(line => fitLine(line, most))
  }

  /** One event after the other is read, however fast the cursor moves. */
  #renderSide(size: ScreenSize, context: ViewContext): string[] {
    const current = this.#current
    if (!current) return []
    if (this.#side?.title !== current.id && !this.#side?.isReading) this.#side = new EventView(current)
    return this.#side?.title === current.id ? this.#side.render(size, context) : [current.id, 'Reading…']
  }

  #describePosition(): string {
    const {known, isComplete} = this.#rows
    const total = formatCount(isComplete ? known : this.group.count)
    if (this.#isReadingOn) return `${formatCount(known)} of ${total} read`
    return `${formatCount(this.#cursor.at + 1)} of ${total}`
  }

  /** Reads to the last row, some at a time; any other key ends that. */
  async #readOn(context: ViewContext): Promise<void> {
    if (this.#isReadingOn) return
    this.#isReadingOn = true
    try {
      while (this.#isReadingOn && !this.#rows.isComplete) {
        this.#cursor.at = this.#rows.known - 1
        this.#cursor.follow(this.#page)
        await this.#rows.load(this.#cursor.top, this.#page + READ_AT_ONCE)
        context.refresh()
      }
      if (this.#isReadingOn) this.#cursor.at = this.#rows.known - 1
    } finally {
      this.#isReadingOn = false
      context.refresh()
    }
  }

  press({name}: Key, context: ViewContext): boolean {
    const current = this.#current
    const length = this.#rows.isComplete ? this.#rows.known : this.group.count
    if (name === 'end' && !this.#rows.isComplete) {
      context.watch(this.#readOn(context))
      return true
    }
    this.#isReadingOn = false
    if (this.#cursor.move(name, length, this.#page)) {
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
      context.open(new EventView(current))
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
    this.#isReadingOn = false
    void this.#rows.close()
  }
}

/** Width of the separator between the list and the event. */
const SEPARATOR = 3

const COLUMNS: readonly ListColumn<DiagnosisRow>[] = [
  {heading: 'ID', isFixed: true, read: ({id}) => id},
  {heading: 'STATUS', read: ({status}) => status},
  {
    heading: 'AMOUNT',
    isRight: true,
    read: ({amount}) => (amount ? `${amount.value} ${amount.currency}` : ''),
  },
  {heading: 'ORDER', read: ({orderNumber}) => orderNumber ?? ''},
  {heading: 'CREATED', read: ({createdAt}) => formatMoment(createdAt)},
  {heading: 'TYPE', read: ({type}) => describeEventType(type)},
]

function writeShow(id: string, {source}: ViewContext): readonly string[] {
  return source.writeCommand('show', {causes: [], where: undefined, ids: [id]})
}
