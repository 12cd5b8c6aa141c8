import type {Alert} from '../contract/status-rows.js'
import type {Money} from '../language/amount-totals.js'

/** What a person is needed for. */
export type IncidentKind = Alert['kind']

/** A problem as it is when it is found. */
export interface Problem {
  readonly since: Date
  /** The first cause: a reason, or what the other side answered. */
  readonly cause: string
  /** Events by what they are counted by; absent: those of the inbox are counted. */
  readonly counts?: Readonly<Record<string, number>>
  readonly amounts?: readonly Money[]
}

/** Takes note of what a watch or a capture finds; nothing of it waits, fails, or costs anything where it is no news. */
export interface Problems {
  report(kind: IncidentKind, problem: Problem): void
  /** The problem is over, or there is none. */
  clear(kind: IncidentKind): void
  /** An event came that may not be the provider's. */
  look(): void
}

/** A problem that somebody is alerted to, as it stands in the records. */
export interface Incident extends Required<Problem> {
  readonly id: string
  /** The shop's base URL, or `local`. */
  readonly target: string
  readonly profile: string
  readonly kind: IncidentKind
  /** `null` as long as it lasts. */
  readonly until: Date | null
}

/** Something to send: that an incident began, or that it is over. */
export interface DueAlert {
  readonly incident: Incident
  readonly state: 'open' | 'over'
}

/**
 * What alerts need of a database that several processes share. Whoever claims an alert sends it; where that process is
 * killed, another one does when the claim has ended. A shop has one open incident of a kind.
 */
export interface IncidentStore {
  /**
   * Stores an incident, unless there is an open one of its kind, or one that was closed after it began.
   *
   * @param isSent whether its alert was sent already
   */
  open(incident: Incident, isSent: boolean): Promise<void>
  /** Closes the open incident of a kind, where there is one. */
  close(target: string, kind: IncidentKind, until: Date, isSent: boolean): Promise<void>
  /** The oldest alert of a shop that nobody has sent or is sending; it is this process's for `forMs` milliseconds. */
  claim(target: string, forMs: number): Promise<DueAlert | undefined>
  /** Ends a claim after `afterMs` milliseconds: the alert was not sent. */
  release(id: string, afterMs: number): Promise<void>
  /** Notes that a claimed alert was sent. */
  finish(alert: DueAlert): Promise<void>
}
