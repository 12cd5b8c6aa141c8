import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import type {ShopTables} from '../schema/schema.js'

/**
 * An index by which rows are found that hold parts of texts: FTS5 over runs of three letters, without a copy of the
 * texts and without the places of runs in them, so that what it finds has to be looked at.
 *
 * Rows of the table's end that it does not know yet are found beside it, so that adding rows costs nothing; those it
 * knows are kept in step by triggers. Adding each row by a trigger would be a hundred times slower, because every
 * statement would write its own piece of the index.
 *
 * A key may be the hidden `rowid` of a table whose primary key is a text: also `vacuum` keeps those where a table has
 * an index.
 */
export interface TextIndex {
  table: string
  /** By which rows are told apart. */
  key: string
  /** Columns whose texts are without case and accents already. */
  columns: readonly string[]
}

/**
 * The index by which parts of an entity's texts are found: over those that take part in `term`.
 *
 * @returns `undefined` for entities that are few, or that nobody looks for by parts of texts
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
    // The hidden number of a row is shorter than a text.
    key: defaultOrder === 'id' ? 'rowid' : defaultOrder,
    columns: searched.map(({column}) => nameFoldedColumn(column)),
  }
}

/** Lets the text index know the things that were added last: for those who add them by the thousand. */
export async function indexTexts(db: Kysely<ShopTables>, entity: Entity): Promise<void> {
  const index = buildTextIndex(entity)
  if (index) await indexNewRows(db as unknown as UntypedDatabase, index)
}

/** The index holds runs of three letters, and so knows nothing of shorter parts. */
const RUN = 3

/** So many runs of a long part say enough about it. */
const MOST_RUNS = 12

const nameIndex = (table: string) => `${table}_trigram`

/** Makes the index where there is none over just these columns; it knows no row then. */
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

/** Adds rows that the index does not know yet, the oldest first. @param most how many; all unless given */
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

/** How many rows the index does not know yet, or somewhat more. */
export async function countNewRows(db: UntypedDatabase, {table, key}: TextIndex): Promise<number> {
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

/** Whether the index can tell which texts hold a part. */
export function isIndexable(part: string): boolean {
  return [...part].length >= RUN && !part.includes('\u0000')
}

/**
 * Keys of all rows that hold one of the parts in one of the columns, and of some others, for an `in`.
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
