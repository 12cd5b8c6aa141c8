import {type RawBuilder, sql} from 'kysely'
import type {ZoneOffset} from '../../model/zone-offsets.js'
import {storedDate} from './moment.js'

/**
 * A stored moment as the clocks of a zone showed it, in the same form. This is SQLite's way; another engine has its
 * own function for it.
 *
 * @param offsets the earliest first
 */
export function localTime(moment: RawBuilder<unknown>, offsets: readonly ZoneOffset[]): RawBuilder<string> {
  const cases = offsets.map(({until, seconds}) => {
    const shift = `${seconds < 0 ? '' : '+'}${seconds} seconds`
    return until ? sql`when ${moment} < ${storedDate(until)} then ${shift}` : sql`else ${shift}`
  })
  const shift = offsets.length > 1 ? sql`case ${sql.join(cases, sql` `)} end` : onlyShift(offsets)
  return sql<string>`strftime('%Y-%m-%d %H:%M:%f', ${moment}, ${shift})`
}

function onlyShift([only]: readonly ZoneOffset[]): RawBuilder<unknown> {
  const seconds = only?.seconds ?? 0
  return sql`${`${seconds < 0 ? '' : '+'}${seconds} seconds`}`
}
