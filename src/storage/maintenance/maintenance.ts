import {sql} from 'kysely'
import type {
  DatabaseContents,
  DatabaseLocation,
  EngineInspector,
  TableSet,
  UntypedDatabase,
} from '../engine/database.js'
import {readSchemaState, refuseUnusable} from '../engine/migrations.js'
import {openDatabase} from '../index.js'

/** Facts about a database that may have another schema than this program expects. */
export interface InspectedDatabase {
  readonly engine: string
  readonly version: number | null
  readonly pending: readonly string[]
  readonly tooNew: readonly string[]
  readonly sizeBytes: number
  readonly freeBytes: number
  readonly brokenIndices: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** Oldest row. */
  readonly oldest: Date | null
  readonly newest: Date | null
}

/** The schema may be of another version. */
// biome-ignore lint/suspicious/noExplicitAny: what is there is not known before the look
export type AnyTables = any

/** Loads the inspector of a location's engine. */
export async function loadInspector(location: DatabaseLocation): Promise<EngineInspector> {
  if (typeof location === 'string') return (await import('../sqlite/maintenance.js')).sqliteInspector
  return (await import('../postgres/maintenance.js')).postgresInspector
}

/**
 * Inspects a database without changing it or its schema.
 *
 * @throws StorectlError as `openDatabase` does, also `usage.database_too_old`
 */
export async function inspectDatabase(
  location: DatabaseLocation,
  contents: DatabaseContents,
): Promise<InspectedDatabase> {
  const inspector = await loadInspector(location)
  const {name, migrations} = contents
  return readDatabase(location, name, async db => {
    const {isForeign, version, pending, tooNew} = await readSchemaState(db, {
      migrations,
      versionTable: inspector.nameVersionTable(name),
    })
    refuseUnusable(
      {isForeign, tooNew: []},
      {location: typeof location === 'string' ? location : location.label},
    )
    const own = (await inspector.listTables(db)).filter(contents.ownsTable)
    return {
      engine: await inspector.readVersion(db),
      ...{version, pending: pending.map(step => step.name), tooNew},
      sizeBytes: await inspector.readSizeBytes(db, own),
      freeBytes: await inspector.readFreeBytes(db),
      brokenIndices: await inspector.listBrokenIndices(db, own),
      counts: await countRows(db, contents.counted, own),
      ...(await readAgeRange(db, contents.aged, own)),
    }
  })
}

/** Reads a database without changing it. */
export async function readDatabase<T>(
  location: DatabaseLocation,
  name: TableSet,
  read: (db: UntypedDatabase) => Promise<T>,
): Promise<T> {
  const options = {name, migrations: [], now: () => new Date(0), readOnly: true}
  const database = await openDatabase<AnyTables>(location, options)
  try {
    return await read(database.reads)
  } finally {
    await database.close()
  }
}

async function countRows(
  db: UntypedDatabase,
  counted: DatabaseContents['counted'],
  there: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, table] of Object.entries(counted)) {
    if (!there.includes(table)) continue
    const {rows} = await sql<{count: number}>`select count(*) as count from ${sql.table(table)}`.execute(db)
    counts[name] = rows[0]?.count ?? 0
  }
  return counts
}

async function readAgeRange(
  db: UntypedDatabase,
  {table, column}: DatabaseContents['aged'],
  there: readonly string[],
): Promise<Pick<InspectedDatabase, 'oldest' | 'newest'>> {
  if (!there.includes(table)) return {oldest: null, newest: null}
  const at = sql.ref(column)
  const {rows} = await sql<{oldest: string | number | null; newest: string | number | null}>`
    select min(${at}) as oldest, max(${at}) as newest from ${sql.table(table)}`.execute(db)
  return {oldest: parseStoredTime(rows[0]?.oldest), newest: parseStoredTime(rows[0]?.newest)}
}

function parseStoredTime(stored: string | number | null | undefined): Date | null {
  if (stored === null || stored === undefined) return null
  return new Date(typeof stored === 'number' ? stored : `${stored.replace(' ', 'T')}Z`)
}
