import {sql} from 'kysely'
import {StorectlError} from '../../errors.js'
import type {Migration, UntypedDatabase} from './database.js'

/** The schema that a program expects of a database. */
export interface ExpectedSchema {
  readonly migrations: readonly Migration[]
  /** The table of applied steps. */
  readonly versionTable: string
  /** Path of the file, or address of the PostgreSQL without a password. */
  readonly location: string
}

/** The schema of a database, compared with the expected one. */
export interface SchemaState {
  /** Newest applied step; `null` where there is none. */
  readonly version: number | null
  /** Steps that are not applied yet. */
  readonly pending: readonly Migration[]
  /** Names of steps by a newer program with which this one cannot work. */
  readonly tooNew: readonly string[]
  /** Whether a step of a known number has another name: the database was created before the first release. */
  readonly isForeign: boolean
}

interface AppliedStep {
  version: number
  name: string
  breaks_older: number
  applied_at: string
}

/**
 * Applies the missing steps, inside the caller's transaction, so that of two processes that open a database at once the
 * second finds nothing to do.
 *
 * @param appliedAt the time to store with each step, UTC
 * @throws StorectlError as `refuseUnusable`
 */
export async function migrate(db: UntypedDatabase, expected: ExpectedSchema, appliedAt: Date): Promise<void> {
  const {versionTable} = expected
  await createVersionTable(db, versionTable)
  const state = await readSchemaState(db, expected)
  refuseUnusable(state, expected)
  for (const {version, name, breaksOlder, up} of state.pending) {
    await up(db)
    const applied_at = appliedAt.toISOString()
    const step: AppliedStep = {version, name, breaks_older: breaksOlder ? 1 : 0, applied_at}
    await db.insertInto(versionTable).values(step).execute()
  }
}

async function createVersionTable(db: UntypedDatabase, name: string): Promise<void> {
  await db.schema
    .createTable(name)
    .ifNotExists()
    .addColumn('version', 'integer', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('breaks_older', 'integer', column => column.notNull())
    .addColumn('applied_at', 'text', column => column.notNull())
    .execute()
}

/** Whether the schema differs from the expected one; reads only, for the common case that it does not. */
export async function needsMigration(db: UntypedDatabase, expected: ExpectedSchema): Promise<boolean> {
  const state = await readSchemaState(db, expected).catch(() => undefined)
  return !state || state.pending.length > 0 || state.tooNew.length > 0 || state.isForeign
}

/** Compares a database with the expected schema. Reads only. */
export async function readSchemaState(
  db: UntypedDatabase,
  {migrations, versionTable}: Pick<ExpectedSchema, 'migrations' | 'versionTable'>,
): Promise<SchemaState> {
  const {rows} = await sql<Pick<AppliedStep, 'version' | 'name' | 'breaks_older'>>`
    select version, name, breaks_older from ${sql.table(versionTable)} order by version`.execute(db)
  const known = new Map(migrations.map(step => [step.version, step.name]))
  const applied = new Set(rows.map(({version}) => version))
  return {
    version: rows.at(-1)?.version ?? null,
    pending: migrations.filter(({version}) => !applied.has(version)),
    tooNew: rows.filter(row => !known.has(row.version) && row.breaks_older === 1).map(({name}) => name),
    isForeign: rows.some(({version, name}) => known.has(version) && known.get(version) !== name),
  }
}

/**
 * Refuses a database from before the first release, or one that a newer program has changed incompatibly.
 *
 * @throws StorectlError `usage.database_too_old`, `usage.database_too_new`
 */
export function refuseUnusable(
  {tooNew, isForeign}: Pick<SchemaState, 'tooNew' | 'isForeign'>,
  {location}: Pick<ExpectedSchema, 'location'>,
): void {
  if (isForeign) throw createTooOldError(location)
  if (tooNew.length === 0) return
  throw new StorectlError(
    'usage.database_too_new',
    `${location} was changed by a newer storectl (${tooNew.join(', ')}). Nothing was read or written.`,
    {nextSteps: ['npm install --global storectl']},
  )
}

function createTooOldError(location: string): StorectlError {
  const isFile = !location.startsWith('postgres://')
  return new StorectlError(
    'usage.database_too_old',
    `${location} is a database from before storectl 0.1.0, and cannot be used. Nothing was read or written.`,
    {
      nextSteps: isFile
        ? [
            `mv ${location} ${location}.old   # then storectl creates a new one`,
            'export STORECTL_HOME=/some/other/folder',
          ]
        : ['export STORECTL_DATABASE_URL=postgres://USER@HOST:5432/NAME   # another, empty database'],
    },
  )
}
