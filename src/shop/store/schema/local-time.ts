import {type RawBuilder, sql} from 'kysely'
import type {ZoneOffset} from '../../model/zone-offsets.js'
import {storedDate} from './moment.js'

/** @see SearchEngine */
export function localTime(moment: RawBuilder<unknown>, offsets: readonly ZoneOffset[]): RawBuilder<string> {
  const cases = offsets.map(({until, seconds}) =>
    until ? sql`when ${moment} < ${storedDate(until)} then ${shift(seconds)}` : sql`else ${shift(seconds)}`,
  )
  const shifted =
    offsets.length > 1 ? sql`case ${sql.join(cases, sql` `)} end` : shift(offsets[0]?.seconds ?? 0)
  return sql<string>`(to_char(${moment}::timestamp + ${shifted}, 'YYYY-MM-DD HH24:MI:SS.MS') collate "C")`
}

function shift(seconds: number): RawBuilder<unknown> {
  return sql`interval ${sql.lit(`${seconds} seconds`)}`
}
