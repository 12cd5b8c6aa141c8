import {createUsageError, StorectlError} from '../../errors.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'

/** Most candidates that an error names. */
const MOST_NAMED = 10

/**
 * The event of an id, or of the beginning of one that no other event shares.
 *
 * @throws StorectlError `empty.no_event`, `usage.several_events`
 */
export async function findEvent(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  word: string,
): Promise<InboxEvent> {
  const exact = (await inbox.find(target, [word])).get(word)
  const event = exact ?? (await findByPrefix(inbox, target, word))
  if (!event) throw describeMissingEvent(word, target)
  return event
}

/**
 * Ids for words that are ids or unique prefixes; of several words, one that is neither stays unchanged, as does `-`.
 *
 * @throws StorectlError `empty.no_event` for a single word, `usage.several_events`
 */
export async function expandEventIds(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  words: readonly string[],
): Promise<string[]> {
  const [only = '-'] = words
  if (words.length === 1 && only !== '-') return [(await findEvent(inbox, target, only)).id]
  const ids: string[] = []
  for await (const [word, id] of resolveIds(inbox, target, words)) ids.push(id ?? word)
  return ids
}

/**
 * Ids for words that are ids or unique prefixes, all of which must exist.
 *
 * @throws StorectlError `empty.no_event` for a single word, `partial.no_event`, `usage.several_events`
 */
export async function requireEventIds(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  words: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  const missing: string[] = []
  for await (const [word, id] of resolveIds(inbox, target, words)) {
    if (id === undefined && words.length === 1) throw describeMissingEvent(word, target)
    if (id === undefined) missing.push(word)
    else ids.push(id)
  }
  if (missing.length === 0) return ids
  const nothing = 'Nothing was sent.'
  throw new StorectlError(
    'partial.no_event',
    `Not in the inbox of ${target}: ${missing.join(', ')}. ${nothing}`,
    {
      nextSteps: WAYS_TO_EVENTS,
    },
  )
}

/** The events with these ids, in their order. @param onMissing called with ids that are not in the inbox */
export async function* findEventsById(
  ids: AsyncIterable<readonly string[]>,
  {inbox, target}: {readonly inbox: Pick<Inbox, 'find'>; readonly target: string},
  onMissing: (id: string) => Promise<void> | void,
): AsyncGenerator<InboxEvent, void, void> {
  for await (const some of ids) {
    const there = await inbox.find(target, some)
    for (const id of some) {
      const event = there.get(id)
      if (event) yield event
      else await onMissing(id)
    }
  }
}

/** Each word with the id that it is or begins, in order; `-` has none. */
async function* resolveIds(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  words: readonly string[],
): AsyncGenerator<readonly [word: string, id: string | undefined], void, void> {
  const there = await inbox.find(target, words)
  for (const word of words) {
    const isExact = there.has(word)
    const event = isExact || word === '-' ? undefined : await findByPrefix(inbox, target, word)
    yield [word, isExact ? word : event?.id]
  }
}

const WAYS_TO_EVENTS = ['storectl webhook list', 'storectl webhook import FILE']

/** The error for a single named id that is not in the inbox. */
export function describeMissingEvent(id: string, target: string): StorectlError {
  return new StorectlError('empty.no_event', `No event ${id} in the inbox of ${target}.`, {
    nextSteps: WAYS_TO_EVENTS,
  })
}

async function findByPrefix(
  inbox: Pick<Inbox, 'list'>,
  target: string,
  word: string,
): Promise<InboxEvent | undefined> {
  const found: InboxEvent[] = []
  for await (const event of inbox.list(target, {idPrefix: word, limit: MOST_NAMED})) found.push(event)
  const [event, other] = found
  if (!other) return event
  const ids = found.map(({id}) => id).join(', ')
  throw createUsageError(
    'several_events',
    `Several events begin with ${word}: ${ids}. Type more of the id.`,
    ['storectl webhook list'],
  )
}
