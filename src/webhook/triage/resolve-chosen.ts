import {createUsageError} from '../../errors.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {formatCounted} from '../../output/cell.js'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RunRow, RunStore} from '../../runs/journal/run-store.js'
import {createOtherShopError} from '../../runs/open-run.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {type IdDeps, openIds} from '../choose/chosen-events.js'
import {hasFilters} from '../choose/event-selection.js'
import {countIds, isLikeEventId} from '../event/event-ids.js'
import {type MarkDeps, type MarkedEvents, markEvents} from './mark-events.js'

/** Dependencies of marking chosen events. */
export interface ResolveDeps extends Omit<IdDeps, 'inbox' | 'now'>, Omit<MarkDeps, 'inbox' | 'store'> {
  readonly inbox: IdDeps['inbox'] & MarkDeps['inbox']
  readonly store: MarkDeps['store'] & Pick<RunStore, 'listRecords'>
  readonly findShop: () => Promise<{readonly shopName: string; readonly isProtected: boolean}>
  /** Resolves when the person agrees. */
  readonly confirm: (what: string) => Promise<void>
}

/** Which events are marked, and why. */
export interface ResolveRequest {
  /** Ids or unique prefixes of them, `-` for those on stdin. */
  readonly words: readonly string[]
  readonly flags: EventFlags
  readonly reason: string | null
}

/**
 * Resolves events, once the person agrees. One event of an unprotected shop needs no question.
 *
 * @returns their number, and a row for each while it is marked
 * @throws StorectlError `usage.no_reason`, and as `openIds` and `confirm` do
 */
export async function resolveChosen(
  {words, flags, reason}: ResolveRequest,
  deps: ResolveDeps,
): Promise<MarkedEvents> {
  if (reason === null)
    throw createUsageError('no_reason', 'Missing --reason.', ['add --reason "what was done"'])
  const read = await openIds(words, flags, {...deps, now: deps.clock.now()})
  const count = await countIds(read())
  await confirmMarks('resolve', count, deps)
  return markEvents({ids: read(), count, reason}, deps)
}

/**
 * Reopens exactly the events that a run resolved, once the person agrees; events changed since stay unchanged.
 *
 * @param run that has ended
 * @throws StorectlError `usage.not_a_resolve`, `usage.ids_and_run`, `usage.other_shop`, and as `confirm` does
 */
export async function undoResolve(
  run: RunRow,
  {words, flags, reason}: ResolveRequest,
  deps: ResolveDeps,
): Promise<MarkedEvents> {
  const {id, kind, target, counts} = run
  if (words.length > 0 || hasFilters(flags))
    throw createUsageError('ids_and_run', '--undo takes back a whole run: omit ids and filters.')
  if (kind !== 'resolve')
    throw createUsageError('not_a_resolve', `Run ${id} resolved nothing: it is of the kind ${kind}.`, [
      'storectl run list --kind resolve',
    ])
  if (target !== deps.target) throw createOtherShopError(run, 'undo')
  const count = counts.resolved ?? 0
  await confirmMarks('undo', count, deps)
  const ids = splitBatches(listResolved(deps.store.listRecords(id)), IDS_AT_ONCE)
  return markEvents({ids, count, reason, resolvedBy: id}, deps)
}

/** Earlier versions had a switch of this name, beside ids or filters. @throws StorectlError `usage.no_run` */
export function requireRunToUndo(argv: readonly string[]): void {
  const at = argv.indexOf('--undo')
  const run = argv[at + 1] ?? '-'
  if (at < 0 || !(run.startsWith('-') || isLikeEventId(run))) return
  throw createUsageError('no_run', '--undo takes the run whose events are to be restored.', [
    'storectl run list --kind resolve',
    'storectl webhook show ID   (names the run that resolved an event)',
  ])
}

/** Ids per batch. */
const IDS_AT_ONCE = 500

async function* listResolved(entries: AsyncIterable<JournalEntry>) {
  for await (const {item, result} of entries) if (result === 'resolved') yield item
}

/** Asks before events are marked by hand; one event of an unprotected shop needs no question. */
async function confirmMarks(
  way: 'resolve' | 'undo',
  count: number,
  {findShop, confirm}: ResolveDeps,
): Promise<void> {
  const {shopName, isProtected} = await findShop()
  if (count <= 1 && !isProtected) return
  const events = `${formatCounted(count, ['event', 'events'])} of ${shopName}`
  const asked = {resolve: `mark ${events} as resolved`, undo: `put ${events} back to their earlier status`}
  await confirm(asked[way])
}
