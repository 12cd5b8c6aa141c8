import type {ListedWatch} from '../../contract/run-rows.js'
import type {View} from '../../output/view.js'
import type {RunRow, RunStore} from '../journal/run-store.js'
import type {WatchRow, WatchStore} from '../journal/watch-store.js'
import {isLive, type Machine} from '../workers/liveness.js'
import {countRunRows, describeCounts, RUN_WORDS, type RunQuery, streamRunRows, toRunRow} from './run-view.js'

export const WATCH: View = {
  inWords: RUN_WORDS,
  noun: ['watch', 'watches'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'kind'},
    {path: 'state'},
    {path: 'silence', label: 'Process'},
    {path: 'results'},
    {path: 'runs', kind: 'number'},
    {path: 'runId', label: 'Run at work'},
    {path: 'target', label: 'Shop'},
    {path: 'awaySince', kind: 'time'},
    {path: 'probe.answer', label: 'Last probe'},
    {path: 'probe.at', label: 'Probed', kind: 'time'},
    {path: 'profile'},
    {path: 'who', label: 'Operator'},
    {path: 'host'},
    {path: 'pid'},
    {path: 'reason'},
    {path: 'startedAt', kind: 'time'},
    {path: 'endedAt', kind: 'time'},
    {path: 'heartbeatAt', kind: 'time'},
    {path: 'askedBy', label: 'Changed by'},
    {path: 'command', kind: 'command'},
  ],
}

/** Whether a watch is active, as printed. */
export function describeWatchState(watch: WatchRow, machine: Machine): ListedWatch['state'] {
  if (watch.endedAt !== null) return 'ended'
  if (!isLive(watch, machine)) return 'unresponsive'
  if (watch.isPaused) return 'paused'
  return watch.awaySince === null ? 'watching' : 'away'
}

/** A watch as printed, with the results of its runs. Keys are stable. */
export async function toWatchRow(
  watch: WatchRow,
  machine: Machine,
  store: Pick<RunStore, 'list'>,
): Promise<ListedWatch & {readonly results: string; readonly silence: string | null}> {
  const {startedAt, endedAt, heartbeatAt, awaySince, probe, options} = watch
  const {processStart: _, heartbeatAgeMs: __, ...rest} = watch
  const state = describeWatchState(watch, machine)
  const counts: Record<string, number> = {}
  let runs = 0
  for await (const run of store.list({watchId: watch.id})) {
    runs++
    for (const [result, count] of Object.entries(run.counts)) counts[result] = (counts[result] ?? 0) + count
  }
  const heardAt = heartbeatAt.toISOString()
  return {
    ...{...rest, kind: 'watch', state, counts, runs, results: describeCounts(counts), total: null},
    atWork: state === 'ended' || state === 'unresponsive' ? 0 : 1,
    silence: state === 'unresponsive' ? `no heartbeat since ${heardAt.slice(0, 19)}Z` : null,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    heartbeatAt: heardAt,
    awaySince: awaySince?.toISOString() ?? null,
    probe: probe && {...probe, at: probe.at.toISOString()},
    command: typeof options.command === 'string' ? options.command : null,
  }
}

/** The sources of runs and watches. */
export interface ListedRecords {
  readonly runs: Pick<RunStore, 'list'>
  readonly watches: Pick<WatchStore, 'list'>
}

/** @param withRuns also the runs of watches, each below its watch */
interface ListQuery extends RunQuery {
  readonly withRuns: boolean
}

type ListedRow = Awaited<ReturnType<typeof toWatchRow>> | ReturnType<typeof toRunRow>

/**
 * Rows of runs and watches, the newest first, but active watches before all others. With a kind or a state, all runs
 * are listed as if there were no watches.
 */
export async function* streamListRows(
  {runs, watches}: ListedRecords,
  machine: Machine,
  {withRuns, ...query}: ListQuery,
): AsyncGenerator<ListedRow, void, void> {
  const {kind, state, limit} = query
  if (state !== undefined || (kind !== undefined && kind !== 'watch'))
    return yield* streamRunRows(runs, machine, query)
  let left = limit ?? Number.POSITIVE_INFINITY
  const order = {withRuns, limit, isOfWatches: kind === 'watch'}
  for await (const one of listTogether({runs, watches}, machine, order)) {
    if (left-- <= 0) return
    yield 'continues' in one ? toRunRow(one, machine) : await toWatchRow(one, machine, runs)
  }
}

interface ListOrder {
  readonly limit: number | undefined
  readonly isOfWatches: boolean
}

async function* listTogether(
  records: ListedRecords,
  machine: Machine,
  {withRuns, ...order}: ListOrder & {readonly withRuns: boolean},
): AsyncGenerator<WatchRow | RunRow, void, void> {
  for await (const one of listTop(records, machine, order)) {
    yield one
    if (withRuns && !('continues' in one)) yield* records.runs.list({watchId: one.id})
  }
}

/** Watches, and runs without a watch. */
async function* listTop(
  {runs, watches}: ListedRecords,
  machine: Machine,
  {limit, isOfWatches}: ListOrder,
): AsyncGenerator<WatchRow | RunRow, void, void> {
  const isAtWork = (watch: WatchRow) => watch.endedAt === null && isLive(watch, machine)
  for await (const watch of watches.list({isOpen: true})) if (isAtWork(watch)) yield watch
  const others = (async function* () {
    for await (const watch of watches.list({})) if (!isAtWork(watch)) yield watch
  })()
  let waiting = await others.next()
  const ofNone = isOfWatches ? [] : runs.list({watchId: null, limit})
  for await (const run of ofNone) {
    for (; !waiting.done && waiting.value.id > run.id; waiting = await others.next()) yield waiting.value
    yield run
  }
  for (; !waiting.done; waiting = await others.next()) yield waiting.value
}

/** How many rows a query of runs and watches finds. */
export async function countListRows(
  records: ListedRecords & {readonly runs: Pick<RunStore, 'list' | 'count'>},
  machine: Machine,
  query: ListQuery,
): Promise<number> {
  const {runs, watches} = records
  const {kind, state, withRuns} = query
  if (state !== undefined || (kind !== undefined && kind !== 'watch'))
    return countRunRows(runs, machine, query)
  let count = kind === 'watch' ? 0 : await runs.count(withRuns ? {} : {watchId: null})
  for await (const _ of watches.list({})) count++
  return count
}
