import {createHash} from 'node:crypto'
import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {SubstringIndex, TextIndex} from './search-dialect.js'
import {escapeLike} from './sql.js'

/** The index holds runs of three letters and digits, and so knows nothing of shorter parts. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u

/**
 * PostgreSQL's index of the parts of texts: GIN over runs of three letters (pg_trgm). It serves `like` by itself; which
 * of several tables to begin with, the planner cannot tell, so that searches over several of them are narrowed down here
 * as well.
 *
 * @see https://www.postgresql.org/docs/current/pgtrgm.html
 */
export const postgresTextIndex: SubstringIndex = {
  getKeyColumn: primaryKey => primaryKey,
  create: createIndex,
  drop: (db, {table}) => dropOthers(db, table, undefined),
  isIndexable: part => INDEXABLE.test(part) && !part.includes('\u0000'),
  selectKeys,
}

/** Whether the indices are there. */
export async function hasTrigrams(db: UntypedDatabase): Promise<boolean> {
  return (await findTrigramSchema(db)) !== undefined
}

/** Brings the extension into the database, where that is allowed; everything is found without it as well, by looking. */
export async function installTrigrams(db: UntypedDatabase): Promise<void> {
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
