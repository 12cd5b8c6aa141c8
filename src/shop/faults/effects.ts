/** What a fault does to a request. */
export type FaultEffect =
  | {readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds: number | undefined}
  | {readonly kind: 'token'}
  | {readonly kind: 'throttle'; readonly seconds: number}
  | {readonly kind: 'latency'; readonly ms: number}
  | {readonly kind: 'reset'; readonly when: 'before-commit' | 'after-commit'}
  | {readonly kind: 'slow-body'; readonly ms: number}
  /** After another effect has responded, the work is done this much later. */
  | {readonly kind: 'work-after'; readonly ms: number}
  | {readonly kind: 'provider'; readonly answer: 'down' | 'not-found'}
  | {readonly kind: 'events'; readonly how: EventsFault}
  /** An order with a known reference is created again, whatever its content. */
  | {readonly kind: 'reference'}

/**
 * Faults of the provider's event list and resends:
 *
 * - `pending`: reports that it still retries by itself, and sends nothing
 * - `no-status`, `no-transmissions`: a list without these members
 * - `newer`: a listed `resource` has changed since the delivery
 * - `same-transmission`: a resent event has the id and time of the first transmission
 * - `late`: a resent event arrives `work-after` later
 *
 * @see provider.md §1, §2
 */
export type EventsFault = (typeof EVENTS_FAULTS)[number]

/** In the order of the help text. */
export const EVENTS_FAULTS = [
  'pending',
  'no-status',
  'no-transmissions',
  'newer',
  'same-transmission',
  'late',
] as const
