import type {CauseGroup} from '../../../contract/event-rows.js'
import {formatAmounts} from '../../../language/amount-totals.js'
import {formatCount, formatCounted} from '../../../output/cell.js'
import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {describeEventType} from '../../../providers/providers.js'
import {describeGroupDrift, describeIfSent} from '../../diagnose/cause-groups.js'
import type {EventGroup} from '../../inbox/inbox.js'
import {EventsView} from './events-view.js'
import {drawHours, MOST_HOURS} from './hour-bars.js'
import {ListCursor} from './list-cursor.js'
import {
  fitLine,
  formatMoment,
  highlight,
  type ListColumn,
  layOutRows,
  MARGIN,
  wrapLine,
  wrapWords,
} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {DiagnosisProgress} from './triage-source.js'
import {ACTION_HINTS, type KeyCommand, type TriageView, type ViewContext} from './triage-view.js'

const NOTHING: DiagnosisProgress = {groups: [], diagnosed: 0}

const formatEvents = (count: number) => formatCounted(count, ['event', 'events'])

/** The events that need attention, by cause. */
export class GroupsView implements TriageView {
  readonly hints = `space mark  enter open  ${ACTION_HINTS}  / filter  a all`
  readonly #cursor = new ListCursor()
  readonly #stopping = new AbortController()
  #progress = NOTHING
  #total: number | undefined
  #hours: readonly EventGroup[] = []
  #isDone = false
  /** The cursor stays on its group while others pass it. */
  #cause: CauseGroup['cause'] | undefined

  /** @param before the groups as last shown: the cursor returns to its group */
  constructor(before?: GroupsView) {
    if (before) this.#cause = before.#cause
  }

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
    // A chosen cause leaves out events, which only the diagnosis can count.
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
    // The reason of the failure is shown in full, whatever else does not fit.
    const most = rows - 3 - (current ? explainGroup(current, columns).length : 0)
    const room = Math.min(most, Math.max(LEAST_GROUPS, rows - 3 - about.length))
    const page = Math.max(1, Math.min(groups.length, room))
    this.#cursor.follow(page)
    const shown = groups.slice(this.#cursor.top, this.#cursor.top + page)
    const width = columns - 1 - MARGIN.length
    const {heading, rows: lines, common} = layOutRows(COLUMNS, {read: groups, shown}, width)
    const listed = lines.map((line, index) => {
      const group = shown[index] as CauseGroup
      const mark = marks.isGroupMarked(group.cause) ? 'x' : ' '
      const isCurrent = group === current
      const text = fitLine(`${isCurrent ? '>' : ' '} [${mark}] ${line}`, columns)
      return isCurrent ? highlight(text, 'inverse', style) : text
    })
    const head = highlight(fitLine(`${MARGIN}${heading}`, columns), 'dim', style)
    const position = page < groups.length ? `${this.#cursor.at + 1} of ${groups.length} causes` : ''
    const below = [position, common && `all: ${common}`].filter(Boolean).join('   ')
    const under = below === '' ? [] : [fitLine(`${MARGIN}${below}`, columns)]
    const content = [head, ...listed, ...under, '', ...about]
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

/** Groups shown before details other than the reason. */
const LEAST_GROUPS = 6

const COLUMNS: readonly ListColumn<CauseGroup>[] = [
  {heading: 'CAUSE', isFixed: true, read: ({cause}) => cause},
  {heading: 'EVENTS', isFixed: true, isRight: true, read: ({count}) => formatCount(count)},
  {heading: 'AMOUNT', isRight: true, read: ({amounts}) => formatAmounts(amounts)},
  {heading: 'FIRST', read: ({firstAt}) => formatMoment(firstAt)},
  {heading: 'LAST', read: ({lastAt}) => formatMoment(lastAt)},
]

/** Width of the labels before the details of a group. */
const LABEL = 9

/** Why its events failed, and what sending them would do. */
function explainGroup(group: CauseGroup, columns: number): string[] {
  const ifSent = describeIfSent(group)
  const lines = [`why      ${group.detail}`, ...(ifSent === '' ? [] : [`if sent  ${ifSent}`])]
  return lines.flatMap(line => wrapWords(line, columns, LABEL))
}

function describeGroup(group: CauseGroup, columns: number): string[] {
  const {example, next} = group
  const lines = [
    ...describeGroupDrift(group).map(each => `payments ${each}`),
    `example  ${example.id}  ${describeEventType(example.type)}`,
  ]
  const fix = next === null ? [] : wrapLine(`fix      ${next}`, columns)
  return [...explainGroup(group, columns), ...lines.flatMap(line => wrapWords(line, columns, LABEL)), ...fix]
}
