import type {CapturedMoney, Money} from '../../language/amount-totals.js'
import type {Tested} from '../../language/where/comparison.js'
import type {RunRef} from '../../runs/journal/run-store.js'
import type {Cause} from '../event/cause.js'
import type {ArrivedEvent, EventContent, InboxEvent, ObservedDelivery, WebhookEvent} from '../event/event.js'
import type {EventOrder} from '../event/event-fields.js'
import type {EventStatus} from '../event/event-status.js'
import type {EventSender} from '../event/sender.js'

/** Which events of the inbox to select. Empty means all. */
export interface InboxQuery {
  readonly ids?: readonly string[] | undefined
  /** The beginning of the id. */
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
  /** Takes precedence over `oldestFirst`. Rows without a value come last. */
  readonly order?: EventOrder | undefined
  /** An additional condition. */
  readonly where?: Tested | undefined
}

/** The groupings by which events are counted. */
export const GROUPINGS = ['type', 'message', 'sender', 'cause', 'hour'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Events that have something in common. */
export interface EventGroup {
  /**
   * The type, the sender, the message (`null` for none), the cause (`null` if none is stored), or the start of the hour,
   * UTC.
   */
  readonly key: string | Date | null
  readonly count: number
  readonly first: Date
  readonly last: Date
  readonly statuses: Readonly<Partial<Record<EventStatus, number>>>
}

/** The position of a change. */
export interface ChangePosition {
  readonly revision: number
  /** Of the event, to order changes made in one transaction. */
  readonly id: string
}

/** What `listChanges` lists. */
export interface ChangePage {
  readonly after: ChangePosition
  /** How many at most. */
  readonly size: number
}

/** A part of a source that has been read. */
export interface SourcePart {
  readonly source: string
  /** The position that it was read from, so that nothing is counted twice. */
  readonly from: string | undefined
  /** The position that it has been read up to. */
  readonly to: string
}

/** An event after a change, and the position of that change. */
export interface Changed {
  readonly position: ChangePosition
  readonly event: InboxEvent
}

/** The result of adding events to the inbox. */
export interface Added {
  readonly added: number
  /** There already, with the same body. */
  readonly known: number
  /** Ids that existed with another body from an equal sender; both are stored, and marked. */
  readonly conflicts: readonly string[]
}

/** A stored delivery of an event. */
export interface SeenAttempt {
  readonly at: Date
  readonly status: EventStatus
  readonly answer: number | null
  readonly message: string | null
  /** Of the call, if it is weaker than the event's; else `null`. */
  readonly sender: EventSender | null
}

/** A delivery of an event as recorded by somebody else. */
export interface Seen {
  readonly event: ArrivedEvent
  readonly answer: number
  readonly message: string | null
  readonly at: Date
}

/** A sighting of an event with these bytes. */
export type ObservedEvent = ObservedDelivery &
  Pick<WebhookEvent, 'id' | 'sha256'> & {
    /** Who sent the recorded call: one from a weaker sender changes nothing. */
    readonly sender: EventSender
  }

type LastWord = NonNullable<InboxEvent['resolution']>

/** Why a person resolved or reopened events, and the run whose journal records it. */
export type Marking = Omit<LastWord, 'run'> & {readonly run: RunRef}

/** The same, with the id of the run to undo. */
export type Undoing = Marking & {readonly resolvedBy: string}

/** A stored note; it stays when another follows. */
export type Resolution = LastWord & {
  readonly kind: 'resolved' | 'reopened'
  readonly statusBefore: EventStatus
}

/**
 * - `resolved`, `reopened`: the event has its new status
 * - `was-resolved`, `was-delivered`: it needs no resolving
 * - `changed`: it has changed since the run to undo, and stays unchanged
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

/** Prefix of a shop's name that no shop has: events of files are stored there until they go into an inbox. */
export const ASIDE = 'aside:'

/** Which events to delete; those that a capture is forwarding stay. */
export interface Outdated {
  /** Created before; `undefined` for any time. */
  readonly before?: Date | undefined
  /** Keeps events that are neither delivered nor resolved. */
  readonly keepFailed: boolean
  /** An additional condition. With one, staged copies and the record of transmissions are deleted, too. */
  readonly where?: Tested | undefined
}

/** Who deletes events, and how many are to be deleted. */
export interface PruneNote {
  readonly who: string
  readonly events: number
}

/** How much is to be deleted. */
export interface OutdatedCounts {
  readonly statuses: Readonly<Partial<Record<EventStatus, number>>>
  /** Bytes of their bodies. */
  readonly bodyBytes: number
  /** Old enough, but needed by a run that has not ended, or in flight; they stay. */
  readonly inUse: number
  /** Runs whose journals name them, and backups since the first of them arrived; `null` without a condition. */
  readonly held: {readonly runs: number; readonly backups: number} | null
}

/** The state of an event of a payment. */
export interface PaymentEvent
  extends Pick<
    InboxEvent,
    'id' | 'createdAt' | 'status' | 'attempts' | 'isInFlight' | 'sha256' | 'hasConflict' | 'sender'
  > {
  /** The last change, milliseconds since 1970. */
  readonly changedAtMs: number
  /** When a run gave up a call of an event that the provider has delivered since, milliseconds since 1970. */
  readonly doubtedAtMs?: number | undefined
  /** Whether a shop handles its type. */
  readonly movesPayment: boolean
  /** The money that it reports as captured; absent if it was not delivered, or nothing establishes its sender. */
  readonly capture?: CapturedMoney | undefined
}

/** Which results to read. */
export interface ResultQuery {
  /** Deliveries before this moment are left out, milliseconds since 1970. */
  readonly sinceMs: number
  readonly withUnknown: boolean
}

/** The results of a payment's events. */
export interface KnownResults {
  /** The newest that is known to be delivered. */
  readonly newest: Pick<InboxEvent, 'id' | 'createdAt'> | undefined
  /** Money that delivered events report as captured, whenever that was. */
  readonly captures: readonly CapturedMoney[]
  /** Those whose result is unknown. */
  readonly unknown: readonly InboxEvent[]
}

/**
 * The events of each shop. `target` names the shop: its base URL, or `local`. Every write is durable once its promise
 * resolves.
 */
export interface Inbox {
  add(target: string, events: readonly ArrivedEvent[]): Promise<Added>
  /**
   * Adds deliveries by others, with their results; several records of one event count as attempts.
   *
   * @returns `false` if another process has read further meanwhile; then nothing was added
   */
  addObserved(target: string, part: SourcePart, seen: readonly Seen[]): Promise<boolean>
  /**
   * Stores others' records where none, or only older ones, are known. Repeating one changes nothing; a delivered event
   * stays so.
   */
  noteObserved(target: string, sightings: readonly ObservedEvent[]): Promise<void>
  /** How far the source has been read; `undefined` at the beginning. */
  readPosition(target: string, source: string): Promise<string | undefined>
  /** Streams, whatever the number. */
  list(target: string, query: InboxQuery): AsyncIterable<InboxEvent>
  /** Counts events by a grouping: the most frequent first, hours the newest first. */
  countGroups(target: string, query: InboxQuery, by: Grouping): Promise<EventGroup[]>
  /** Amounts of events by group, an hour as milliseconds since 1970; by currency. */
  sumGroups(target: string, query: InboxQuery, by: Grouping): Promise<ReadonlyMap<unknown, readonly Money[]>>
  /** The position after all present changes. */
  readLastPosition(): Promise<ChangePosition>
  /**
   * Events that arrived or changed after a position, each once, as they are now, in the order of their last changes.
   *
   * @param query its order and limit are ignored
   */
  listChanges(target: string, query: InboxQuery, page: ChangePage): Promise<Changed[]>
  /** The deliveries of an event as stored in the inbox, including those of our own runs, the oldest first. */
  listAttempts(target: string, id: string): Promise<SeenAttempt[]>
  find(target: string, ids: readonly string[]): Promise<Map<string, InboxEvent>>
  readContents(target: string, ids: readonly string[]): Promise<Map<string, EventContent>>
  /** By key of a transaction, the results of its events that move a payment; a key without events may be absent. */
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
   * Deletes some of it, with everything that belongs to it.
   *
   * @param note appended to the ledger of runs in the same commit, if anything is deleted
   * @returns how many events; 0 when there is no more
   */
  prune(target: string, countOutdated: Outdated, note?: PruneNote): Promise<number>
  /** By key of a transaction, its events; a key without events is absent. */
  findPaymentEvents(target: string, transactions: readonly string[]): Promise<Map<string, PaymentEvent[]>>
  /** Stores order numbers, by key of the transaction, with all events of their payments. */
  noteOrders(target: string, orders: ReadonlyMap<string, string>): Promise<void>
  /** Stores why events failed, until they change. */
  noteCauses(target: string, causes: readonly DiagnosedCause[]): Promise<void>
  /** Moves staged events under `from` into the inbox of `target`. */
  adopt(from: string, target: string): Promise<void>
  /** Deletes everything of one target. */
  forget(target: string): Promise<void>
  /** Deletes everything of targets whose names sort from `first` up to, but not including, `end`. */
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
