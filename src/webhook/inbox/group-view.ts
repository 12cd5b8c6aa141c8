import {drawBar} from '../../output/bars.js'
import {formatCount, formatCounted} from '../../output/cell.js'
import type {View} from '../../output/view.js'
import type {Grouping, Inbox, InboxQuery} from './inbox.js'

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

/** Events of an inbox, counted by what they have in common: the most first, hours the newest first. Keys are stable. */
export async function listGroupRows(
  inbox: Pick<Inbox, 'countGroups' | 'sumGroups'>,
  target: string,
  query: InboxQuery,
  by: Grouping,
) {
  const groups = await inbox.countGroups(target, query, by)
  const amounts = await inbox.sumGroups(target, query, by)
  return groups.map(({key, first, last, ...counts}) => ({
    key: key instanceof Date ? key.toISOString() : key,
    ...{count: counts.count, first: first.toISOString(), last: last.toISOString()},
    ...{statuses: counts.statuses, amounts: amounts.get(key instanceof Date ? key.getTime() : key) ?? []},
  }))
}

type GroupRow = Awaited<ReturnType<typeof listGroupRows>>[number]

/** Groups as a person sees them on a terminal: each with a bar. */
export function createBarView(by: Grouping): View {
  const times = by === 'hour' ? [] : GROUPS.columns.filter(({kind}) => kind === 'time')
  return {
    noun: [by, `${by}s`],
    id: 'key',
    columns: [
      {path: 'key', header: by.toUpperCase()},
      {path: 'count', kind: 'number', priority: 1},
      {path: 'bar', header: '', priority: 2},
      {path: 'amounts', header: 'AMOUNT', kind: 'money', priority: 3},
      {path: 'statuses', priority: 4, isProse: true},
      ...times.map((column, at) => ({...column, priority: 6 - at})),
    ],
  }
}

/** What is said below groups by cause where some events have none stored; a list diagnoses nothing. */
export function describeUndiagnosed(rows: readonly GroupRow[]): string | undefined {
  const count = rows.find(({key}) => key === null)?.count
  if (count === undefined) return undefined
  return `no cause is known of ${formatCounted(count, ['event', 'events'])}: storectl webhook diagnose finds it`
}

/** Bars beside the other columns. */
const MOST_BAR_COLUMNS = 60
const HOUR_MS = 3_600_000
/** Hours in a row without an event that have a row each; more of them share one. */
const MOST_EMPTY = 24

/** Rows of groups, `limit` at most, with a bar each; hours without events are among them. @param columns of the terminal */
export function* drawGroups(rows: readonly GroupRow[], by: Grouping, columns: number, limit = Infinity) {
  const highest = rows.reduce((most, {count}) => Math.max(most, count), 0)
  const width = Math.min(MOST_BAR_COLUMNS, Math.round(columns / 4))
  let left = limit
  for (const row of by === 'hour' ? addEmptyHours(rows) : rows) {
    if (left-- <= 0) return
    const key = row.key ?? (by === 'cause' ? 'not diagnosed' : null)
    yield {...row, key, bar: drawBar(row.count, highest, width)}
  }
}

/** Hours as moments, which a table shows in local time, with those between them. @param rows the newest first */
function* addEmptyHours(rows: readonly GroupRow[]) {
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
