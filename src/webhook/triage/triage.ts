import {createUsageError} from '../../errors.js'
import {formatCounted} from '../../output/cell.js'
import type {View} from '../../output/view.js'
import {parseEventCondition} from '../event/event-fields.js'
import {forgetOld} from '../import/staging.js'
import type {Inbox, Outdated, OutdatedCounts} from '../inbox/inbox.js'

/** The state of a file after a deletion. */
export type Erased =
  /** Nothing that was deleted is in the file any longer. */
  | {readonly kind: 'erased'}
  /** Others use the file, so it may still contain deleted data. */
  | {readonly kind: 'in-use'; readonly why: string}

/** The result of a prune. Keys are stable. */
export interface PrunedRow {
  /** `null` if only a condition chose them. */
  readonly before: string | null
  /** Selected events, without those in use; with staged copies, if a condition chose them. */
  readonly events: number
  readonly bodyBytes: number
  readonly statuses: OutdatedCounts['statuses']
  readonly inUse: number
  /** How many were deleted; 0 in a dry run. */
  readonly pruned: number
  /** Whether nothing of them is in the file any longer; `null` in a dry run. */
  readonly erased: boolean | null
  /** Runs whose journals name the events, and backups since the first of them arrived; `null` without a condition. */
  readonly runs: number | null
  readonly backups: number | null
  /** The same for a person, with what the records cannot know; `null` also if no event matches. */
  readonly stillHeld: string | null
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
    {path: 'stillHeld', isProse: true},
  ],
}

export interface PruneDeps {
  readonly inbox: Pick<Inbox, 'countOutdated' | 'prune' | 'forgetBetween'>
  readonly target: string
  readonly now: Date
  readonly who: string
  /** Counts what would be deleted, and changes nothing. */
  readonly isDryRun: boolean
  readonly confirm: (what: string) => Promise<void>
  /** Rewrites the file without deleted data. */
  readonly erase: () => Promise<Erased>
  /** Ends it between two batches. */
  readonly signal: AbortSignal
}

/**
 * Which events the flags select.
 *
 * @throws StorectlError `usage.nothing_chosen`, `usage.where`
 */
export function parseOutdated(
  flags: {'older-than'?: number | undefined; where?: string | undefined; 'keep-failed': boolean},
  now: Date,
): Outdated {
  const {'older-than': ageMs, where, 'keep-failed': keepFailed} = flags
  if (ageMs === undefined && where === undefined)
    throw createUsageError('nothing_chosen', 'Missing --older-than or --where.')
  const before = ageMs === undefined ? undefined : new Date(now.getTime() - ageMs)
  return {before, keepFailed, where: where === undefined ? undefined : parseEventCondition(where)}
}

/**
 * Deletes events with their bodies, headers and notes, one batch per commit, and then rewrites the file, which erases
 * them. Runs keep their records, which contain hashes but no bodies.
 *
 * @throws StorectlError as `confirm` and the database do
 */
export async function prune(
  outdated: Outdated,
  deps: PruneDeps,
): Promise<{row: PrunedRow; erased: Erased | undefined}> {
  const {inbox, target, now, who, isDryRun, confirm, erase, signal} = deps
  const row = toPruneRow(outdated, await inbox.countOutdated(target, outdated))
  if (isDryRun) return {row: {...row, pruned: 0, erased: null}, erased: undefined}
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

function describeHeld({runs, backups}: NonNullable<OutdatedCounts['held']>): string {
  const held = `${formatCounted(runs, ['run', 'runs'])} (ids, hashes, amounts, responses, reason, command line)`
  const copies = formatCounted(backups, ['backup', 'backups'])
  return `${held}, ${copies} made since the first event arrived. Delete backups and files of "run export" yourself: the records do not know where they are.`
}

function toPruneRow({before}: Outdated, {statuses, bodyBytes, inUse, held}: OutdatedCounts) {
  const events = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const still = {
    runs: null,
    backups: null,
    ...held,
    stillHeld: held && events > 0 ? describeHeld(held) : null,
  }
  return {before: before?.toISOString() ?? null, events, bodyBytes, statuses, inUse, ...still}
}
