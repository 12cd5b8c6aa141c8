import {usageError} from '../../errors.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {EventStatus, InboxEvent} from '../event/event.js'
import type {EventFile} from '../import/read-events.js'
import type {Inbox} from '../inbox/inbox.js'
import type {ReplayOptions} from '../replay/replay.js'

/** What `webhook replay` takes; 0 turns a limit off. */
export interface ReplayFlags {
  readonly status?: readonly string[] | undefined
  readonly type?: readonly string[] | undefined
  readonly since?: ((now: Date) => Date) | undefined
  readonly until?: ((now: Date) => Date) | undefined
  readonly rate: number
  readonly concurrency: number
  readonly max: number
  readonly retries: number
  readonly 'max-age': number
  readonly canary: number
  readonly 'breaker-failures': number
  readonly 'breaker-rate': number
  readonly stale: string
  readonly verify: string
  readonly 'include-unknown': boolean
  readonly 'include-delivered': boolean
  readonly 'include-resolved': boolean
  readonly via: string
  readonly 'provider-wait': number
}

/** The limits and rules that flags ask for. */
export function optionsOf(flags: ReplayFlags): ReplayOptions {
  return {
    ratePerSecond: flags.rate,
    concurrency: flags.concurrency,
    max: flags.max || undefined,
    retries: flags.retries,
    maxAgeMs: flags['max-age'] || undefined,
    canary: flags.canary,
    failuresInARow: flags['breaker-failures'] || undefined,
    failureRate: flags['breaker-rate'] || undefined,
    stale: flags.stale as ReplayOptions['stale'],
    verify: flags.verify as ReplayOptions['verify'],
    includeUnknown: flags['include-unknown'],
    includeDelivered: flags['include-delivered'],
    includeResolved: flags['include-resolved'],
    via: flags.via as ReplayOptions['via'],
    providerWaitMs: flags['provider-wait'],
  }
}

/** The events that flags select. What was delivered, or dealt with by hand, is among them only when it is asked for. */
export function selectionOf(flags: ReplayFlags, now: Date): Selection {
  const more: EventStatus[] = [
    ...(flags['include-delivered'] ? (['delivered'] as const) : []),
    ...(flags['include-resolved'] ? (['resolved'] as const) : []),
  ]
  const usual: EventStatus[] | undefined =
    more.length > 0 ? ['failed', 'pending', 'unknown', ...more] : undefined
  return {
    statuses: (flags.status as EventStatus[] | undefined) ?? usual,
    types: flags.type,
    since: flags.since?.(now),
    until: flags.until?.(now),
  }
}

/** What the words after `webhook replay` mean. */
export type Asked =
  | {readonly kind: 'inbox'}
  | {readonly kind: 'ids'; readonly ids: readonly string[]}
  | {readonly kind: 'files'; readonly files: readonly EventFile[]}

/** Most ids that stdin may name; more are better said by filters. */
const MOST_IDS = 10_000

export interface AskedDeps {
  /** Opens a file, or stdin for `-`. */
  readonly open: (path: string) => Promise<{readonly name: string; read(): AsyncIterable<Uint8Array>}>
  /** Which of the words are ids of events in the inbox. */
  readonly known: (words: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
}

/** Whether a word reads like the id of an event rather than the name of a file. @see protocol.md §4.7 */
function looksLikeId(word: string): boolean {
  return /^WH-[A-Z0-9]+(-[A-Z0-9]+)?$/i.test(word)
}

/**
 * Tells ids, files and stdin apart. Stdin holds events, or the ids of events in the inbox, one a line.
 *
 * @throws StorectlError `usage.ids_and_files`, and as `open` does
 */
export async function askedFor(words: readonly string[], {open, known}: AskedDeps): Promise<Asked> {
  if (words.length === 0) return {kind: 'inbox'}
  const there = await known(words)
  const ids = words.filter(word => there.has(word) || looksLikeId(word))
  if (ids.length === words.length) return {kind: 'ids', ids}
  if (ids.length > 0) {
    throw usageError('ids_and_files', 'Name either events by their ids, or files that hold events, not both.')
  }
  const inputs = await Promise.all(words.map(open))
  const [only] = inputs
  if (words.length === 1 && words[0] === '-' && only) {
    const named = await idsIn(only.read())
    if (named) return {kind: 'ids', ids: named}
  }
  return {kind: 'files', files: inputs.map(input => ({name: input.name, chunks: chunksOf(input)}))}
}

/** A file is read when its turn comes, not when it is named. */
function chunksOf({read}: {read(): AsyncIterable<Uint8Array>}): AsyncIterable<Uint8Array> {
  return {[Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]()}
}

/** The ids, when the input is a list of them. */
async function idsIn(chunks: AsyncIterable<Uint8Array>): Promise<string[] | undefined> {
  let text = ''
  for await (const chunk of chunks) {
    text += Buffer.from(chunk).toString('latin1')
    if (!looksLikeId(text.trimStart().slice(0, 16).split(/\s/)[0] ?? '')) return undefined
  }
  const ids = text.split(/\s+/).filter(word => word !== '')
  if (ids.length > MOST_IDS) {
    throw usageError('too_many_ids', `stdin names ${ids.length} events; at most ${MOST_IDS} can be named.`)
  }
  return ids.length > 0 && ids.every(looksLikeId) ? ids : undefined
}

/** What a replay of delivered events is for: given again, it carries on instead of beginning anew. */
export interface Purpose {
  /** The same for every command that means the same events. */
  readonly of: string
  /** What earlier runs of this purpose sent again is sent once more. */
  readonly isAfresh: boolean
}

/** A purpose as a run remembers it. */
interface Remembered {
  readonly of: string
  readonly sinceMs: number
}

/** The purpose that words and filters say; a time ago is the same purpose whenever it is said. */
export function purposeOf(words: readonly string[], flags: ReplayFlags, isAfresh: boolean): Purpose {
  const {status, type, since, until} = flags
  const epoch = new Date(0)
  const said = [words, status, type, since?.(epoch), until?.(epoch)]
  return {of: JSON.stringify(said.map(part => part ?? null)), isAfresh}
}

/**
 * Since when deliveries count for a purpose: since its first run began, unless it is to begin afresh.
 *
 * @returns milliseconds since 1970
 */
export async function sinceWhen(
  {of, isAfresh}: Purpose,
  target: string,
  runs: Pick<RunStore, 'list'>,
  now: Date,
): Promise<number> {
  if (isAfresh) return now.getTime()
  for await (const {options} of runs.list({kind: 'replay', target})) {
    const remembered = options.purpose as Remembered | undefined
    if (remembered?.of === of) return remembered.sinceMs
  }
  return now.getTime()
}

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
