import {type RawBuilder, sql} from 'kysely'
import {manyTimes} from '../many-times.js'
import type {UntypedDatabase} from '../migrations.js'
import type {Arrivals, ManyRows, ShopEngine, TableMaker} from '../shop/engine.js'
import {sqliteSearch} from './search-engine.js'

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

async function insertMany(
  db: UntypedDatabase,
  {table, columns, unless}: ManyRows,
  lists: readonly (readonly unknown[])[],
): Promise<void> {
  const names: RawBuilder<unknown>[] = columns.map(({name}) => sql.ref(name))
  const target = unless === undefined ? sql`` : sql`(${sql.ref(unless)})`
  const statement = sql`insert into ${sql.table(table)} (${sql.join(names)})
    values (${sql.join(columns.map(() => sql`?`))}) on conflict ${target} do nothing`
  await db.executeQuery(manyTimes(statement.compile(db).sql, lists))
}
