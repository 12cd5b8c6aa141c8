import {createUsageError} from '../../errors.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {type ScratchFile, Spool} from '../../runs/pool/spool.js'
import type {InboxEvent} from '../event/event.js'
import {parseEventFilters} from '../event/event-fields.js'
import {readEventIds} from '../event/event-ids.js'
import {NEEDS_DOING} from '../event/event-status.js'
import {countEvents, type InboxQuery} from '../inbox/inbox.js'
import type {EventStore, OpenInput} from './asked-events.js'
import {hasFilters, requireNoFilters} from './event-selection.js'
import {expandEventIds} from './find-event.js'

/** Leaves out events without one of the requested causes. */
export type NarrowEvents = (events: AsyncIterable<InboxEvent>) => AsyncIterable<InboxEvent>

/** Events of the inbox that flags choose. @param narrow also filters by cause */
export function listChosenEvents(
  {inbox, target}: EventStore,
  query: InboxQuery,
  narrow: NarrowEvents | undefined,
): AsyncIterable<InboxEvent> {
  if (!narrow) return inbox.list(target, query)
  return takeFirst(narrow(inbox.list(target, {...query, limit: undefined})), query.limit)
}

/** How many events flags choose; `undefined` if they are filtered by cause and there may be more than `shown`. */
export async function countChosenEvents(
  {inbox, target}: {readonly inbox: Parameters<typeof countEvents>[0]; readonly target: string},
  query: InboxQuery,
  narrow: NarrowEvents | undefined,
  shown: number,
): Promise<number | undefined> {
  if (query.limit === undefined || shown < query.limit) return shown
  return narrow ? undefined : countEvents(inbox, target, query)
}

/** Dependencies of opening ids. */
export interface IdDeps extends EventStore {
  readonly now: Date
  readonly narrow: NarrowEvents | undefined
  readonly openInput: OpenInput
  readonly openScratch: () => Promise<ScratchFile>
}

/** The ids that words name, or else those of the events that flags choose; they may be read twice. */
export async function openIds(
  words: readonly string[],
  flags: EventFlags,
  deps: IdDeps,
): Promise<() => AsyncIterable<string[]>> {
  if (words.length > 0) requireNoFilters(flags)
  else if (!hasFilters(flags)) {
    throw createUsageError('missing_argument', 'No events selected: add event ids or filters.', [
      'storectl webhook resolve ID --reason TEXT',
      'storectl webhook resolve --cause NAME --reason TEXT',
    ])
  }
  if (words.length === 0) return openChosenIds(flags, deps)
  const input = words.includes('-') ? await deps.openInput('-') : undefined
  const ids = await expandEventIds(deps.inbox, deps.target, words)
  return () => readEventIds(ids, async () => input as NonNullable<typeof input>)
}

/** Ids per batch. */
const IDS_AT_ONCE = 500

/** Chosen once: the resolved events are those counted and confirmed. Memory does not grow with their number. */
async function openChosenIds(
  flags: EventFlags,
  {now, narrow, openScratch, ...store}: IdDeps,
): Promise<() => AsyncIterable<string[]>> {
  const query = parseEventFilters(flags, now, NEEDS_DOING)
  const ids = new Spool<string, string>({
    openScratch,
    plain: id => id,
    revive: id => id,
  })
  const chosen = listChosenEvents(store, query, narrow)
  for await (const events of splitBatches(chosen, IDS_AT_ONCE)) await ids.add(events.map(({id}) => id))
  return () => splitBatches(ids.read(), IDS_AT_ONCE)
}

async function* takeFirst(events: AsyncIterable<InboxEvent>, limit = Number.POSITIVE_INFINITY) {
  let left = limit
  for await (const event of events) {
    yield event
    if (--left <= 0) return
  }
}
