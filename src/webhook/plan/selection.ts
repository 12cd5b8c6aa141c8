import type {EventStatus, InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'

/** Which events a replay is about, as flags and arguments say it. */
export interface Selection {
  /** Named by their ids; then nothing else narrows. */
  readonly ids?: readonly string[] | undefined
  readonly statuses?: readonly EventStatus[] | undefined
  readonly types?: readonly string[] | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

/** What needs doing, when nobody says which. */
export const NEEDS_DOING: readonly EventStatus[] = ['failed', 'pending', 'unknown']

/** The events of the inbox that are meant, the oldest first, so that those of one payment keep their order. */
export function selected(
  inbox: Pick<Inbox, 'list'>,
  target: string,
  {ids, statuses, types, since, until}: Selection,
): AsyncIterable<InboxEvent> {
  if (ids) return inbox.list(target, {ids, oldestFirst: true})
  return inbox.list(target, {statuses: statuses ?? NEEDS_DOING, types, since, until, oldestFirst: true})
}
