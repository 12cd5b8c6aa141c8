import {createUsageError, StorectlError} from '../../errors.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'

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
  const event = exact ?? (await findByPrefix(inbox, target, word))
  if (!event) throw describeMissingEvent(word, target)
  return event
}

/**
 * Ids for words that are ids, or unique prefixes of them; a word that is neither, and `-`, stay as they are.
 *
 * @throws StorectlError `usage.several_events`
 */
export async function expandEventIds(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  words: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for await (const [word, id] of resolveIds(inbox, target, words)) ids.push(id ?? word)
  return ids
}

/**
 * Ids for words that are ids, or unique prefixes of them, all of which have to be there.
 *
 * @throws StorectlError `usage.no_such_event`, `usage.several_events`
 */
export async function requireEventIds(
  inbox: Pick<Inbox, 'find' | 'list'>,
  target: string,
  words: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for await (const [word, id] of resolveIds(inbox, target, words)) {
    if (id === undefined) throw describeMissingEvent(word, target)
    ids.push(id)
  }
  return ids
}

/** Each word with the id that it is or begins, in order; `-` is none. */
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

/** The error for an id that the inbox does not have. */
export function describeMissingEvent(id: string, target: string): StorectlError {
  return new StorectlError('usage.no_such_event', `No event ${id} in the inbox of ${target}.`, {
    nextSteps: ['storectl webhook list', 'storectl webhook import FILE'],
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
