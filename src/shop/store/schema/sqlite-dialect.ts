import {type RawBuilder, sql} from 'kysely'
import {createBatchStatement} from '../../../storage/engine/statement.js'
import type {ZoneOffset} from '../../model/zone-offsets.js'
import {formatStoredDate} from './columns.js'
import type {SearchDialect} from './search-dialect.js'
import type {
  BulkInsertStatement,
  BulkTarget,
  DeliveryOrder,
  ShopDialect,
  TableBuilder,
} from './shop-dialect.js'
import {isPlainName} from './sql.js'
import {sqliteTextIndex} from './sqlite-text-index.js'

/** What SQLite does in its own way when a shop is searched. */
const sqliteSearchDialect: SearchDialect = {
  substringIndex: sqliteTextIndex,
  convertToLocalTime,
  selectMember,
  parseNumber: text => sql<number>`cast(${text} as real)`,
  castToExact: number => sql<number>`${number}`,
}

const tables: TableBuilder = {
  prepare: async () => {},
  readColumns: async db =>
    new Map(
      (await db.introspection.getTables()).map(({name, columns}) => [
        name,
        new Set(columns.map(column => column.name)),
      ]),
    ),
  // A whole number as primary key is the row's own number.
  makeNumbered: column => column.primaryKey(),
  buildIndexColumn: column => column,
  // There is one writer at a time, and the next number is one more than the greatest.
  lockNumbering: async () => {},
  advanceNumbering: async () => {},
}

const deliveryOrder: DeliveryOrder = {
  prepare: async () => {},
  repair: async () => {},
  position: sql<number>`webhook_delivery.rowid`,
  isPositionFinal: sql<boolean>`1 = 1`,
}

/** What SQLite does in its own way for a shop. */
export const sqliteShopDialect: ShopDialect = {
  isShared: false,
  search: sqliteSearchDialect,
  detectSearch: async () => sqliteSearchDialect,
  tables,
  deliveryOrder,
  prepareBulkInsert,
}

function prepareBulkInsert({table, columns, unless}: BulkTarget): BulkInsertStatement {
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
function convertToLocalTime(moment: RawBuilder<unknown>, offsets: readonly ZoneOffset[]): RawBuilder<string> {
  const cases = offsets.map(({until, seconds}) => {
    const shift = `${seconds < 0 ? '' : '+'}${seconds} seconds`
    return until ? sql`when ${moment} < ${formatStoredDate(until)} then ${shift}` : sql`else ${shift}`
  })
  const shift = offsets.length > 1 ? sql`case ${sql.join(cases, sql` `)} end` : buildSingleShift(offsets)
  return sql<string>`strftime('%Y-%m-%d %H:%M:%f', ${moment}, ${shift})`
}

function buildSingleShift([only]: readonly ZoneOffset[]): RawBuilder<unknown> {
  const seconds = only?.seconds ?? 0
  return sql`${`${seconds < 0 ? '' : '+'}${seconds} seconds`}`
}

/** @see SearchDialect */
function selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}
