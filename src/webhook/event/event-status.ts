/**
 * - `pending`: not delivered yet, as far as is known
 * - `delivered`: answered 2xx
 * - `failed`: refused, or the shop was unreachable
 * - `unknown`: may have been applied
 * - `resolved`: resolved by hand; sent again only on request
 */
export const STATUSES = ['pending', 'delivered', 'failed', 'unknown', 'resolved'] as const
export type EventStatus = (typeof STATUSES)[number]

/** Statuses that need action. */
export const NEEDS_DOING: readonly EventStatus[] = ['failed', 'pending', 'unknown']
