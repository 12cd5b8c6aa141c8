/** What a fault does to a request. */
export type FaultEffect =
  | {readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds: number | undefined}
  | {readonly kind: 'token'}
  | {readonly kind: 'throttle'; readonly seconds: number}
  | {readonly kind: 'latency'; readonly ms: number}
  | {readonly kind: 'reset'; readonly when: 'before-commit' | 'after-commit'}
  | {readonly kind: 'slow-body'; readonly ms: number}
  /** The work is done so long after another effect has answered in its place. */
  | {readonly kind: 'work-after'; readonly ms: number}
  | {readonly kind: 'provider'; readonly answer: 'down' | 'not-found'}
  | {readonly kind: 'events'; readonly how: EventsFault}
  /** An order is made again under a reference that is known, whatever it holds. */
  | {readonly kind: 'reference'}

/**
 * How the provider lists events and sends them again:
 *
 * - `pending`: it still tries by itself, says so, and sends nothing
 * - `no-status`, `no-transmissions`: a list without these members
 * - `newer`: a listed `resource` was changed since the delivery
 * - `same-transmission`: what is sent again has the id and time of the first transmission
 * - `late`: what is sent again comes `work-after` later
 *
 * @see provider.md §1, §2
 */
export type EventsFault = (typeof EVENTS_FAULTS)[number]

/** All of them, in the order in which help shows them. */
export const EVENTS_FAULTS = [
  'pending',
  'no-status',
  'no-transmissions',
  'newer',
  'same-transmission',
  'late',
] as const
