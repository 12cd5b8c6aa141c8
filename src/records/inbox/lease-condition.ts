import {type RawBuilder, sql} from 'kysely'
import {LONGEST_LEASE_MS} from '../../storage/engine/database.js'

/** Whether a capture is delivering the event of a row. @param nowMs as `Database.selectLeaseMs` */
export function matchInFlight<T = boolean>(nowMs: RawBuilder<number>): RawBuilder<T> {
  return sql<T>`(in_flight_until_ms > ${nowMs} and in_flight_until_ms < ${nowMs} + ${sql.lit(LONGEST_LEASE_MS)})`
}

/** Whether a lease is held. @param untilMs when it ends; `null` for none */
export function isLeaseHeld(untilMs: number | null, nowMs: number): boolean {
  return untilMs !== null && untilMs > nowMs && untilMs < nowMs + LONGEST_LEASE_MS
}
