import {type RawBuilder, sql} from 'kysely'
import type {Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import type {ShopConnection} from '../schema/schema.js'

/**
 * An index that finds rows by parts of their texts: FTS5 over trigrams, without the texts and without positions, so
 * that its results need checking.
 *
 * New rows at the end of the table that are not indexed yet are scanned separately, so adding rows costs nothing;
 * triggers update indexed rows. Adding each row by a trigger would be a hundred times slower, because every statement
 * would write its own segment of the index.
 *
 * A key may be the hidden `rowid` of a table whose primary key is text: even `vacuum` keeps these where a table has an
 * index.
 */
export interface TextIndex {
  table: string
  /** Column that identifies rows. */
  key: string
  /** Columns with folded texts. */
  columns: readonly string[]
}

/**
 * The index of parts of an entity's texts, over the fields that take part in `term`.
 *
 * @returns `undefined` for entities with few rows, or that are not searched by parts of texts
 */
export function buildTextIndex({
  name,
  fields,
  defaultOrder,
  isSearchedByParts,
}: Entity): TextIndex | undefined {
  if (!isSearchedByParts) return undefined
  const searched = fields.filter(field => field.ranking && isFolded(field))
  if (searched.length === 0) return undefined
  return {
    table: name,
    // The hidden row number is shorter than a text key.
    key: defaultOrder === 'id' ? 'rowid' : defaultOrder,
    columns: searched.map(({column}) => nameFoldedColumn(column)),
  }
}

/** Adds the latest rows to the text index, for code that adds thousands of rows. */
export async function indexTexts(db: ShopConnection, entity: Entity): Promise<void> {
  const index = buildTextIndex(entity)
  if (index) await indexNewRows(db as unknown as UntypedDatabase, index)
}

/** Length of the index's trigrams; it cannot find shorter parts. */
const RUN = 3

/** Trigrams of a long part that are looked up. */
const MOST_RUNS = 12

const nameIndex = (table: string) => `${table}_trigram`

/** Creates the index, empty, where there is none over exactly these columns. */
export async function createTextIndex(db: UntypedDatabase, index: TextIndex): Promise<void> {
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

/** Adds rows that are not indexed yet, the oldest first. @param most number of rows; default all */
export async function indexNewRows(
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

/** How many rows are not indexed yet, or somewhat more. */
export async function countNewRows(db: UntypedDatabase, {table, key}: TextIndex): Promise<number> {
  const {rows} = await sql<{lag: number}>`
    select coalesce((select max(${sql.ref(key)}) from ${sql.table(table)}), 0) - until as lag
    from ${sql.table(`${nameIndex(table)}_until`)}`.execute(db)
  return Math.max(0, Number(rows[0]?.lag ?? 0))
}

const TRIGGERS = ['inserted', 'deleted', 'updated'] as const

/** Case-sensitive, because texts are folded before: the index's own folding would ignore accented letters. */
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

/** Whether the index can find a part. */
export function isIndexable(part: string): boolean {
  return [...part].length >= RUN && !part.includes('\u0000')
}

/**
 * Keys of all rows with one of the parts in one of the columns, and of some others, for an `in`.
 *
 * @param parts folded, and indexable; at least one
 */
export function selectKeys(
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

/** The trigrams, each once and in quotes; for a long part some evenly distributed ones, its end included. */
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
