import type {EventFlags} from '../../flags/event-flags.js'
import {findEventsById} from '../../webhook/diagnose/diagnose.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {parseEventFilters} from '../../webhook/event/event-fields.js'
import {readEventIds} from '../../webhook/event/event-ids.js'
import type {EventStatus} from '../../webhook/event/event-status.js'
import type {InboxQuery} from '../../webhook/inbox/inbox.js'
import {requireNoFilters} from '../../webhook/plan/event-selection.js'
import {expandEventIds} from '../../webhook/plan/find-event.js'
import type {Adapters} from '../adapters/adapters.js'
import type {OpenInbox} from '../adapters/inbox.js'

/** What a command was given to look at. */
export interface AskedEvents extends Pick<InboxQuery, 'order'> {
  /** Ids or unique prefixes of them, or `-` for those on stdin. */
  readonly words: readonly string[]
  readonly flags: EventFlags
  readonly now: Date
  /** Those that are meant where no flag names others. */
  readonly statuses?: readonly EventStatus[]
  /** Told of ids that are not in the inbox. */
  readonly onMissing: (id: string) => Promise<void>
}

/**
 * The events of the inbox that ids or flags choose.
 *
 * @throws StorectlError `usage.ids_and_filters`, and as `parseEventFilters` and `expandEventIds` do
 */
export async function listAskedEvents(
  {words, flags, now, statuses, order, onMissing}: AskedEvents,
  {inbox, target}: Pick<OpenInbox, 'inbox' | 'target'>,
  {files}: Pick<Adapters, 'files'>,
): Promise<AsyncIterable<InboxEvent>> {
  if (words.length === 0) return inbox.list(target, {...parseEventFilters(flags, now, statuses), order})
  requireNoFilters(flags)
  const ids = await expandEventIds(inbox, target, words)
  return findEventsById(readEventIds(ids, files.openInput), {inbox, target}, onMissing)
}
