import {sql} from 'kysely'
import {manyTimes} from '../../../storage/engine/many-times.js'
import type {Arrivals, InsertMany, ManyRows, ShopEngine, TableMaker} from './shop-dialect.js'
import {sqliteSearch} from './sqlite-search-engine.js'

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
    await db.executeQuery(manyTimes(text, lists))
  }
}
