import {formatCounted} from '../../output/cell.js'
import type {Clock} from '../../platform/clock.js'
import {type IdDeps, openIds, type ResolveFlags} from '../choose/chosen-events.js'
import {countIds} from '../event/event-ids.js'
import type {Inbox} from '../inbox/inbox.js'
import {type ResolutionRow, resolveEvents} from './triage.js'

/** What is needed to mark events by hand. */
export interface ResolveDeps extends Omit<IdDeps, 'inbox' | 'now'> {
  readonly inbox: IdDeps['inbox'] & Pick<Inbox, 'resolve' | 'reopen'>
  /** Who does it, for the history of the events. */
  readonly who: string
  readonly clock: Pick<Clock, 'now'>
  readonly findShop: () => Promise<{readonly shopName: string; readonly isProtected: boolean}>
  /** Resolves when the person agrees. */
  readonly confirm: (what: string) => Promise<void>
}

/** Which events are marked, and why. */
export interface ResolveRequest {
  /** Ids or unique prefixes of them, `-` for those on stdin. */
  readonly words: readonly string[]
  readonly flags: ResolveFlags
  readonly reason: string | null
}

/**
 * Takes events off the failed list, or puts them back, once the person agrees. One event of a shop that is not protected
 * is no question.
 *
 * @returns how many there are, and a row for each while it is marked
 * @throws StorectlError as `openIds` and `confirm` do
 */
export async function resolveChosen(
  {words, flags, reason}: ResolveRequest,
  deps: ResolveDeps,
): Promise<{readonly count: number; readonly rows: AsyncIterable<ResolutionRow>}> {
  const way = flags.undo ? 'reopen' : 'resolve'
  const read = await openIds(words, flags, {...deps, now: deps.clock.now()})
  const count = await countIds(read())
  const question = describeResolution(way, count, await deps.findShop())
  if (question !== undefined) await deps.confirm(question)
  return {count, rows: resolveEvents(way, read(), {at: deps.clock.now(), who: deps.who, reason}, deps)}
}

/**
 * What a person is asked before events are marked by hand; `undefined` where nothing is: for one event of a shop that is not
 * protected.
 */
function describeResolution(
  way: 'resolve' | 'reopen',
  count: number,
  shop: {readonly shopName: string; readonly isProtected: boolean},
): string | undefined {
  if (count <= 1 && !shop.isProtected) return undefined
  const events = `${formatCounted(count, ['event', 'events'])} of ${shop.shopName}`
  return way === 'resolve' ? `mark ${events} as resolved` : `put ${events} back to their earlier status`
}
