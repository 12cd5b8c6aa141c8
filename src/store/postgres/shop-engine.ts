import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../migrations.js'
import type {Arrivals, ManyRows, ShopEngine, TableMaker} from '../shop/engine.js'
import type {ColumnType} from '../shop/entities/columns.js'
import {postgresSearch} from './search-engine.js'
import {bringTrigrams, hasTrigrams, trigrams} from './text-index.js'

const tables: TableMaker = {
  begin: bringTrigrams,
  columnsByTable,
  numbered: column => column.generatedByDefaultAsIdentity().primaryKey(),
  indexed: column => sql`${column} nulls first`,
  beforeNumbering,
  afterNumbered,
}

/**
 * Each delivery holds the number of the transaction that wrote it. Those below the oldest that is still under way have
 * all ended, so that whoever has read up to there misses nothing.
 *
 * @see https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
 */
const arrivals: Arrivals = {
  prepare: async db => {
    await sql`alter table webhook_delivery
      add column if not exists written_in bigint not null default (pg_current_xact_id()::text::bigint)`.execute(
      db,
    )
    await sql`create index if not exists webhook_delivery_written on webhook_delivery (written_in, id)`.execute(
      db,
    )
  },
  place: sql<number>`webhook_delivery.written_in`,
  isSettled: sql<boolean>`webhook_delivery.written_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
}

/** What PostgreSQL does in its own way for a shop. */
export const postgresShop: ShopEngine = {
  isShared: true,
  search: postgresSearch,
  searchOf: async db => ((await hasTrigrams(db)) ? {...postgresSearch, parts: trigrams} : postgresSearch),
  tables,
  arrivals,
  insertMany,
}

async function columnsByTable(db: UntypedDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const {rows} = await sql<{table_name: string; column_name: string}>`
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const found = new Map<string, Set<string>>()
  for (const {table_name, column_name} of rows) {
    const columns = found.get(table_name) ?? new Set()
    found.set(table_name, columns.add(column_name))
  }
  return found
}

/** Whoever comes next waits for our commit; numbers that were taken by then are seen by then. */
async function beforeNumbering(db: UntypedDatabase, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storectl numbers of ${table}`}, 0))`.execute(db)
}

async function afterNumbered(db: UntypedDatabase, table: string, column: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${`"${table}"`}, ${column})`
  await sql`select setval(${sequence}, greatest(
    (select max(${sql.ref(column)}) from ${sql.table(table)}), nextval(${sequence})))`.execute(db)
}

const ARRAYS: Readonly<Record<ColumnType, RawBuilder<unknown>>> = {
  text: sql`text[]`,
  integer: sql`bigint[]`,
  real: sql`double precision[]`,
}

/** One statement for any number of rows: each of its parameters holds the values of one column. */
async function insertMany(
  db: UntypedDatabase,
  {table, columns, unless}: ManyRows,
  lists: readonly (readonly unknown[])[],
): Promise<void> {
  if (lists.length === 0) return
  const names = columns.map(({name}) => sql.ref(name))
  const values = columns.map(({type}, at) => sql`${lists.map(list => list[at])}::${ARRAYS[type]}`)
  const target = unless === undefined ? sql`` : sql`(${sql.ref(unless)})`
  await sql`insert into ${sql.table(table)} (${sql.join(names)})
    select * from unnest(${sql.join(values)}) on conflict ${target} do nothing`.execute(db)
}
