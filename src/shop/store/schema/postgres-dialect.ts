import {createHash} from 'node:crypto'
import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {ColumnType} from './columns.js'
import type {
  BulkInsertStatement,
  BulkTarget,
  DeliveryOrder,
  SearchDialect,
  ShopDialect,
  SubstringIndex,
  TableBuilder,
  TextIndex,
} from './shop-dialect.js'
import {escapeLike, isPlainName} from './sql.js'

/** The index holds runs of three letters and digits, and so knows nothing of shorter parts. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u

/**
 * PostgreSQL's index of the parts of texts: GIN over runs of three letters (pg_trgm). It serves `like` by itself; which
 * of several tables to begin with, the planner cannot tell, so that searches over several of them are narrowed down here
 * as well.
 *
 * @see https://www.postgresql.org/docs/current/pgtrgm.html
 */
const postgresTextIndex: SubstringIndex = {
  getKeyColumn: primaryKey => primaryKey,
  create: createIndex,
  drop: (db, {table}) => dropOthers(db, table, undefined),
  isIndexable: part => INDEXABLE.test(part) && !part.includes('\u0000'),
  selectKeys,
}

/** Whether the indices are there. */
async function hasTrigrams(db: UntypedDatabase): Promise<boolean> {
  return (await findTrigramSchema(db)) !== undefined
}

/** Brings the extension into the database, where that is allowed; everything is found without it as well, by looking. */
async function installTrigrams(db: UntypedDatabase): Promise<void> {
  if (await hasTrigrams(db)) return
  await sql`savepoint trigrams`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
  } catch {
    await sql`rollback to savepoint trigrams`.execute(db)
  }
  await sql`release savepoint trigrams`.execute(db)
}

async function findTrigramSchema(db: UntypedDatabase): Promise<string | undefined> {
  const {rows} = await sql<{schema: string}>`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm'`.execute(db)
  return rows[0]?.schema
}

async function createIndex(db: UntypedDatabase, {table, columns}: TextIndex): Promise<void> {
  const schema = await findTrigramSchema(db)
  if (schema === undefined) return
  const name = `${table}_trigram_${createHash('sha256').update(columns.join()).digest('hex').slice(0, 8)}`
  await dropOthers(db, table, name)
  const parts = columns.map(column => sql`${sql.ref(column)} ${sql.id(schema, 'gin_trgm_ops')}`)
  await sql`create index if not exists ${sql.id(name)} on ${sql.table(table)} using gin (${sql.join(parts)})`.execute(
    db,
  )
}

async function dropOthers(db: UntypedDatabase, table: string, kept: string | undefined): Promise<void> {
  const {rows} = await sql<{name: string}>`
    select indexname as name from pg_indexes
    where schemaname = current_schema() and tablename = ${table} and indexname like ${`${escapeLike(table)}\\_trigram\\_%`}`.execute(
    db,
  )
  for (const {name} of rows) if (name !== kept) await sql`drop index ${sql.id(name)}`.execute(db)
}

function selectKeys(
  {table, key}: TextIndex,
  columns: readonly string[],
  parts: readonly string[],
): RawBuilder<unknown> {
  const holds = columns.flatMap(column =>
    parts.map(part => sql`${sql.ref(column)} like ${`%${escapeLike(part)}%`}`),
  )
  return sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.join(holds, sql` or `)}`
}

/** What a number may begin with, no longer than fits into one. */
const NUMBER = String.raw`^\s*[+-]?(?:\d{1,200}\.?\d{0,50}|\.\d{1,50})(?:[eE][+-]?\d{1,2})?`

/** A cast alone fails where a text is no number. @see SearchDialect */
function parseNumber(text: RawBuilder<unknown>): RawBuilder<number> {
  const found = sql`cast(substring(${text} from ${sql.lit(NUMBER)}) as double precision)`
  return sql<number>`case when ${text} is null then null else coalesce(${found}, 0) end`
}

/** What PostgreSQL does in its own way when a shop is searched, without an index of parts. */
const postgresSearchDialect: SearchDialect = {
  selectMember,
  parseNumber,
  // Binary fractions lose a hair with each step of a sum.
  castToExact: number => sql<number>`cast(${number} as numeric)`,
}

const tables: TableBuilder = {
  prepare: installTrigrams,
  readColumns,
  makeNumbered: column => column.generatedByDefaultAsIdentity().primaryKey(),
  buildIndexColumn: column => sql`${column} nulls first`,
  lockNumbering,
  advanceNumbering,
}

/** Transactions that have not begun yet have written nothing: such a number is of another PostgreSQL. */
const IS_FOREIGN = sql<boolean>`written_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/**
 * Each delivery holds the number of the transaction that wrote it. Those below the oldest that is still under way have
 * all ended, so that whoever has read up to there misses nothing.
 *
 * @see https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
 */
const deliveryOrder: DeliveryOrder = {
  prepare: async db => {
    await sql`alter table webhook_delivery
      add column if not exists written_in bigint not null default (pg_current_xact_id()::text::bigint)`.execute(
      db,
    )
    await sql`create index if not exists webhook_delivery_written on webhook_delivery (written_in, id)`.execute(
      db,
    )
  },
  repair: async ({reads, writes}) => {
    const {rows} = await sql`select 1 from webhook_delivery where ${IS_FOREIGN} limit 1`.execute(reads)
    if (rows.length === 0) return
    await writes.run(async db => {
      await sql`update webhook_delivery set written_in = 0 where ${IS_FOREIGN}`.execute(db)
    })
  },
  position: sql<number>`webhook_delivery.written_in`,
  isPositionFinal: sql<boolean>`webhook_delivery.written_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
}

/** What PostgreSQL does in its own way for a shop. */
export const postgresShopDialect: ShopDialect = {
  isShared: true,
  search: postgresSearchDialect,
  detectSearch: async db =>
    (await hasTrigrams(db))
      ? {...postgresSearchDialect, substringIndex: postgresTextIndex}
      : postgresSearchDialect,
  tables,
  deliveryOrder,
  prepareBulkInsert,
}

async function readColumns(db: UntypedDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
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

/** One name for all tables, so that nobody waits in a circle. */
const NUMBERING = 'storectl numbers'

/** Whoever comes next waits for our commit; numbers that were taken by then are seen by then. */
async function lockNumbering(db: UntypedDatabase): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${NUMBERING}, 0))`.execute(db)
}

async function advanceNumbering(db: UntypedDatabase, table: string, column: string): Promise<void> {
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
function prepareBulkInsert({table, columns, unless}: BulkTarget): BulkInsertStatement {
  const names = columns.map(({name}) => sql.ref(name))
  const target = unless === undefined ? sql`` : sql`(${sql.ref(unless)})`
  return async (db, lists) => {
    if (lists.length === 0) return
    const values = columns.map(({type}, at) => sql`${lists.map(list => list[at])}::${ARRAYS[type]}`)
    await sql`insert into ${sql.table(table)} (${sql.join(names)})
      select * from unnest(${sql.join(values)}) on conflict ${target} do nothing`.execute(db)
  }
}

/** `json` gives lists and objects as they were written; `jsonb` would spell them anew. @see SearchDialect */
function selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = names.every(isPlainName)
    ? sql.lit(`{${names.map(name => `"${name}"`).join(',')}}`)
    : sql`${[...names]}::text[]`
  return sql<string | null>`((${json}::json #>> ${path}) collate "C")`
}
