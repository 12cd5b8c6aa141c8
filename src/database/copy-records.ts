import {dirname} from 'node:path'
import {createUsageError, StorectlError} from '../errors.js'
import {makePrivateFolder, readSizeIfThere} from '../platform/files/files.js'
import type {
  CopiedContents,
  Database,
  DatabaseContents,
  DatabaseLocation,
} from '../storage/engine/database.js'
import {ignoreMissing, openDatabase} from '../storage/index.js'
import {
  type CopyListener,
  type CopySide,
  copyTables,
  requireEmptyTarget,
} from '../storage/maintenance/copy-tables.js'
import {
  type AnyTables,
  inspectDatabase,
  loadInspector,
  readDatabase,
} from '../storage/maintenance/maintenance.js'
import {checkIntegrity} from '../storage/sqlite/maintenance.js'
import type {CopiedTable, DatabaseCopyListener, DatabaseEngine, IntegrityCheck} from './database.js'

/** Where each engine stores the records, or would. */
export type RecordsLocations = Readonly<Record<DatabaseEngine, DatabaseLocation | undefined>>

export interface CopyDeps {
  readonly now: () => Date
  readonly listener: DatabaseCopyListener
  /** Called once the records were copied. */
  readonly copySeen: (from: DatabaseEngine) => Promise<void>
}

/** Source and target. */
interface Route {
  readonly contents: CopiedContents
  readonly from: DatabaseLocation
  readonly to: DatabaseLocation
}

/**
 * Copies the records.
 *
 * @throws StorectlError as `Databases.copy` does
 */
export async function copyRecords(
  {contents, locations}: {readonly contents: CopiedContents; readonly locations: RecordsLocations},
  engines: {readonly from: DatabaseEngine; readonly to: DatabaseEngine},
  {now, listener, copySeen}: CopyDeps,
): Promise<CopiedTable[]> {
  const from = requireLocation(locations[engines.from])
  const route = {contents, from, to: requireLocation(locations[engines.to])}
  if (!(await requireCurrent(route))) throw createUsageError('no_records', 'Nothing to copy: no records yet.')
  await useBoth(route, now, to => requireEmptyTarget(to, contents))
  const database = 'records'
  let done = 0
  const tableListener: CopyListener = {
    onTableCopied: table => listener.onTableCopied({database, ...table}),
    onRows: count => {
      done += count
      listener.onProgress(done)
    },
  }
  const tables = await useBoth(route, now, (to, source) => copyTables(to, source, contents, tableListener))
  await copySeen(engines.from)
  return tables.map(table => ({database, ...table}))
}

/** Whether the source exists. Rows are taken as they are, so both sides must mean the same by them. */
async function requireCurrent({from, contents}: Route): Promise<boolean> {
  if (typeof from === 'string' && readSizeIfThere(from) === 0) return false
  const looked = await inspectDatabase(from, contents).catch(ignoreMissing)
  if (looked && looked.pending.length > 0) throw createOutdatedError(contents.name)
  return looked !== undefined
}

function requireLocation(location: DatabaseLocation | undefined): DatabaseLocation {
  if (location !== undefined) return location
  throw createUsageError('no_postgres', 'Missing PostgreSQL address.', [
    'export STORECTL_DATABASE_URL=postgres://USER@HOST:5432/NAME',
  ])
}

function createOutdatedError(name: string): StorectlError {
  return createUsageError('pending_steps', `The ${name} to copy are from an older storectl.`, [
    'env -u STORECTL_DATABASE_URL storectl database migrate',
  ])
}

async function useBoth<T>(
  {contents, from, to}: Route,
  now: () => Date,
  work: (to: CopySide, from: CopySide) => Promise<T>,
): Promise<T> {
  const {name, migrations} = contents
  const source = await openDatabase<AnyTables>(from, {name, migrations, now, readOnly: true})
  try {
    if (typeof to === 'string') makePrivateFolder(dirname(to))
    const target = await openDatabase<AnyTables>(to, {name, migrations, now})
    try {
      return await work(await createCopySide(to, target), await createCopySide(from, source))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function createCopySide(location: DatabaseLocation, database: Database<AnyTables>): Promise<CopySide> {
  return {database, inspector: await loadInspector(location)}
}

/** Reads all of a file. */
export async function checkDatabaseFile(
  file: string,
  {name}: Pick<DatabaseContents, 'name'>,
): Promise<IntegrityCheck> {
  try {
    const why = await readDatabase(file, name, db => checkIntegrity(db))
    return why === undefined ? {kind: 'ok'} : {kind: 'damaged', why}
  } catch (error) {
    if (!(error instanceof StorectlError) || error.code !== 'internal.database_unreadable') throw error
    return {kind: 'damaged', why: error.message}
  }
}
