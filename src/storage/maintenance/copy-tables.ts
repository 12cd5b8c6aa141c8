import {createHash, type Hash} from 'node:crypto'
import {sql} from 'kysely'
import {createUsageError, StorectlError} from '../../errors.js'
import type {CopiedContents, Database, EngineInspector, UntypedDatabase} from '../engine/database.js'
import type {AnyTables} from './maintenance.js'

/** A table that was copied and verified. */
export interface TableCopy {
  readonly table: string
  readonly rows: number
  /** Over all values in the order of the keys; the same on both sides. */
  readonly sha256: string
}

/** One side of a copy. */
export interface CopySide {
  readonly database: Database<AnyTables>
  readonly inspector: EngineInspector
}

/** Values in one statement: below the limits of both engines. */
const VALUES_PER_STATEMENT = 20_000

const ROWS_PER_READ = 500

/**
 * Requires that a database is empty, so that another can be copied into it.
 *
 * @throws StorectlError `usage.not_empty`
 */
export async function requireEmptyTarget(
  {database, inspector}: CopySide,
  {ownsTable, selfMaintained}: CopiedContents,
): Promise<void> {
  const {tables, begun} = selfMaintained
  for (const table of await inspector.listTables(database.reads)) {
    if (ownsTable(table) && ![...tables, ...begun].includes(table)) {
      await refuseRows(database.reads, table, database.location)
    }
  }
}

/**
 * Copies a snapshot of a database into an empty one that nobody else writes to, in one commit, after reading it back
 * row by row.
 *
 * @throws StorectlError `internal.copy_differs`: nothing was committed
 */
export async function copyTables(
  to: CopySide,
  from: CopySide,
  contents: CopiedContents,
  {onTableCopied, onRows}: CopyListener,
): Promise<TableCopy[]> {
  return from.database.readSnapshot(source =>
    to.database.writes.run(
      async target => {
        const copied: TableCopy[] = []
        for (const table of await listCopiedTables(source, target, from.inspector, contents)) {
          const {name} = table
          if (contents.selfMaintained.begun.includes(name)) await target.deleteFrom(name).execute()
          const sent = await sendRows({source, target}, table, onRows)
          await to.inspector.restartNumbering(target, name)
          const kept = await readInKeyOrder(target, table, async () => {})
          if (kept.rows !== sent.rows || kept.sha256 !== sent.sha256)
            throw createCopyDiffersError(name, to.database.location)
          copied.push({table: name, ...kept})
          await onTableCopied({table: name, ...kept})
        }
        return copied
      },
      {exclusive: 'schema', isUnlimited: true},
    ),
  )
}

interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/**
 * The copied tables: those with a key, because the others are the engine's own. Both sides have the same schema, but
 * each may have columns of its own.
 */
async function listCopiedTables(
  source: UntypedDatabase,
  target: UntypedDatabase,
  inspector: EngineInspector,
  {ownsTable, selfMaintained}: CopiedContents,
): Promise<CopiedTable[]> {
  const [here, there] = [await readColumns(source), await readColumns(target)]
  const tables: CopiedTable[] = []
  for (const table of await inspector.listTables(source)) {
    if (!ownsTable(table) || selfMaintained.tables.includes(table)) continue
    const key = await inspector.readPrimaryKey(source, table)
    const columns = (here.get(table) ?? []).filter(
      name => there.get(table)?.includes(name) && !selfMaintained.columns.includes(name),
    )
    if (key.length > 0) tables.push({name: table, columns, key})
  }
  return tables
}

async function readColumns(db: UntypedDatabase): Promise<Map<string, string[]>> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({name, columns}) => [name, columns.map(column => column.name)]))
}

async function refuseRows(db: UntypedDatabase, table: string, location: string): Promise<void> {
  const {rows} = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  if (rows.length === 0) return
  throw createUsageError(
    'not_empty',
    `${location} has rows in ${table} already; copy into an empty database.`,
    ['storectl database status'],
  )
}

type Values = Record<string, unknown>

function sendRows(
  {source, target}: Readonly<Record<'source' | 'target', UntypedDatabase>>,
  table: CopiedTable,
  onRows: CopyListener['onRows'],
) {
  const most = Math.floor(VALUES_PER_STATEMENT / table.columns.length)
  return readInKeyOrder(source, table, async rows => {
    for (let at = 0; at < rows.length; at += most) {
      await target
        .insertInto(table.name)
        .values(rows.slice(at, at + most))
        .execute()
    }
    onRows(rows.length)
  })
}

/** Callbacks for the progress of a copy. */
export interface CopyListener {
  /** Called after each table. */
  readonly onTableCopied: (copied: TableCopy) => Promise<void>
  /** Rows that were sent since the last call. */
  readonly onRows: (count: number) => void
}

/** Reads a table in the order of its key. */
async function readInKeyOrder(
  db: UntypedDatabase,
  {name: table, columns, key}: CopiedTable,
  take: (rows: Values[]) => Promise<void>,
): Promise<Omit<TableCopy, 'table'>> {
  const hash = createHash('sha256')
  const refs = key.map(name => sql.ref(name))
  let count = 0
  for (let last: Values | undefined; ; ) {
    const after = last && sql` where (${sql.join(refs)}) > (${sql.join(key.map(name => last?.[name]))})`
    const {rows} = await sql<Values>`
      select ${sql.join(columns.map(name => sql.ref(name)))} from ${sql.table(table)}${after ?? sql``}
      order by ${sql.join(refs)} limit ${sql.lit(ROWS_PER_READ)}`.execute(db)
    for (const row of rows) hashRow(hash, columns, row)
    await take(rows)
    count += rows.length
    last = rows.at(-1)
    if (rows.length < ROWS_PER_READ) return {rows: count, sha256: hash.digest('hex')}
  }
}

/** Hashes each value with its length, so that different rows never look the same. */
function hashRow(hash: Hash, columns: readonly string[], row: Values): void {
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

function createCopyDiffersError(table: string, location: string): StorectlError {
  return new StorectlError(
    'internal.copy_differs',
    `${table} reads differently in ${location} after the copy; the copy was discarded.`,
  )
}
