import type {RunGroupRow} from '../../contract/run-rows.js'
import {type Arrangement, arrangeRows, parseListOrder} from '../../language/list-order.js'
import {nameFields, parseRowCondition, type RowFields} from '../../language/where/row-condition.js'
import type {View} from '../../output/view.js'
import type {Counts} from '../journal/worker.js'
import {describeCounts, RUN_WORDS} from './run-view.js'

/** A run or a watch, as a list prints it. */
interface ListedRow {
  readonly [field: string]: unknown
  readonly startedAt: string
  readonly counts: Counts
}

/** The results that an item of a run can have. */
const RESULTS = [
  ...['applied', 'unchanged', 'accepted', 'rejected', 'failed', 'unknown', 'held', 'skipped', 'created'],
  ...['exists', 'conflict', 'resolved', 'reopened', 'changed'],
]

/** The fields of a run for `--where` and `--sort`. */
export const RUN_FIELDS: RowFields<ListedRow> = {
  ...nameFields('text', ['id', 'kind', 'state', 'target', 'profile', 'who', 'host', 'reason', 'stopCode']),
  ...nameFields('number', ['total', 'atWork']),
  ...countResults(),
  ...nameFields('time', ['startedAt', 'endedAt']),
}

/** A result that no item has counts 0. */
function countResults(): RowFields<ListedRow> {
  return Object.fromEntries(
    RESULTS.map(name => [`counts.${name}`, {type: 'number', read: ({counts}) => counts[name] ?? 0}]),
  )
}

/** Which runs are listed, and how. */
export type RunArrangement = Arrangement<ListedRow>

/**
 * Which runs the flags select.
 *
 * @throws StorectlError `usage.where`, `usage.sort`
 */
export function parseRunArrangement(
  {where, sort}: {readonly where?: string | undefined; readonly sort?: string | undefined},
  limit: number | undefined,
): RunArrangement {
  return {
    matches: where === undefined ? undefined : parseRowCondition(where, RUN_FIELDS, 'a run'),
    order: sort === undefined ? undefined : parseListOrder(sort, Object.keys(RUN_FIELDS)),
    limit,
  }
}

/** Selected rows of runs, in their order. @throws StorectlError as `arrangeRows` does */
export function arrangeRuns(
  rows: AsyncIterable<ListedRow>,
  arrangement: RunArrangement,
): AsyncGenerator<ListedRow, void, void> {
  return arrangeRows(rows, arrangement, (row, field) => RUN_FIELDS[field]?.read(row) ?? null)
}

/** The groupings of runs, and the field of each. */
const GROUPED_BY = {kind: 'kind', state: 'state', shop: 'target', operator: 'who', day: 'startedAt'} as const

export type RunGrouping = keyof typeof GROUPED_BY
export const RUN_GROUPINGS = Object.keys(GROUPED_BY) as RunGrouping[]

/** Columns of runs counted by a grouping, which is the first. */
export function createRunGroupView(by: RunGrouping): View {
  return {
    inWords: RUN_WORDS,
    noun: [by, `${by}s`],
    id: 'key',
    columns: [
      {path: 'key', header: by.toUpperCase()},
      {path: 'count', header: 'RUNS', kind: 'number'},
      {path: 'results', isProse: true},
      {path: 'first', kind: 'time'},
      {path: 'last', kind: 'time'},
    ],
  }
}

/** Runs counted by a grouping, the most frequent first, days the newest first. Days are UTC. Keys are stable. */
export async function groupRuns(
  rows: AsyncIterable<ListedRow>,
  by: RunGrouping,
): Promise<(RunGroupRow & {readonly results: string})[]> {
  const groups = new Map<
    string,
    {count: number; first: string; last: string; counts: Record<string, number>}
  >()
  for await (const row of rows) {
    const value = String(row[GROUPED_BY[by]])
    const key = by === 'day' ? value.slice(0, 10) : value
    const at = row.startedAt
    const group = groups.get(key) ?? {count: 0, first: at, last: at, counts: {}}
    groups.set(key, group)
    group.count++
    if (at < group.first) group.first = at
    if (at > group.last) group.last = at
    for (const [name, count] of Object.entries(row.counts))
      group.counts[name] = (group.counts[name] ?? 0) + count
  }
  const found = [...groups].map(([key, group]) => ({key, ...group, results: describeCounts(group.counts)}))
  return found.sort((one, other) =>
    by === 'day' ? other.key.localeCompare(one.key) : other.count - one.count,
  )
}
