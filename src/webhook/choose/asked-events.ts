import type {EventFlags} from '../../flags/event-flags.js'
import type {InboxEvent} from '../event/event.js'
import {parseEventFilters} from '../event/event-fields.js'
import {readEventIds} from '../event/event-ids.js'
import type {EventStatus} from '../event/event-status.js'
import type {Inbox, InboxQuery} from '../inbox/inbox.js'
import {requireNoFilters} from './event-selection.js'
import {expandEventIds, findEventsById} from './find-event.js'
import {describeUnknownOrders} from './unknown-orders.js'

/** Where events are chosen from: the inbox, and the shop's name in it. */
export interface EventStore {
  readonly inbox: Pick<Inbox, 'find' | 'list' | 'countGroups'>
  readonly target: string
}

/** Opens a file, or stdin for `-`. */
export type OpenInput = (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>

/** The ids or flags of a command that choose events. */
export interface AskedEvents extends Pick<InboxQuery, 'order'> {
  /** Ids or unique prefixes of them, or `-` for those on stdin. */
  readonly words: readonly string[]
  readonly flags: EventFlags
  readonly now: Date
  /** Statuses that are meant unless a flag names others. */
  readonly statuses?: readonly EventStatus[]
  /** Called with ids that are not in the inbox. */
  readonly onMissing: (id: string) => Promise<void>
  /** Tells a person a line. */
  readonly note?: (text: string) => Promise<void>
}

/**
 * The events of the inbox that ids or flags choose.
 *
 * @throws StorectlError `usage.ids_and_filters`, and as `parseEventFilters` and `expandEventIds` do
 */
export async function listAskedEvents(
  {words, flags, now, statuses, order, onMissing, note}: AskedEvents,
  {inbox, target}: EventStore,
  openInput: OpenInput,
): Promise<AsyncIterable<InboxEvent>> {
  if (words.length === 0) {
    const query = {...parseEventFilters(flags, now, statuses), order}
    const unknown = await describeUnknownOrders(inbox, target, query)
    if (unknown !== undefined) await note?.(unknown)
    return inbox.list(target, query)
  }
  requireNoFilters(flags)
  const ids = await expandEventIds(inbox, target, words)
  return findEventsById(readEventIds(ids, openInput), {inbox, target}, onMissing)
}
