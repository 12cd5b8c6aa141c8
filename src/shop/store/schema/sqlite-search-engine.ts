import {sql} from 'kysely'
import type {SearchEngine} from './search-dialect.js'
import {localTime} from './sqlite-local-time.js'
import {member} from './sqlite-member.js'
import {trigrams} from './sqlite-text-index.js'

/** What SQLite does in its own way when a shop is searched. */
export const sqliteSearch: SearchEngine = {
  parts: trigrams,
  localTime,
  member,
  numberIn: text => sql<number>`cast(${text} as real)`,
  exact: number => sql<number>`${number}`,
}
