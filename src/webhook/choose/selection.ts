import type {InboxEvent} from '../event/event.js'
import type {EventStatus} from '../event/event-status.js'

/** Which events a replay is about, from flags and arguments. */
export interface Selection {
  /** Named by their ids; then no other filter applies. */
  readonly ids?: readonly string[] | undefined
  readonly statuses?: readonly EventStatus[] | undefined
  readonly types?: readonly string[] | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** A condition on fields, as it was typed. */
  readonly where?: string | undefined
  /** Causes that `webhook diagnose` finds; the reader of the events filters by these. */
  readonly causes?: readonly string[] | undefined
}

/** The source of a replay's events. */
export interface ReplaySource {
  readonly isNamed: boolean
  /** Name under which events of files are stored until the replay goes ahead. */
  readonly storedUnder?: string | undefined
  /** Whether files held anything that could not be used. */
  readonly hasInvalid: boolean
  /** The oldest first. */
  listEvents(): AsyncIterable<InboxEvent>
  /** The replay goes ahead: events from files go into the inbox. */
  keep(): Promise<void>
  /** The replay does not go ahead. */
  drop(): Promise<void>
}
