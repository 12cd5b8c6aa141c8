import {sql} from 'kysely'
import {localTime} from './local-time.js'
import {member} from './member.js'
import {numberIn} from './number-in.js'
import type {SearchEngine} from './search-dialect.js'

/** What PostgreSQL does in its own way when a shop is searched, without an index of parts. */
export const postgresSearch: SearchEngine = {
  localTime,
  member,
  numberIn,
  // Binary fractions lose a hair with each step of a sum.
  exact: number => sql<number>`cast(${number} as numeric)`,
}
