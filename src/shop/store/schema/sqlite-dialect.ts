import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {createBatchStatement} from '../../../storage/engine/statement.js'
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
import {isPlainName} from './sql.js'

/** The index holds runs of three letters, and so knows nothing of shorter parts. */
const RUN = 3

/** So many runs of a long part say enough about it. */
const MOST_RUNS = 12

const nameIndex = (table: string) => `${table}_trigram`

/**
 * SQLite's index of the parts of texts: FTS5 over runs of three letters, without a copy of the texts and without the
 * places of runs in them, so that what it finds has to be looked at.
 *
 * Rows of the table's end that it does not know yet are found beside it, so that adding rows costs nothing; those it
 * knows are kept in step by triggers. Adding each row by a trigger would be a hundred times slower, because every
 * statement would write its own piece of the index.
 *
 * A key may be the hidden `rowid` of a table whose primary key is a text: also `vacuum` keeps those where a table has
 * an index.
 */
const sqliteTextIndex: SubstringIndex = {
  getKeyColumn,
  create: createIndex,
  deferred: {indexNewRows, countNewRows},
  isIndexable,
  selectKeys,
}

/** The hidden number of a row is shorter than a text. */
function getKeyColumn(primaryKey: string): string {
  return primaryKey === 'id' ? 'rowid' : primaryKey
}

async function createIndex(db: UntypedDatabase, index: TextIndex): Promise<void> {
  const name = nameIndex(index.table)
  const create = buildCreateStatement(index)
  const wanted = [create, ...buildTriggers(index)]
  const {rows} = await sql<{sql: string}>`
    select sql from sqlite_master where name = ${name} or (type = 'trigger' and name like ${`${name}_%`})`.execute(
    db,
  )
  const known = new Set(rows.map(row => row.sql.toLowerCase()))
  if (wanted.every(statement => known.has(statement.toLowerCase()))) return
  for (const kind of TRIGGERS) await run(db, `drop trigger if exists "${name}_${kind}"`)
  await run(db, `drop table if exists "${name}"`)
  await run(db, `drop table if exists "${name}_until"`)
  await run(db, create)
  await run(db, `create table "${name}_until" (until integer not null)`)
  await run(db, `insert into "${name}_until" values (0)`)
  for (const trigger of buildTriggers(index)) await run(db, trigger)
}

async function indexNewRows(
  db: UntypedDatabase,
  {table, key, columns}: TextIndex,
  most?: number,
): Promise<void> {
  const name = nameIndex(table)
  const names = columns.map(column => `"${column}"`).join(', ')
  const unknown = `from "${table}" where "${key}" > (select until from "${name}_until")`
  const some = most === undefined ? unknown : `${unknown} order by "${key}" limit ${Math.trunc(most)}`
  await run(db, `insert into "${name}"(rowid, ${names}) select "${key}", ${names} ${some}`)
  await run(
    db,
    `update "${name}_until" set until = coalesce((select max(key) from (select "${key}" as key ${some})), until)`,
  )
}

async function countNewRows(db: UntypedDatabase, {table, key}: TextIndex): Promise<number> {
  const {rows} = await sql<{lag: number}>`
    select coalesce((select max(${sql.ref(key)}) from ${sql.table(table)}), 0) - until as lag
    from ${sql.table(`${nameIndex(table)}_until`)}`.execute(db)
  return Math.max(0, Number(rows[0]?.lag ?? 0))
}

const TRIGGERS = ['inserted', 'deleted', 'updated'] as const

/** Letter by letter, because texts are folded before: the index's own folding would leave out what has accents. */
function buildCreateStatement({table, key, columns}: TextIndex): string {
  const names = columns.map(column => `"${column}"`).join(', ')
  return `CREATE VIRTUAL TABLE "${nameIndex(table)}" USING fts5(${names}, content="${table}", content_rowid="${key}", tokenize="trigram case_sensitive 1", detail=column)`
}

function buildTriggers({table, key, columns}: TextIndex): string[] {
  const name = nameIndex(table)
  const names = columns.map(column => `"${column}"`).join(', ')
  const listValues = (row: string) => [key, ...columns].map(column => `${row}."${column}"`).join(', ')
  const isKnown = (row: string) => `${row}."${key}" <= (select until from "${name}_until")`
  const add = `insert into "${name}"(rowid, ${names}) select ${listValues('new')} where ${isKnown('new')};`
  const drop = `insert into "${name}"("${name}", rowid, ${names}) select 'delete', ${listValues('old')} where ${isKnown('old')};`
  const changed = key === 'rowid' ? names : `"${key}", ${names}`
  return [
    `create trigger "${name}_inserted" after insert on "${table}" when ${isKnown('new')} begin ${add} end`,
    `create trigger "${name}_deleted" after delete on "${table}" when ${isKnown('old')} begin ${drop} end`,
    `create trigger "${name}_updated" after update of ${changed} on "${table}" begin ${drop} ${add} end`,
  ]
}

async function run(db: UntypedDatabase, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

function isIndexable(part: string): boolean {
  return [...part].length >= RUN && !part.includes('\u0000')
}

function selectKeys(
  {table, key}: TextIndex,
  columns: readonly string[],
  parts: readonly string[],
): RawBuilder<unknown> {
  const name = sql.table(nameIndex(table))
  const names = columns.map(column => `"${column}"`).join(' ')
  const words = `{${names}} : (${parts.map(part => `(${listTrigrams(part).join(' AND ')})`).join(' OR ')})`
  return sql`select rowid from ${name} where ${name} match ${words}
    union all select ${sql.ref(key)} from ${sql.table(table)}
    where ${sql.ref(key)} > (select until from ${sql.table(`${nameIndex(table)}_until`)})`
}

/** Each in quotes, and each once; of a long part some that lie evenly over it, its end among them. */
function listTrigrams(part: string): string[] {
  const letters = [...part]
  const count = letters.length - RUN + 1
  const taken = Math.min(count, MOST_RUNS)
  const runs = Array.from({length: taken}, (_, index) => {
    const at = taken === 1 ? 0 : Math.round((index * (count - 1)) / (taken - 1))
    return letters.slice(at, at + RUN).join('')
  })
  return [...new Set(runs)].map(run => `"${run.replaceAll('"', '""')}"`)
}

/** What SQLite does in its own way when a shop is searched. */
const sqliteSearchDialect: SearchDialect = {
  substringIndex: sqliteTextIndex,
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

/** @see SearchDialect */
function selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}
