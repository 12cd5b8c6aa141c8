import {createUsageError} from '../../errors.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {describeMissingEvent} from './event-source.js'

/** Candidates that are named. */
const MOST_NAMED = 10

/**
 * The event of an id, or of the beginning of one that no other event shares.
 *
 * @throws StorectlError `usage.no_such_event`, `usage.several_events`
 */
export async function findEvent(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  word: string,
): Promise<InboxEvent> {
  const exact = (await inbox.find(target, [word])).get(word)
  if (exact) return exact
  const found: InboxEvent[] = []
  for await (const event of inbox.list(target, {idPrefix: word, limit: MOST_NAMED})) found.push(event)
  const [event, other] = found
  if (!event) throw describeMissingEvent(word, target)
  if (!other) return event
  const ids = found.map(({id}) => id).join(', ')
  throw createUsageError(
    'several_events',
    `Several events begin with ${word}: ${ids}. Type more of the id.`,
    ['storectl webhook list'],
  )
}
