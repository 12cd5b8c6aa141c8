import {formatAmounts} from '../../../language/amount-totals.js'
import {formatCount, formatCounted} from '../../../output/cell.js'
import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {describeGroupDrift} from '../../diagnose/cause-groups.js'
import type {CauseGroup} from '../../diagnose/diagnosis-row.js'
import type {EventGroup} from '../../inbox/inbox.js'
import {EventsView} from './events-view.js'
import {drawHours, MOST_HOURS} from './hour-bars.js'
import {ListCursor} from './list-cursor.js'
import {alignCells, fitLine, formatMoment, highlight, wrapLine, wrapWords} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {DiagnosisProgress} from './triage-source.js'
import type {KeyCommand, TriageView, ViewContext} from './triage-view.js'

const NOTHING: DiagnosisProgress = {groups: [], diagnosed: 0}
const RIGHT = new Set([1, 2])

const formatEvents = (count: number) => formatCounted(count, ['event', 'events'])

/** The events that need attention, by cause. */
export class GroupsView implements TriageView {
  readonly hints = 'space mark  a all  enter open'
  readonly #cursor = new ListCursor()
  readonly #stopping = new AbortController()
  #progress = NOTHING
  #total: number | undefined
  #hours: readonly EventGroup[] = []
  #isDone = false
  /** The cursor stays on its group while others pass it. */
  #cause: CauseGroup['cause'] | undefined

  /** Counts and diagnoses until the view is closed. */
  start(context: ViewContext): void {
    context.watch(this.#count(context))
    context.watch(this.#diagnose(context))
    context.watch(this.#countHours(context))
  }

  async #count(context: ViewContext): Promise<void> {
    this.#total = await context.source.countEvents(context.where)
    context.refresh()
  }

  async #countHours(context: ViewContext): Promise<void> {
    this.#hours = await context.source.countHours(context.where, MOST_HOURS)
    context.refresh()
  }

  async #diagnose(context: ViewContext): Promise<void> {
    const {signal} = this.#stopping
    for await (const progress of context.source.diagnoseGroups(context.where, signal)) {
      if (signal.aborted) return
      this.#progress = progress
      context.refresh()
    }
    this.#isDone = true
    context.refresh()
  }

  get title(): string {
    const {groups, diagnosed} = this.#progress
    // A cause that was chosen leaves events out, which only the diagnosis can tell.
    if (this.#isDone) return formatEvents(groups.reduce((sum, {count}) => sum + count, 0))
    if (this.#total === undefined) return 'counting'
    return `${formatCount(diagnosed)} of ${formatEvents(this.#total)} diagnosed`
  }

  /** Events of a cause. */
  countGroup(cause: CauseGroup['cause']): number {
    return this.#progress.groups.find(group => group.cause === cause)?.count ?? 0
  }

  get #current(): CauseGroup | undefined {
    const {groups} = this.#progress
    const index = groups.findIndex(({cause}) => cause === this.#cause)
    if (index >= 0) this.#cursor.at = index
    return groups[this.#cursor.at]
  }

  render({columns, rows}: ScreenSize, {marks, style}: ViewContext): string[] {
    const {groups} = this.#progress
    if (groups.length === 0) return [this.#isDone ? 'No event needs attention.' : 'Diagnosing…']
    const current = this.#current
    const about = current ? describeGroup(current, columns) : []
    const room = Math.max(LEAST_GROUPS, rows - 2 - about.length)
    const page = Math.max(1, Math.min(groups.length, room, rows - 1))
    this.#cursor.follow(page)
    const [heading = '', ...lines] = alignCells([HEADINGS, ...groups.map(toCells)], RIGHT)
    const shown = lines.slice(this.#cursor.top, this.#cursor.top + page).map((line, index) => {
      const group = groups[this.#cursor.top + index] as CauseGroup
      const mark = marks.isGroupMarked(group.cause) ? 'x' : ' '
      const isCurrent = group === current
      const text = fitLine(`${isCurrent ? '>' : ' '} [${mark}] ${line}`, columns)
      return isCurrent ? highlight(text, 'inverse', style) : text
    })
    const head = highlight(fitLine(`      ${heading}`, columns), 'dim', style)
    const content = [head, ...shown, '', ...about]
    return [...content, ...drawHours(this.#hours, columns, rows - content.length)].slice(0, rows)
  }

  press({name, text}: Key, context: ViewContext): boolean {
    const {groups} = this.#progress
    const current = this.#current
    if (this.#cursor.move(name, groups.length, groups.length)) {
      this.#cause = groups[this.#cursor.at]?.cause
      return true
    }
    if (text === 'a') {
      context.marks.toggleAll(groups.map(({cause}) => cause))
      return true
    }
    if (!current) return false
    this.#cause = current.cause
    if (name === 'space') context.marks.toggleGroup(current.cause)
    else if (name === 'return' || name === 'right') {
      context.note(this.#listCommand(current, context))
      context.open(new EventsView(current, context))
    } else return false
    return true
  }

  selectCurrent({where}: ViewContext): TriageSelection | undefined {
    const current = this.#current
    return current && {causes: [current.cause], where, ids: []}
  }

  #listCommand(group: CauseGroup, {source, where}: ViewContext): readonly string[] {
    return source.writeCommand('list', {causes: [group.cause], where, ids: []})
  }

  listCommands(context: ViewContext): readonly KeyCommand[] {
    const current = this.#current
    return current ? [['enter', this.#listCommand(current, context)]] : []
  }

  close(): void {
    this.#stopping.abort()
  }
}

/** Groups that are shown before anything about one of them. */
const LEAST_GROUPS = 8

const HEADINGS = ['CAUSE', 'EVENTS', 'AMOUNT', 'FIRST', 'LAST']

function toCells({cause, count, amounts, firstAt, lastAt}: CauseGroup): string[] {
  return [cause, formatCount(count), formatAmounts(amounts), formatMoment(firstAt), formatMoment(lastAt)]
}

function describeGroup(group: CauseGroup, columns: number): string[] {
  const {detail, example, next} = group
  const lines = [
    ...wrapWords(`why      ${detail}`, columns),
    ...describeGroupDrift(group).flatMap(each => wrapWords(`payments ${each}`, columns)),
    `example  ${example.id}  ${example.type}`,
  ]
  const fix = next === null ? [] : wrapLine(`fix      ${next}`, columns)
  return [...lines.map(line => fitLine(line, columns)), ...fix]
}
