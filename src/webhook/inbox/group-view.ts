import type {EventGroupRow} from '../../contract/event-rows.js'
import {drawBar} from '../../output/bars.js'
import {formatCount, formatCounted} from '../../output/cell.js'
import type {Presenter} from '../../output/presenter.js'
import type {Column, Row, View} from '../../output/view.js'
import type {EventGroup, Grouping, Inbox, InboxQuery} from './inbox.js'

export const GROUPS: View = {
  noun: ['group', 'groups'],
  id: 'key',
  columns: [
    {path: 'key'},
    {path: 'count', kind: 'number'},
    {path: 'statuses'},
    {path: 'first', kind: 'time'},
    {path: 'last', kind: 'time'},
    {path: 'amounts', kind: 'money'},
  ],
}

/** Where groups are counted. */
export interface GroupSources {
  readonly inbox: Pick<Inbox, 'countGroups' | 'sumGroups'>
  /** The shop's name in the inbox. */
  readonly target: string
}

/** Events of an inbox, counted by a grouping: the most frequent first, hours the newest first. */
export async function layOutGroups(
  {inbox, target}: GroupSources,
  query: InboxQuery,
  by: Grouping,
  {isInWords, streams: {stdout}}: Pick<Presenter, 'isInWords' | 'streams'>,
): Promise<{readonly rows: Iterable<Row>; readonly view: View; readonly note: string | undefined}> {
  const rows = await listGroupRows({inbox, target}, query, by)
  const note = by === 'cause' ? describeUndiagnosed(rows) : undefined
  if (!stdout.isTerminal || !isInWords) return {rows, view: GROUPS, note}
  return {rows: drawGroups(rows, by, stdout.columns ?? 80, query.limit), view: createBarView(by), note}
}

/** The same as rows, for any output format. */
export async function listGroupRows({inbox, target}: GroupSources, query: InboxQuery, by: Grouping) {
  const groups = await inbox.countGroups(target, query, by)
  const since = by === 'hour' ? (groups.at(-1)?.first ?? query.since) : query.since
  const amounts = await inbox.sumGroups(target, {...query, since}, by)
  return groups.map(group => toGroupRow(group, amounts))
}

/** Events of one key, counted. Keys are stable. */
function toGroupRow({key, count, first, last, statuses}: EventGroup, amounts: GroupAmounts): EventGroupRow {
  const isHour = key instanceof Date
  return {
    ...{key: isHour ? key.toISOString() : key, count, first: first.toISOString(), last: last.toISOString()},
    ...{statuses, amounts: amounts.get(isHour ? key.getTime() : key) ?? []},
  }
}

type GroupAmounts = Awaited<ReturnType<Inbox['sumGroups']>>

/** Groups as a person sees them on a terminal: each with a bar. */
export function createBarView(by: Grouping): View {
  const times = by === 'hour' ? [] : GROUPS.columns.filter(({kind}) => kind === 'time')
  const columns: Column[] = [
    {path: 'key', header: by.toUpperCase()},
    {path: 'count', kind: 'number', priority: 1},
    {path: 'bar', header: '', priority: 2},
    {path: 'amounts', header: 'AMOUNT', kind: 'money', priority: 3},
    {path: 'statuses', priority: 4, isProse: true},
    ...times.map((column, at) => ({...column, priority: 6 - at})),
  ]
  // Hours without events may share a row.
  const noun = by === 'hour' ? 'row' : by
  return {noun: [noun, `${noun}s`], id: 'key', columns}
}

/** The note below groups by cause if some events have no stored cause; a list does not diagnose. */
function describeUndiagnosed(rows: readonly EventGroupRow[]): string | undefined {
  const count = rows.find(({key}) => key === null)?.count
  if (count === undefined) return undefined
  return `no cause is known of ${formatCounted(count, ['event', 'events'])}: storectl webhook diagnose finds it`
}

/** Bars beside the other columns. */
const MOST_BAR_COLUMNS = 60
const HOUR_MS = 3_600_000
/** Most consecutive hours without events that get a row each; more share one. */
const MOST_EMPTY = 24

/** Rows of groups, `limit` at most, with a bar each; hours without events are among them. @param columns of the terminal */
function* drawGroups(rows: readonly EventGroupRow[], by: Grouping, columns: number, limit = Infinity) {
  const highest = rows.reduce((most, {count}) => Math.max(most, count), 0)
  const width = Math.min(MOST_BAR_COLUMNS, Math.round(columns / (by === 'hour' ? 4 : 8)))
  let left = limit
  for (const row of by === 'hour' ? addEmptyHours(rows) : rows) {
    if (left-- <= 0) return
    const key = row.key ?? (by === 'cause' ? 'not diagnosed' : null)
    yield {...row, key, bar: drawBar(row.count, highest, width)}
  }
}

/** Hours as moments, which a table shows in local time, with those between them. @param rows the newest first */
function* addEmptyHours(rows: readonly EventGroupRow[]) {
  let before: number | undefined
  for (const row of rows) {
    const hour = Date.parse(row.key as string)
    const empty = before === undefined ? 0 : (before - hour) / HOUR_MS - 1
    if (empty > MOST_EMPTY) yield {key: `${formatCount(empty)} hours without events`, count: 0}
    else
      for (let at = 1; at <= empty; at++) yield {key: new Date((before as number) - at * HOUR_MS), count: 0}
    before = hour
    yield {...row, key: new Date(hour)}
  }
}
