import {confirmWrite} from '../../auth/profile/confirm-write.js'
import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {createUsageError} from '../../errors.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {formatCounted} from '../../output/cell.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {Cause} from '../../webhook/event/cause.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {parseEventFilters} from '../../webhook/event/event-fields.js'
import {readEventIds} from '../../webhook/event/event-ids.js'
import {Spool} from '../../webhook/import/spool.js'
import {follow} from '../../webhook/inbox/follow-events.js'
import {countEvents, type InboxQuery} from '../../webhook/inbox/inbox.js'
import {hasFilters, NEEDS_DOING, requireNoFilters} from '../../webhook/plan/event-selection.js'
import {expandEventIds} from '../../webhook/plan/find-event.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'

/**
 * Resolves when the person agrees to a change that concerns the chosen shop, without talking to it.
 *
 * @throws StorectlError as `confirmWrite` does
 */
export async function confirmChange(
  {options, prompts, chooseProfile}: Adapters,
  what: string,
): Promise<void> {
  const {name, profile} = await chooseProfile()
  const {yes, confirm} = options
  await confirmWrite(what, {
    profile: profile ?? {name, protected: false},
    ...{yes: yes === true, confirm, prompts},
  })
}

/**
 * Resolves when the person agrees to mark events by hand. One event of a shop that is not protected is no question.
 *
 * @throws StorectlError as `confirmWrite` does
 */
export async function confirmResolution(
  adapters: Adapters,
  way: 'resolve' | 'reopen',
  count: number,
): Promise<void> {
  const chosen = await adapters.chooseProfile()
  if (count <= 1 && chosen.profile?.protected !== true) return
  const events = `${formatCounted(count, ['event', 'events'])} of ${describeChosenShop(chosen)}`
  await confirmChange(
    adapters,
    way === 'resolve' ? `mark ${events} as resolved` : `put ${events} back to their earlier status`,
  )
}

/** Events of the inbox that flags choose, by their cause too. */
export async function listChosenEvents(
  host: Host,
  adapters: Adapters,
  query: InboxQuery,
  causes: readonly Cause[] | undefined,
): Promise<AsyncIterable<InboxEvent>> {
  const {inbox, target} = await adapters.openInbox()
  if (!causes) return inbox.list(target, query)
  const {buildCauseFilter} = await import('./diagnosis.js')
  const narrow = await buildCauseFilter(host, adapters, causes)
  return takeFirst(narrow(inbox.list(target, {...query, limit: undefined})), query.limit)
}

/** How many events flags choose; `undefined` where a cause does, and more may be found than were `shown`. */
export async function countChosenEvents(
  adapters: Adapters,
  query: InboxQuery,
  causes: readonly Cause[] | undefined,
  shown: number,
): Promise<number | undefined> {
  if (query.limit === undefined || shown < query.limit) return shown
  const {inbox, target} = await adapters.openInbox()
  return causes ? undefined : countEvents(inbox, target, query)
}

/** Flags that choose events to resolve, or resolved events. */
type ResolveFlags = EventFlags & {readonly undo: boolean}

/** The ids that words name, or else those of the events that flags choose; they may be read twice. */
export async function openIds(
  host: Host,
  adapters: Adapters,
  words: readonly string[],
  flags: ResolveFlags,
): Promise<() => AsyncIterable<string[]>> {
  if (words.length > 0) requireNoFilters(flags)
  else if (!hasFilters(flags)) {
    throw createUsageError('missing_argument', 'No events selected: add event ids or filters.', [
      'storectl webhook resolve ID --reason TEXT',
      'storectl webhook resolve --cause NAME --reason TEXT',
    ])
  }
  if (words.length === 0) return openChosenIds(host, adapters, flags)
  const input = words.includes('-') ? await adapters.files.openInput('-') : undefined
  const {inbox, target} = await adapters.openInbox()
  const ids = await expandEventIds(inbox, target, words)
  return () => readEventIds(ids, async () => input as NonNullable<typeof input>)
}

/** Ids that are handed on together. */
const IDS_AT_ONCE = 500

/** Chosen once: what is resolved is what was counted and confirmed. Memory does not grow with their number. */
async function openChosenIds(
  host: Host,
  adapters: Adapters,
  flags: ResolveFlags,
): Promise<() => AsyncIterable<string[]>> {
  const query = parseEventFilters(flags, host.clock.now(), flags.undo ? ['resolved'] : NEEDS_DOING)
  const ids = new Spool<string, string>({
    openScratch: () => adapters.files.openScratch(),
    plain: id => id,
    revive: id => id,
  })
  const chosen = await listChosenEvents(host, adapters, query, flags.cause)
  for await (const events of splitBatches(chosen, IDS_AT_ONCE)) await ids.add(events.map(({id}) => id))
  return () => splitBatches(ids.read(), IDS_AT_ONCE)
}

/** The newest events that a query chooses, then each that arrives or changes. @param note a line for the person */
export async function* followEvents(
  {clock, interruption, platform, hasProcessToItself}: Host,
  adapters: Adapters,
  query: InboxQuery,
  note: (text: string) => Promise<void>,
) {
  const onBusy = (why: string) => note(`${why} Retrying until it is free.`)
  const inbox = await adapters.openInbox()
  const {watchReader} = await import('../../platform/closed-reader.js')
  const stopWatching = hasProcessToItself ? watchReader(interruption, platform) : () => {}
  try {
    yield* follow(query, {...inbox, clock, signal: interruption.stopping, onBusy})
  } finally {
    stopWatching()
  }
}

async function* takeFirst(events: AsyncIterable<InboxEvent>, limit = Number.POSITIVE_INFINITY) {
  let left = limit
  for await (const event of events) {
    yield event
    if (--left <= 0) return
  }
}
