/**
 * - `pending`: not delivered yet, as far as is known
 * - `delivered`: answered 2xx
 * - `failed`: refused, or not reached
 * - `unknown`: may have been applied
 * - `resolved`: dealt with by hand; not sent again unless somebody says so
 */
export const STATUSES = ['pending', 'delivered', 'failed', 'unknown', 'resolved'] as const
export type EventStatus = (typeof STATUSES)[number]
