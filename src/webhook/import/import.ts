import {StorectlError} from '../../errors.js'
import {findProvider} from '../../providers/providers.js'
import type {ArrivedEvent, WebhookEvent} from '../event/event.js'
import type {KnownTokens} from '../event/known-tokens.js'
import {classifyArrival, type EventSender} from '../event/sender.js'
import type {Inbox} from '../inbox/inbox.js'
import type {EventFault, OwnShop, ReadEvent} from './read-captured.js'
import {type EventFile, readEvents} from './read-events.js'

/** The result of an import. */
export interface Imported {
  readonly added: number
  /** Were there already, with the same body. */
  readonly known: number
  /** Came with a different body than the stored one; marked, and not sent until a person decides. */
  readonly conflicting: number
  /** Pieces that are not events. */
  readonly unusable: number
  /** Requests that have nothing to do with webhooks. */
  readonly passedOver: number
}

export interface ImportDeps {
  readonly inbox: Pick<Inbox, 'add' | 'noteObserved'>
  /** Checks the provider's signatures of stored events, and stores the results. */
  readonly checkSignatures?: SignatureCheck | undefined
  /** The shop that the events are for; absent if nothing is known about it. */
  readonly shop?: OwnShop | undefined
  /** The webhook tokens of the shop; loaded once an event has one. */
  readonly findTokens?: (() => Promise<KnownTokens>) | undefined
  readonly now: () => Date
  /** Called for each unusable entry. */
  readonly onFault: (fault: EventFault) => Promise<void> | void
  /** Called with ids that came with a different body. */
  readonly onConflict: (id: string) => Promise<void> | void
  /** Called with events whose bytes may not be those that were sent; they are stored. */
  readonly onDoubt?: (doubt: EventFault) => Promise<void> | void
  /** Called after each batch with how many events were read so far. */
  readonly onProgress?: (read: number) => void
  /** Ends the import between two batches; stored events stay. */
  readonly signal: AbortSignal
}

/**
 * @param target the shop's name in the inbox
 * @returns ids of those that verified
 */
export type SignatureCheck = (
  target: string,
  events: Iterable<WebhookEvent & {readonly mayDiffer: boolean}>,
) => Promise<ReadonlySet<string>>

/** Events of one commit, and their bytes: a page of an index that several fall on is written once for all of them. */
const BATCH = 5000
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Puts the events of files into the inbox: once each, bodies byte for byte. Unusable entries are reported and skipped.
 * Memory does not grow with the number of events or of unusable entries.
 *
 * @throws StorectlError as reading the files does; earlier events stay
 */
export async function importEvents(
  target: string,
  files: Iterable<EventFile>,
  deps: ImportDeps,
): Promise<Imported> {
  const intake = new Intake(target, deps)
  for (const file of files) {
    for await (const read of readEvents(file, deps.now, deps.shop)) {
      if ('fault' in read) await intake.refuse(read.fault)
      else if ('passedOver' in read) intake.passOver()
      else await intake.take(read)
      if (deps.signal.aborted) break
    }
  }
  return intake.end()
}

/**
 * Reads everything once and stores nothing.
 *
 * @throws StorectlError `usage.not_all_usable` when something cannot be used
 */
export async function requireAllUsable(
  files: Iterable<EventFile>,
  {now, onFault, signal}: Pick<ImportDeps, 'now' | 'onFault' | 'signal'>,
): Promise<void> {
  let unusable = 0
  for (const file of files) {
    for await (const read of readEvents(file, now)) {
      if (signal.aborted) return
      if (!('fault' in read)) continue
      unusable++
      await onFault(read.fault)
    }
  }
  if (unusable === 0) return
  throw new StorectlError(
    'usage.not_all_usable',
    `${unusable} unusable ${unusable === 1 ? 'entry' : 'entries'} in the input. Nothing was imported.`,
    {nextSteps: ['correct the entries above', 'or omit --strict to import the rest']},
  )
}

/** Takes events into the inbox of one shop, many in a commit. */
export class Intake {
  readonly #total = {added: 0, known: 0, conflicting: 0, unusable: 0, passedOver: 0}
  #batch: ReadEvent[] = []
  #batchBytes = 0

  constructor(
    private readonly target: string,
    private readonly deps: Omit<ImportDeps, 'now' | 'signal'>,
  ) {}

  async take(read: ReadEvent): Promise<void> {
    if (read.doubt) await this.deps.onDoubt?.(read.doubt)
    this.#batch.push(read)
    this.#batchBytes += read.event.sizeBytes
    if (this.#batch.length >= BATCH || this.#batchBytes >= BATCH_BYTES) await this.flush()
  }

  async refuse(fault: EventFault): Promise<void> {
    this.#total.unusable++
    await this.deps.onFault(fault)
  }

  passOver(): void {
    this.#total.passedOver++
  }

  /** Events with what they came with. */
  async #classify(batch: readonly ReadEvent[]): Promise<ArrivedEvent[]> {
    const {findTokens} = this.deps
    const tokens = batch.some(({token}) => token) ? await findTokens?.() : undefined
    return batch.map(({event, token, isRefused, isListed}) => {
      const isNeeded = findProvider(event.traits.provider).token !== null
      const isOwn = token && tokens?.isOwn(token, event.receivedAt)
      const arrivedWith = classifyArrival({isNeeded, isOwn, isRefused: isRefused === true})
      return {...event, arrivedWith, tokenDigest: token?.toString('hex'), isListed}
    })
  }

  /** The result so far; counted events are durable. */
  async end(): Promise<Imported> {
    if (this.#batch.length > 0) await this.flush()
    return {...this.#total}
  }

  async flush(): Promise<void> {
    const {target, deps} = this
    const batch = this.#batch
    this.#batch = []
    this.#batchBytes = 0
    const events = await this.#classify(batch)
    const {added, known, conflicts} = await deps.inbox.add(target, events)
    const verified = await deps.checkSignatures?.(target, markDoubtful(batch))
    const sightings = batch.flatMap(({sighting}, at) => {
      const event = events[at] as ArrivedEvent
      return sighting
        ? [{...sighting, ...selectIdentity(event), sender: findKnownSender(event, verified)}]
        : []
    })
    if (sightings.length > 0) await deps.inbox.noteObserved(target, sightings)
    this.#total.added += added
    this.#total.known += known
    this.#total.conflicting += events.length - added - known
    const total = this.#total
    deps.onProgress?.(total.added + total.known + total.conflicting)
    for (const id of conflicts) await deps.onConflict(id)
  }
}

/** One after the other: most have no signature, and are gone before the next. */
function* markDoubtful(batch: readonly ReadEvent[]) {
  for (const {event, doubt} of batch) yield {...event, mayDiffer: doubt !== undefined}
}

/** Who sent a recorded call, as far as the record shows. */
function findKnownSender(
  {id, isListed, arrivedWith = 'unverified'}: ArrivedEvent,
  verified: ReadonlySet<string> | undefined,
): EventSender {
  return isListed || verified?.has(id) ? 'verified' : arrivedWith
}

function selectIdentity({id, sha256}: WebhookEvent): Pick<WebhookEvent, 'id' | 'sha256'> {
  return {id, sha256}
}
