import {createUsageError} from '../../errors.js'
import type {EventFlags} from '../../flags/event-flags.js'
import type {InboxEvent} from '../event/event.js'
import {parseEventCondition} from '../event/event-fields.js'
import {isLikeEventId, readIdList} from '../event/event-ids.js'
import {NEEDS_DOING} from '../event/event-status.js'
import type {EventFile} from '../import/read-events.js'
import type {Inbox} from '../inbox/inbox.js'
import type {Selection} from './selection.js'

/** Whether a flag narrows the events of the inbox. */
export function hasFilters({status, type, since, until, where, cause}: EventFlags): boolean {
  return [status, type, since, until, where, cause].some(each => each !== undefined)
}

/**
 * Refuses filters beside ids.
 *
 * @throws StorectlError `usage.ids_and_filters`
 */
export function requireNoFilters(flags: EventFlags): void {
  if (hasFilters(flags)) throw createUsageError('ids_and_filters', 'Use event ids or filters, not both.')
}

/**
 * Refuses filters that apply only to events of the inbox.
 *
 * @throws StorectlError `usage.inbox_filter`
 */
export function requireFileFilters({status, cause}: EventFlags): void {
  const flag = status !== undefined ? '--status' : '--cause'
  if (status === undefined && cause === undefined) return
  throw createUsageError('inbox_filter', `${flag} selects events of the inbox, not of files.`, [
    'storectl webhook import FILE',
  ])
}

/** The events of the inbox that are meant, the oldest first, so that those of one payment keep their order. */
export function listSelected(
  inbox: Pick<Inbox, 'list'>,
  target: string,
  {ids, statuses, types, since, until, where}: Selection,
): AsyncIterable<InboxEvent> {
  if (ids) return inbox.list(target, {ids, oldestFirst: true})
  const condition = where === undefined ? undefined : parseEventCondition(where)
  const narrowed = {types, since, until, where: condition, oldestFirst: true}
  return inbox.list(target, {statuses: statuses ?? NEEDS_DOING, ...narrowed})
}

/** The meaning of the arguments of `webhook replay`. */
export type EventArguments =
  | {readonly kind: 'inbox'}
  | {readonly kind: 'ids'; readonly ids: readonly string[]}
  | {readonly kind: 'files'; readonly files: readonly EventFile[]}

/** Most ids that stdin may name; filters suit more. */
const MOST_IDS = 10_000

export interface EventArgumentsDeps {
  /** Opens a file, or stdin for `-`. */
  readonly open: (path: string) => Promise<{readonly name: string; read(): AsyncIterable<Uint8Array>}>
  /** Finds those arguments that are ids of events in the inbox. */
  readonly known: (words: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
}

/**
 * Distinguishes ids, files and stdin. Stdin holds events, or the ids of events in the inbox, one per line.
 *
 * @throws StorectlError `usage.ids_and_files`, and as `open` does
 */
export async function classifyArguments(
  words: readonly string[],
  {open, known}: EventArgumentsDeps,
): Promise<EventArguments> {
  if (words.length === 0) return {kind: 'inbox'}
  const there = await known(words)
  const ids = words.filter(word => there.has(word) || isLikeEventId(word))
  if (ids.length === words.length) return {kind: 'ids', ids}
  if (ids.length > 0) {
    throw createUsageError('ids_and_files', 'Use event ids or event files, not both.')
  }
  const inputs = await Promise.all(words.map(open))
  const [only] = inputs
  if (words.length === 1 && words[0] === '-' && only) {
    const named = await readIds(only.read())
    if (named) return {kind: 'ids', ids: named}
  }
  return {kind: 'files', files: inputs.map(input => ({name: input.name, chunks: toChunks(input)}))}
}

/** A file is read at its turn, not when it is named. */
function toChunks({read}: {read(): AsyncIterable<Uint8Array>}): AsyncIterable<Uint8Array> {
  return {[Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]()}
}

/** The ids, when the input is a list of them. */
async function readIds(chunks: AsyncIterable<Uint8Array>): Promise<string[] | undefined> {
  const ids = await readIdList(chunks)
  if (ids && ids.length > MOST_IDS) {
    throw createUsageError(
      'too_many_ids',
      `stdin names ${ids.length} events; at most ${MOST_IDS} can be named.`,
    )
  }
  return ids
}
