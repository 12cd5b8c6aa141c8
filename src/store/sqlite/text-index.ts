import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../migrations.js'

/** What an index of the parts of texts is made over. */
export interface TextIndex {
  table: string
  /** The table's whole-number key. */
  key: string
  /** Columns whose texts are without case and accents already. */
  columns: readonly string[]
}

/** The index holds runs of three letters, and so knows nothing of shorter parts. */
const SHORTEST_PART = 3

const nameOf = (table: string) => `${table}_trigram`

/**
 * Makes the index where there is none over just these columns, and fills it. It holds no texts of its own.
 *
 * Rows of the table's end that it does not know yet are found beside it, so that adding rows costs nothing; those it
 * knows are kept in step by triggers. Adding each row by a trigger would be a hundred times slower, because every
 * statement would write its own piece of the index.
 *
 * Letter by letter, because texts are folded before: the index's own folding would leave out what has accents.
 */
export async function makeTextIndex(db: UntypedDatabase, index: TextIndex): Promise<void> {
  const name = nameOf(index.table)
  const create = creation(index)
  const known = await sql<{sql: string}>`select sql from sqlite_master where name = ${name}`.execute(db)
  if (known.rows[0]?.sql !== create) {
    for (const kind of TRIGGERS) await run(db, `drop trigger if exists "${name}_${kind}"`)
    await run(db, `drop table if exists "${name}"`)
    await run(db, `drop table if exists "${name}_until"`)
    await run(db, create)
    await run(db, `create table "${name}_until" (until integer not null)`)
    await run(db, `insert into "${name}_until" values (0)`)
    for (const trigger of triggers(index)) await run(db, trigger)
  }
  await catchUp(db, index)
}

/** Adds the rows to the index that it does not know yet. Worth its while for a thousand at once. */
export async function catchUp(db: UntypedDatabase, {table, key, columns}: TextIndex): Promise<void> {
  const name = nameOf(table)
  const names = columns.map(column => `"${column}"`).join(', ')
  const until = `(select until from "${name}_until")`
  await run(
    db,
    `insert into "${name}"(rowid, ${names}) select "${key}", ${names} from "${table}" where "${key}" > ${until}`,
  )
  await run(
    db,
    `update "${name}_until" set until = max(until, coalesce((select max("${key}") from "${table}"), 0))`,
  )
}

const TRIGGERS = ['inserted', 'deleted', 'updated'] as const

function creation({table, key, columns}: TextIndex): string {
  const names = columns.map(column => `"${column}"`).join(', ')
  return `CREATE VIRTUAL TABLE "${nameOf(table)}" USING fts5(${names}, content="${table}", content_rowid="${key}", tokenize="trigram case_sensitive 1")`
}

function triggers({table, key, columns}: TextIndex): string[] {
  const name = nameOf(table)
  const names = columns.map(column => `"${column}"`).join(', ')
  const values = (row: string) => [key, ...columns].map(column => `${row}."${column}"`).join(', ')
  const add = `insert into "${name}"(rowid, ${names}) values (${values('new')});`
  const drop = `insert into "${name}"("${name}", rowid, ${names}) values ('delete', ${values('old')});`
  const known = (row: string) => `when ${row}."${key}" <= (select until from "${name}_until")`
  return [
    `create trigger "${name}_inserted" after insert on "${table}" ${known('new')} begin ${add} end`,
    `create trigger "${name}_deleted" after delete on "${table}" ${known('old')} begin ${drop} end`,
    `create trigger "${name}_updated" after update of ${names} on "${table}" ${known('old')} begin ${drop} ${add} end`,
  ]
}

async function run(db: UntypedDatabase, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

/** Whether the index can tell which texts hold a part. */
export function isIndexable(part: string): boolean {
  return [...part].length >= SHORTEST_PART && !part.includes('\u0000')
}

/**
 * Keys of the rows that may hold a part in a column, for an `in`; each still has to be looked at.
 *
 * @param part folded, and indexable
 */
export function keysWithPart({table, key}: TextIndex, column: string, part: string): RawBuilder<unknown> {
  const name = sql.table(nameOf(table))
  const words = `{"${column}"} : "${part.replaceAll('"', '""')}"`
  return sql`select rowid from ${name} where ${name} match ${words}
    union all select ${sql.ref(key)} from ${sql.table(table)}
    where ${sql.ref(key)} > (select until from ${sql.table(`${nameOf(table)}_until`)})`
}

/** Whether a part is in fewer rows than that, which is all that is counted. */
export async function isRarePart<Tables>(
  db: Kysely<Tables>,
  index: TextIndex,
  column: string,
  part: string,
  fewerThan: number,
): Promise<boolean> {
  const some = sql`${keysWithPart(index, column, part)} limit ${fewerThan}`
  const {rows} = await sql<{count: number}>`select count(*) as count from (${some}) as some`.execute(db)
  return Number(rows[0]?.count) < fewerThan
}
