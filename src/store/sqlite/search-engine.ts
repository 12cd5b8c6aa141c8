import {sql} from 'kysely'
import type {SearchEngine} from '../shop/search/engine.js'
import {localTime} from './local-time.js'
import {member} from './member.js'
import {trigrams} from './text-index.js'

/** What SQLite does in its own way when a shop is searched. */
export const sqliteSearch: SearchEngine = {
  parts: trigrams,
  localTime,
  member,
  numberIn: text => sql<number>`cast(${text} as real)`,
  exact: number => sql<number>`${number}`,
}
