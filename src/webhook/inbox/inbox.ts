import type {CapturedMoney, Money} from '../../language/amount-totals.js'
import type {Tested} from '../../language/where/comparison.js'
import type {RunRef} from '../../runs/journal/run-store.js'
import type {Cause} from '../event/cause.js'
import type {ArrivedEvent, EventContent, InboxEvent, ObservedDelivery, WebhookEvent} from '../event/event.js'
import type {EventOrder} from '../event/event-fields.js'
import type {EventStatus} from '../event/event-status.js'
import type {EventSender} from '../event/sender.js'

/** Which events of the inbox are meant. Empty means all. */
export interface InboxQuery {
  readonly ids?: readonly string[] | undefined
  /** How the id begins. */
  readonly idPrefix?: string | undefined
  readonly statuses?: readonly EventStatus[] | undefined
  /** An event type; `*` stands for anything: `PAYMENT.CAPTURE.*`. */
  readonly types?: readonly string[] | undefined
  /** Created at or after. */
  readonly since?: Date | undefined
  /** Created before. */
  readonly until?: Date | undefined
  readonly limit?: number | undefined
  /** Default: the newest first, by the provider's time. */
  readonly oldestFirst?: boolean | undefined
  /** Goes before `oldestFirst`. What has no value comes last. */
  readonly order?: EventOrder | undefined
  /** A condition that must hold as well. */
  readonly where?: Tested | undefined
}

/** What events are counted together by. */
export const GROUPINGS = ['type', 'message', 'sender', 'cause', 'hour'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Events that have something in common. */
export interface EventGroup {
  /**
   * The type, the sender, the message (`null` where nothing was said), the cause (`null` where none is stored), or the
   * moment at which the hour began, UTC.
   */
  readonly key: string | Date | null
  readonly count: number
  readonly first: Date
  readonly last: Date
  readonly statuses: Readonly<Partial<Record<EventStatus, number>>>
}

/** Where a change stands among all. */
export interface ChangePosition {
  readonly revision: number
  /** Of the event, for changes that were made in one go. */
  readonly id: string
}

/** What `listChanges` lists. */
export interface ChangePage {
  readonly after: ChangePosition
  /** How many at most. */
  readonly size: number
}

/** A part of a source that was read. */
export interface SourcePart {
  readonly source: string
  /** The position that it was read from, so that nothing is counted twice. */
  readonly from: string | undefined
  /** The position that it has been read up to. */
  readonly to: string
}

/** An event as it is after a change, and where that change stands. */
export interface Changed {
  readonly position: ChangePosition
  readonly event: InboxEvent
}

/** What became of the events that were put into the inbox. */
export interface Added {
  readonly added: number
  /** There already, with the same body. */
  readonly known: number
  /** Ids that were there with another body of an equal sender; both are stored, and marked. */
  readonly conflicts: readonly string[]
}

/** A delivery that the inbox was told of. */
export interface SeenAttempt {
  readonly at: Date
  readonly status: EventStatus
  readonly answer: number | null
  readonly message: string | null
  /** Of the call, where it is weaker than the event's; else `null`. */
  readonly sender: EventSender | null
}

/** What somebody else saw of an event's delivery. */
export interface Seen {
  readonly event: ArrivedEvent
  readonly answer: number
  readonly message: string | null
  readonly at: Date
}

/** A sighting of an event with these bytes. */
export type ObservedEvent = ObservedDelivery &
  Pick<WebhookEvent, 'id' | 'sha256'> & {
    /** Who sent the call that was seen: one of a weaker sender changes nothing. */
    readonly sender: EventSender
  }

type LastWord = NonNullable<InboxEvent['resolution']>

/** Why a person resolved or reopened events, and the run whose journal it goes into. */
export type Marking = Omit<LastWord, 'run'> & {readonly run: RunRef}

/** The same, with the id of the run that is taken back. */
export type Undoing = Marking & {readonly resolvedBy: string}

/** A note as it is stored; it stays when another follows. */
export type Resolution = LastWord & {
  readonly kind: 'resolved' | 'reopened'
  readonly statusBefore: EventStatus
}

/**
 * - `resolved`, `reopened`: the event has its new status
 * - `was-resolved`, `was-delivered`: it needs no resolving
 * - `changed`: it has changed since the run that is taken back, and stays as it is
 * - `not-found`: there is no such event
 */
export type MarkResult = 'resolved' | 'reopened' | 'was-resolved' | 'was-delivered' | 'changed' | 'not-found'

/** What became of an event, with its order and amount as the inbox knows them. */
export interface Marked {
  readonly result: MarkResult
  readonly orderNumber: string | null
  readonly amount: Money | null
}

/** Why an event failed, as it was at a change. */
export interface DiagnosedCause extends Pick<InboxEvent, 'id' | 'changedAt'> {
  readonly cause: Cause
}

/** What begins the name of a shop that no shop has: there lie events of files until they go into an inbox. */
export const ASIDE = 'aside:'

/** Which events are to go; what a capture is handing on stays. */
export interface Outdated {
  /** Created before; `undefined` for any time. */
  readonly before?: Date | undefined
  /** Keeps what was neither delivered nor resolved. */
  readonly keepFailed: boolean
  /** A condition that must hold as well. With it go copies that lie aside, and what is known of transmissions. */
  readonly where?: Tested | undefined
}

/** Who deletes events, and how many there are to go. */
export interface PruneNote {
  readonly who: string
  readonly events: number
}

/** How much there is to go. */
export interface OutdatedCounts {
  readonly statuses: Readonly<Partial<Record<EventStatus, number>>>
  /** Bytes of their bodies. */
  readonly bodyBytes: number
  /** Old enough, and needed by a run that has not ended, or on their way; they stay. */
  readonly inUse: number
  /** Runs whose journals name them, and backups since the first of them arrived; `null` without a condition. */
  readonly held: {readonly runs: number; readonly backups: number} | null
}

/** How an event of a payment stands. */
export interface PaymentEvent
  extends Pick<
    InboxEvent,
    'id' | 'createdAt' | 'status' | 'attempts' | 'isInFlight' | 'sha256' | 'hasConflict' | 'sender'
  > {
  /** The last change, milliseconds since 1970. */
  readonly changedAtMs: number
  /** When a run gave up a call of an event that the provider has delivered since, milliseconds since 1970. */
  readonly doubtedAtMs?: number | undefined
  /** Whether a shop does anything with its type. */
  readonly movesPayment: boolean
  /** The money that it reports as captured; absent where it was not delivered, or nothing establishes its sender. */
  readonly capture?: CapturedMoney | undefined
}

/** Which results are asked for. */
export interface ResultQuery {
  /** Deliveries before this moment are left out, milliseconds since 1970. */
  readonly sinceMs: number
  readonly withUnknown: boolean
}

/** What came of the events of a payment. */
export interface KnownResults {
  /** The newest that is known to be delivered. */
  readonly newest: Pick<InboxEvent, 'id' | 'createdAt'> | undefined
  /** Money that delivered events report as captured, whenever that was. */
  readonly captures: readonly CapturedMoney[]
  /** Those whose result is unknown. */
  readonly unknown: readonly InboxEvent[]
}

/**
 * What arrived for each shop. `target` names the shop: its base URL, or `local`. Every write is durable once its
 * promise resolves.
 */
export interface Inbox {
  add(target: string, events: readonly ArrivedEvent[]): Promise<Added>
  /**
   * Puts in what was delivered by others, with how it went; several sightings of one event count as attempts.
   *
   * @returns `false` when another process has read on meanwhile; nothing was put in then
   */
  addObserved(target: string, part: SourcePart, seen: readonly Seen[]): Promise<boolean>
  /**
   * Notes what others saw, where nothing is known yet or something older is. The same again changes nothing; what was
   * delivered stays so.
   */
  noteObserved(target: string, sightings: readonly ObservedEvent[]): Promise<void>
  /** How far the source has been read; `undefined` at the beginning. */
  readPosition(target: string, source: string): Promise<string | undefined>
  /** Streams, whatever the number. */
  list(target: string, query: InboxQuery): AsyncIterable<InboxEvent>
  /** Counts events by what they have in common: the most first, hours the newest first. */
  countGroups(target: string, query: InboxQuery, by: Grouping): Promise<EventGroup[]>
  /** What events are worth by what they have in common, an hour as milliseconds since 1970; by currency. */
  sumGroups(target: string, query: InboxQuery, by: Grouping): Promise<ReadonlyMap<unknown, readonly Money[]>>
  /** Behind all changes that are there by now. */
  readLastPosition(): Promise<ChangePosition>
  /**
   * Events that have come or changed behind a place, each once, as they are now, in the order of their last changes.
   *
   * @param query its order and limit count for nothing
   */
  listChanges(target: string, query: InboxQuery, page: ChangePage): Promise<Changed[]>
  /** How an event's deliveries went as the inbox saw them, those of our own runs among them, the oldest first. */
  listAttempts(target: string, id: string): Promise<SeenAttempt[]>
  find(target: string, ids: readonly string[]): Promise<Map<string, InboxEvent>>
  readContents(target: string, ids: readonly string[]): Promise<Map<string, EventContent>>
  /** Per name of a transaction, what came of its events that move a payment; a name that none has may be absent. */
  findKnownResults(
    target: string,
    transactions: readonly string[],
    query: ResultQuery,
  ): Promise<Map<string, KnownResults>>
  /** Takes events that are not delivered off the failed list, in one commit. @returns what became of each id */
  resolve(target: string, ids: readonly string[], marking: Marking): Promise<Map<string, Marked>>
  /** Gives events that a run resolved the status back that they had, in one commit. @returns what became of each id */
  reopen(target: string, ids: readonly string[], undoing: Undoing): Promise<Map<string, Marked>>
  /** What was said about an event by hand, the oldest first. */
  listResolutions(target: string, id: string): Promise<Resolution[]>
  /** Counts what a prune would delete. */
  countOutdated(target: string, countOutdated: Outdated): Promise<OutdatedCounts>
  /**
   * Deletes some of it, with all that belongs to it.
   *
   * @param note appended to the ledger of runs in the same commit, where anything goes
   * @returns how many events; 0 when there is no more
   */
  prune(target: string, countOutdated: Outdated, note?: PruneNote): Promise<number>
  /** Per name of a transaction, its events; a name that none has is absent. */
  findPaymentEvents(target: string, transactions: readonly string[]): Promise<Map<string, PaymentEvent[]>>
  /** Stores numbers of orders, by what names the transaction, with all events of their payments. */
  noteOrders(target: string, orders: ReadonlyMap<string, string>): Promise<void>
  /** Stores why events failed, until they change. */
  noteCauses(target: string, causes: readonly DiagnosedCause[]): Promise<void>
  /** Moves what was put aside under `from` into the inbox of `target`. */
  adopt(from: string, target: string): Promise<void>
  /** Forgets everything of one target. */
  forget(target: string): Promise<void>
  /** Forgets everything of targets whose names sort from `first` up to, but without, `end`. */
  forgetBetween(first: string, end: string): Promise<void>
}

/** How many events match, whatever order and limit of the query are. */
export async function countEvents(
  inbox: Pick<Inbox, 'countGroups'>,
  target: string,
  {order: _, limit: __, ...query}: InboxQuery,
): Promise<number> {
  const groups = await inbox.countGroups(target, query, 'type')
  return groups.reduce((sum, {count}) => sum + count, 0)
}
