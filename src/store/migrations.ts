import {type Kysely, sql} from 'kysely'
import {StorectlError} from '../errors.js'

/** A database whose tables are just being made, so that their types say nothing yet. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own migrations are typed like this; unknown refuses every table
export type UntypedDatabase = Kysely<any>

/** One step of a database's schema. Steps only ever go forward and are never edited once released. */
export interface Migration {
  /** Larger than those before it. */
  version: number
  name: string
  /** Whether programs that do not know this step must keep off. Steps that only add need not say so. */
  breaksOlder?: boolean
  up(db: UntypedDatabase): Promise<void>
}

interface Applied {
  version: number
  name: string
  breaks_older: number
  applied_at: string
}

/** Where the steps are written down, unless several databases lie in one. */
const VERSIONS = 'schema_version'

/**
 * Brings a database up to the newest known step, inside a transaction that the caller holds, so that of two
 * processes that open it at once the second finds the work done.
 *
 * @param appliedAt the moment to note beside each step, UTC
 * @throws StorectlError `usage.database_too_new` when a newer program changed what this one relies on
 */
export async function migrate(
  db: UntypedDatabase,
  migrations: readonly Migration[],
  appliedAt: Date,
  versions = VERSIONS,
): Promise<void> {
  const applied = await appliedVersions(db, versions)
  const unknown = tooNewFor(applied, migrations)
  if (unknown.length > 0) throw tooNew(unknown)
  const known = new Set(applied.map(step => step.version))
  for (const step of migrations.filter(({version}) => !known.has(version))) {
    await step.up(db)
    await db
      .insertInto(versions)
      .values({
        version: step.version,
        name: step.name,
        breaks_older: step.breaksOlder ? 1 : 0,
        applied_at: appliedAt.toISOString(),
      } satisfies Applied)
      .execute()
  }
}

/** Whether a database lacks one of the steps; a look that changes nothing, for the common case of none. */
export async function needsMigration(
  db: UntypedDatabase,
  migrations: readonly Migration[],
  versions = VERSIONS,
): Promise<boolean> {
  try {
    const {rows} = await sql<Pick<Applied, 'version' | 'breaks_older'>>`
      select version, breaks_older from ${sql.table(versions)}`.execute(db)
    const known = new Set(rows.map(row => row.version))
    return migrations.some(step => !known.has(step.version)) || rows.some(row => row.breaks_older === 1)
  } catch {
    return true
  }
}

/**
 * Refuses a database that a newer program has changed too much for this one; changes nothing.
 *
 * @throws StorectlError `usage.database_too_new`
 */
export async function refuseTooNew(
  db: UntypedDatabase,
  migrations: readonly Migration[],
  versions = VERSIONS,
): Promise<void> {
  const {rows} = await sql<Applied>`
    select version, name, breaks_older from ${sql.table(versions)} order by version`.execute(db)
  const names = tooNewFor(rows, migrations)
  if (names.length > 0) throw tooNew(names)
}

function tooNewFor(applied: readonly Applied[], migrations: readonly Migration[]): string[] {
  const newest = migrations.at(-1)?.version ?? 0
  return applied.filter(step => step.version > newest && step.breaks_older === 1).map(step => step.name)
}

async function appliedVersions(db: UntypedDatabase, versions: string): Promise<Applied[]> {
  await db.schema
    .createTable(versions)
    .ifNotExists()
    .addColumn('version', 'integer', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('breaks_older', 'integer', column => column.notNull())
    .addColumn('applied_at', 'text', column => column.notNull())
    .execute()
  return (await db.selectFrom(versions).selectAll().orderBy('version').execute()) as Applied[]
}

function tooNew(names: string[]): StorectlError {
  return new StorectlError(
    'usage.database_too_new',
    `The database was changed by a newer storectl (${names.join(', ')}); nothing was read or written.`,
    {nextSteps: ['npm install --global storectl']},
  )
}
