import {sql} from 'kysely'
import type {DatabaseContents, DatabaseName, DatabasePlace, EngineLooks} from './engine/database.js'
import {readSchemaState, refuseUnusable, type UntypedDatabase} from './engine/migrations.js'
import {openDatabase} from './storage.js'

/** What is looked at of a database that need not be what this program expects. */
export interface LookedAt {
  readonly engine: string
  readonly version: number | null
  readonly pending: readonly string[]
  readonly tooNew: readonly string[]
  readonly sizeBytes: number
  readonly freeBytes: number
  readonly brokenIndices: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** Of what comes in as time goes by. */
  readonly oldest: Date | null
  readonly newest: Date | null
}

/** A database may be of another version. */
// biome-ignore lint/suspicious/noExplicitAny: what is there is not known before the look
export type AnyTables = any

/** How a place's engine tells of itself. */
export async function looksOf(place: DatabasePlace): Promise<EngineLooks> {
  if (typeof place === 'string') return (await import('./sqlite/maintenance.js')).sqliteLooks
  return (await import('./postgres/maintenance.js')).postgresLooks
}

/**
 * Looks at a database without changing it, its schema included.
 *
 * @throws StorectlError as `openDatabase` does, also `usage.database_too_old`
 */
export async function lookAt(place: DatabasePlace, contents: DatabaseContents): Promise<LookedAt> {
  const looks = await looksOf(place)
  const {name, migrations} = contents
  return reading(place, name, async db => {
    const {isForeign, version, pending, tooNew} = await readSchemaState(db, {
      migrations,
      versionTable: looks.versionTable(name),
    })
    refuseUnusable({isForeign, tooNew: []}, {location: typeof place === 'string' ? place : place.location})
    const own = (await looks.tables(db)).filter(contents.owns)
    return {
      engine: await looks.version(db),
      ...{version, pending: pending.map(step => step.name), tooNew},
      sizeBytes: await looks.sizeBytes(db, own),
      freeBytes: await looks.freeBytes(db),
      brokenIndices: await looks.brokenIndices(db, own),
      counts: await countsOf(db, contents.counted, own),
      ...(await agesOf(db, contents.aged, own)),
    }
  })
}

/** Reads what there is without changing it. */
export async function reading<T>(
  place: DatabasePlace,
  name: DatabaseName,
  look: (db: UntypedDatabase) => Promise<T>,
): Promise<T> {
  const options = {name, migrations: [], now: () => new Date(0), readOnly: true}
  const database = await openDatabase<AnyTables>(place, options)
  try {
    return await look(database.reads)
  } finally {
    await database.close()
  }
}

async function countsOf(
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

async function agesOf(
  db: UntypedDatabase,
  {table, column}: DatabaseContents['aged'],
  there: readonly string[],
): Promise<Pick<LookedAt, 'oldest' | 'newest'>> {
  if (!there.includes(table)) return {oldest: null, newest: null}
  const at = sql.ref(column)
  const {rows} = await sql<{oldest: string | number | null; newest: string | number | null}>`
    select min(${at}) as oldest, max(${at}) as newest from ${sql.table(table)}`.execute(db)
  return {oldest: momentOf(rows[0]?.oldest), newest: momentOf(rows[0]?.newest)}
}

function momentOf(stored: string | number | null | undefined): Date | null {
  if (stored === null || stored === undefined) return null
  return new Date(typeof stored === 'number' ? stored : `${stored.replace(' ', 'T')}Z`)
}
