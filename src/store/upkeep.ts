import {sql} from 'kysely'
import type {BackedUp, Checked} from '../database/database.js'
import {StorectlError} from '../errors.js'
import type {Migration, UntypedDatabase} from './migrations.js'
import {openDatabase} from './open.js'
import {complaintOf} from './sqlite/complaint.js'

/** What is looked at of a file that need not be what this program expects. */
export interface FileState {
  readonly version: number | null
  readonly pending: readonly string[]
  readonly tooNew: readonly string[]
  readonly freeBytes: number
  readonly counts: Readonly<Record<string, number>>
}

/** Tables whose rows people ask for, by what they are called then. */
export type Counted = Readonly<Record<string, string>>

/** They may be of another version. */
// biome-ignore lint/suspicious/noExplicitAny: what is there is not known before the look
type Tables = any

interface Looking {
  readonly file: string
  readonly migrations: readonly Migration[]
  readonly counted: Counted
}

/**
 * Looks at a database without changing it, its schema included.
 *
 * @throws StorectlError as `openDatabase` does
 */
export function lookAt({file, migrations, counted}: Looking): Promise<FileState> {
  return reading(file, async db => {
    const applied = await appliedSteps(db)
    const known = new Set(migrations.map(({version}) => version))
    const there = new Set(applied.map(({version}) => version))
    return {
      version: applied.at(-1)?.version ?? null,
      pending: migrations.filter(({version}) => !there.has(version)).map(({name}) => name),
      tooNew: applied
        .filter(step => !known.has(step.version) && step.breaks_older === 1)
        .map(({name}) => name),
      freeBytes: await freeBytes(db),
      counts: await countsOf(db, counted),
    }
  })
}

/** Reads all of a file. */
export async function checkFile(file: string): Promise<Checked> {
  try {
    const why = await reading(file, db => complaintOf(db))
    return why === undefined ? {kind: 'ok'} : {kind: 'damaged', why}
  } catch (error) {
    if (!(error instanceof StorectlError) || error.code !== 'internal.database_unreadable') throw error
    return {kind: 'damaged', why: error.message}
  }
}

/**
 * Copies a database into an empty file, as it stands at one moment; others go on writing. What was deleted is not in the
 * copy. The copy is looked at.
 *
 * @throws StorectlError `internal.backup_damaged`, and as `openDatabase` does
 * @see https://www.sqlite.org/lang_vacuum.html#vacuuminto
 */
export async function copyInto(to: string, looking: Looking): Promise<Omit<BackedUp, 'sizeBytes'>> {
  await reading(looking.file, async db => {
    await sql`vacuum into ${to}`.execute(db)
  })
  const checked = await checkFile(to)
  if (checked.kind === 'damaged') {
    throw new StorectlError('internal.backup_damaged', `The copy could not be read back: ${checked.why}.`, {
      nextSteps: ['storectl database status --check'],
    })
  }
  const {version, counts} = await lookAt({...looking, file: to})
  return {file: to, version: version ?? 0, counts}
}

async function reading<T>(file: string, look: (db: UntypedDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase<Tables>(file, {migrations: [], now: () => new Date(0), readOnly: true})
  try {
    return await look(database.reads)
  } finally {
    await database.close()
  }
}

async function appliedSteps(
  db: UntypedDatabase,
): Promise<{version: number; name: string; breaks_older: number}[]> {
  if (!(await isThere(db, 'schema_version'))) return []
  return db.selectFrom('schema_version').selectAll().orderBy('version').execute() as never
}

async function isThere(db: UntypedDatabase, table: string): Promise<boolean> {
  const {rows} = await sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`.execute(db)
  return rows.length > 0
}

async function freeBytes(db: UntypedDatabase): Promise<number> {
  const {rows} = await sql<{bytes: number}>`
    select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db)
  return rows[0]?.bytes ?? 0
}

async function countsOf(db: UntypedDatabase, counted: Counted): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, table] of Object.entries(counted)) {
    if (!(await isThere(db, table))) continue
    const {rows} = await sql<{count: number}>`select count(*) as count from ${sql.table(table)}`.execute(db)
    counts[name] = rows[0]?.count ?? 0
  }
  return counts
}
