import {type RawBuilder, sql} from 'kysely'
import {createBatchStatement} from '../../../storage/engine/statement.js'
import type {ZoneOffset} from '../../model/zone-offsets.js'
import {formatStoredDate} from './columns.js'
import type {SearchEngine} from './search-dialect.js'
import type {Arrivals, InsertMany, ManyRows, ShopEngine, TableMaker} from './shop-dialect.js'
import {isPlainName} from './sql.js'
import {trigrams} from './sqlite-text-index.js'

/** What SQLite does in its own way when a shop is searched. */
const sqliteSearch: SearchEngine = {
  parts: trigrams,
  localTime,
  member,
  numberIn: text => sql<number>`cast(${text} as real)`,
  exact: number => sql<number>`${number}`,
}

const tables: TableMaker = {
  begin: async () => {},
  columnsByTable: async db =>
    new Map(
      (await db.introspection.getTables()).map(({name, columns}) => [
        name,
        new Set(columns.map(column => column.name)),
      ]),
    ),
  // A whole number as primary key is the row's own number.
  numbered: column => column.primaryKey(),
  indexed: column => column,
  // There is one writer at a time, and the next number is one more than the greatest.
  beforeNumbering: async () => {},
  afterNumbered: async () => {},
}

const arrivals: Arrivals = {
  prepare: async () => {},
  mend: async () => {},
  place: sql<number>`webhook_delivery.rowid`,
  isSettled: sql<boolean>`1 = 1`,
}

/** What SQLite does in its own way for a shop. */
export const sqliteShop: ShopEngine = {
  isShared: false,
  search: sqliteSearch,
  searchOf: async () => sqliteSearch,
  tables,
  arrivals,
  insertMany,
}

function insertMany({table, columns, unless}: ManyRows): InsertMany {
  const names = columns.map(({name}) => sql.ref(name))
  const target = unless === undefined ? sql`` : sql`(${sql.ref(unless)})`
  const statement = sql`insert into ${sql.table(table)} (${sql.join(names)})
    values (${sql.join(columns.map(() => sql`?`))}) on conflict ${target} do nothing`
  let text: string | undefined
  return async (db, lists) => {
    text ??= statement.compile(db).sql
    await db.executeQuery(createBatchStatement(text, lists))
  }
}

/**
 * A stored moment as the clocks of a zone showed it, in the same form. This is SQLite's way; another engine has its
 * own function for it.
 *
 * @param offsets the earliest first
 */
function localTime(moment: RawBuilder<unknown>, offsets: readonly ZoneOffset[]): RawBuilder<string> {
  const cases = offsets.map(({until, seconds}) => {
    const shift = `${seconds < 0 ? '' : '+'}${seconds} seconds`
    return until ? sql`when ${moment} < ${formatStoredDate(until)} then ${shift}` : sql`else ${shift}`
  })
  const shift = offsets.length > 1 ? sql`case ${sql.join(cases, sql` `)} end` : onlyShift(offsets)
  return sql<string>`strftime('%Y-%m-%d %H:%M:%f', ${moment}, ${shift})`
}

function onlyShift([only]: readonly ZoneOffset[]): RawBuilder<unknown> {
  const seconds = only?.seconds ?? 0
  return sql`${`${seconds < 0 ? '' : '+'}${seconds} seconds`}`
}

/** @see SearchEngine */
function member(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}
