import type {View} from '../../output/view.js'
import {forgetOld} from '../import/staging.js'
import type {Inbox, Outdated, OutdatedCounts, ResolutionNote} from '../inbox/inbox.js'

/** What became of one event. Keys are stable. */
export interface ResolutionRow {
  readonly id: string
  readonly result: string
  readonly [key: string]: unknown
}

export const RESOLUTIONS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [{path: 'result'}, {path: 'id'}],
}

/** Ids of one commit. */
const BATCH = 500

const SAID = {
  resolve: {changed: 'resolved', same: 'was-resolved', delivered: 'was-delivered', unknown: 'not-found'},
  reopen: {changed: 'reopened', same: 'not-resolved', delivered: 'not-resolved', unknown: 'not-found'},
} as const

/**
 * Takes events off the failed list, or puts them back, batch by batch; each batch is one commit.
 *
 * @param ids however many; memory is that of a batch
 * @returns a row for each id, in their order
 */
export async function* resolveEvents(
  way: 'resolve' | 'reopen',
  ids: AsyncIterable<readonly string[]>,
  note: ResolutionNote,
  {inbox, target}: {inbox: Pick<Inbox, 'resolve' | 'reopen'>; target: string},
): AsyncGenerator<ResolutionRow, void, void> {
  for await (const batch of ids) {
    for (let from = 0; from < batch.length; from += BATCH) {
      const some = batch.slice(from, from + BATCH)
      const changes = await inbox[way](target, some, note)
      for (const id of some) yield {id, result: SAID[way][changes.get(id) ?? 'unknown']}
    }
  }
}

/** Whether an event did not come to what was asked for, so that a script should hear of it. */
export function hasFallenShort({result}: ResolutionRow): boolean {
  return result === 'not-found'
}

/** What a file looks like once things were deleted from it. */
export type Erased =
  /** Nothing of what was deleted is in the file any more. */
  | {readonly kind: 'erased'}
  /** Others have the file in use, so that pieces may still lie in it. */
  | {readonly kind: 'in-use'; readonly why: string}

/** What a prune came to. Keys are stable. */
export interface PrunedRow {
  readonly before: string
  /** Events that are old enough, without those in use. */
  readonly events: number
  readonly bodyBytes: number
  readonly statuses: OutdatedCounts['statuses']
  readonly inUse: number
  /** How many went; 0 in a dry run. */
  readonly pruned: number
  /** Whether nothing of them is in the file any more; `null` in a dry run. */
  readonly erased: boolean | null
  readonly [key: string]: unknown
}

export const PRUNED: View = {
  noun: ['prune', 'prunes'],
  id: 'pruned',
  columns: [
    {path: 'before', kind: 'time', label: 'Created before'},
    {path: 'events', kind: 'number'},
    {path: 'bodyBytes', header: 'BODIES', kind: 'bytes', label: 'Size of bodies'},
    {path: 'statuses'},
    {path: 'inUse', kind: 'number', label: 'Needed by runs'},
    {path: 'pruned', kind: 'number', label: 'Deleted'},
    {path: 'erased', label: 'Vacuumed'},
  ],
}

export interface PruneDeps {
  readonly inbox: Pick<Inbox, 'countOutdated' | 'prune' | 'forgetBetween'>
  readonly target: string
  readonly now: Date
  readonly who: string
  readonly confirm: (what: string) => Promise<void>
  /** Rewrites the file without what was deleted. */
  readonly erase: () => Promise<Erased>
  /** Ends it between two batches. */
  readonly signal: AbortSignal
}

/** Counts what would go, and changes nothing. */
export async function pruneDryRun(
  outdated: Outdated,
  {inbox, target}: Pick<PruneDeps, 'inbox' | 'target'>,
): Promise<PrunedRow> {
  return {...toPruneRow(outdated, await inbox.countOutdated(target, outdated)), pruned: 0, erased: null}
}

/**
 * Deletes old events with their bodies, headers and what was said about them, a batch a commit, and then rewrites the file,
 * so that nothing of them is left in it. Runs keep their records, which hold hashes and no bodies.
 *
 * @throws StorectlError as `confirm` and the database do
 */
export async function prune(
  outdated: Outdated,
  deps: PruneDeps,
): Promise<{row: PrunedRow; erased: Erased | undefined}> {
  const {inbox, target, now, who, confirm, erase, signal} = deps
  const row = toPruneRow(outdated, await inbox.countOutdated(target, outdated))
  if (row.events > 0) await confirm(`delete ${row.events} events of ${target} and their bodies for good`)
  await forgetOld(inbox, now)
  let pruned = 0
  while (!signal.aborted) {
    const note = pruned === 0 ? {who, events: row.events} : undefined
    const went = await inbox.prune(target, outdated, note)
    pruned += went
    if (went === 0) break
  }
  const erased = signal.aborted ? undefined : await erase()
  return {row: {...row, pruned, erased: erased?.kind === 'erased'}, erased}
}

function toPruneRow({before}: Outdated, {statuses, bodyBytes, inUse}: OutdatedCounts) {
  const events = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {before: before.toISOString(), events, bodyBytes, statuses, inUse}
}
