import {createHash, type Hash} from 'node:crypto'
import {sql} from 'kysely'
import {StorectlError, usageError} from '../errors.js'
import type {Database, DatabaseContents, EngineLooks} from './engine/database.js'
import type {UntypedDatabase} from './engine/migrations.js'
import type {AnyTables} from './maintenance.js'

/** A table that was copied, and read back. */
export interface CopiedTable {
  readonly table: string
  readonly rows: number
  /** Over all values in the order of the keys; the same on both sides. */
  readonly sha256: string
}

/** One side of a copy. */
export interface Side {
  readonly database: Database<AnyTables>
  readonly looks: EngineLooks
}

/** Values of one statement: below what either engine takes. */
const VALUES_AT_ONCE = 20_000

const ROWS_READ = 500

/**
 * Looks whether everything of one database can be copied into another.
 *
 * @throws StorectlError `usage.not_empty`
 */
export async function requireEmpty(
  {database, looks}: Side,
  {owns, keptByItself}: DatabaseContents,
): Promise<void> {
  const {tables, begun} = keptByItself
  for (const table of await looks.tables(database.reads)) {
    if (owns(table) && ![...tables, ...begun].includes(table)) {
      await refuseFull(database.reads, table, database.location)
    }
  }
}

/**
 * Copies everything from one database into another that holds nothing yet, and that nobody else fills: as it stood at one
 * moment, in one commit, and read back before that, row by row.
 *
 * @param told after each table
 * @throws StorectlError `internal.copy_differs`: nothing was kept
 */
export async function copyInto(
  to: Side,
  from: Side,
  contents: DatabaseContents,
  told: (copied: CopiedTable) => Promise<void>,
): Promise<CopiedTable[]> {
  return from.database.snapshot(source =>
    to.database.writes.run(
      async target => {
        const copied: CopiedTable[] = []
        for (const shape of await shapesOf(source, target, from.looks, contents)) {
          const {table} = shape
          if (contents.keptByItself.begun.includes(table)) await target.deleteFrom(table).execute()
          const sent = await send(source, target, shape)
          await to.looks.afterCopying(target, table)
          const kept = await walk(target, shape, async () => {})
          if (kept.rows !== sent.rows || kept.sha256 !== sent.sha256)
            throw differs(table, to.database.location)
          copied.push({table, ...kept})
          await told({table, ...kept})
        }
        return copied
      },
      {alone: 'schema', unhurried: true},
    ),
  )
}

interface Shape {
  readonly table: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/**
 * What is copied: tables that have a key, for the others are what an engine notes for itself. Both sides have the same
 * schema, but each may have columns that it needs for itself.
 */
async function shapesOf(
  source: UntypedDatabase,
  target: UntypedDatabase,
  looks: EngineLooks,
  {owns, keptByItself}: DatabaseContents,
): Promise<Shape[]> {
  const [here, there] = [await columnsOf(source), await columnsOf(target)]
  const shapes: Shape[] = []
  for (const table of await looks.tables(source)) {
    if (!owns(table) || keptByItself.tables.includes(table)) continue
    const key = await looks.primaryKey(source, table)
    const columns = (here.get(table) ?? []).filter(
      name => there.get(table)?.includes(name) && !keptByItself.columns.includes(name),
    )
    if (key.length > 0) shapes.push({table, columns, key})
  }
  return shapes
}

async function columnsOf(db: UntypedDatabase): Promise<Map<string, string[]>> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({name, columns}) => [name, columns.map(column => column.name)]))
}

async function refuseFull(db: UntypedDatabase, table: string, location: string): Promise<void> {
  const {rows} = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  if (rows.length === 0) return
  throw usageError(
    'not_empty',
    `${location} has rows in ${table} already; a copy goes into an empty database.`,
    ['storectl database status'],
  )
}

type Values = Record<string, unknown>

function send(source: UntypedDatabase, target: UntypedDatabase, shape: Shape) {
  const most = Math.floor(VALUES_AT_ONCE / shape.columns.length)
  return walk(source, shape, async rows => {
    for (let at = 0; at < rows.length; at += most) {
      await target
        .insertInto(shape.table)
        .values(rows.slice(at, at + most))
        .execute()
    }
  })
}

/** Goes through a table in the order of its key. */
async function walk(
  db: UntypedDatabase,
  {table, columns, key}: Shape,
  take: (rows: Values[]) => Promise<void>,
): Promise<Omit<CopiedTable, 'table'>> {
  const hash = createHash('sha256')
  const refs = key.map(name => sql.ref(name))
  let count = 0
  for (let last: Values | undefined; ; ) {
    const after = last && sql` where (${sql.join(refs)}) > (${sql.join(key.map(name => last?.[name]))})`
    const {rows} = await sql<Values>`
      select ${sql.join(columns.map(name => sql.ref(name)))} from ${sql.table(table)}${after ?? sql``}
      order by ${sql.join(refs)} limit ${sql.lit(ROWS_READ)}`.execute(db)
    for (const row of rows) note(hash, columns, row)
    await take(rows)
    count += rows.length
    last = rows.at(-1)
    if (rows.length < ROWS_READ) return {rows: count, sha256: hash.digest('hex')}
  }
}

/** Each value with its length, so that no two rows read alike. */
function note(hash: Hash, columns: readonly string[], row: Values): void {
  for (const column of columns) {
    const value = row[column]
    if (value === null || value === undefined) {
      hash.update('-;')
      continue
    }
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
    hash.update(`${bytes.length}:`).update(bytes).update(';')
  }
}

function differs(table: string, location: string): StorectlError {
  return new StorectlError(
    'internal.copy_differs',
    `${table} reads differently in ${location} from what was sent there; nothing was kept.`,
  )
}
