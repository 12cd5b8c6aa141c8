import {createUsageError, StorectlError} from '../errors.js'
import {openFileOutput} from '../platform/files/atomic-file.js'
import {readSizeIfThere, resolveLinks} from '../platform/files/files.js'
import {readFileMode} from '../platform/machine-facts.js'
import type {CopiedContents, DatabaseContents, DatabaseLocation} from '../storage/engine/database.js'
import type {InspectedDatabase} from '../storage/maintenance/maintenance.js'
import type {CopyFileDeps} from './copy-file.js'
import type {RecordsLocations} from './copy-records.js'
import type {BackupResult, DatabaseState, Databases, IntegrityCheck, MigrationResult} from './database.js'

/** One of the databases: what it holds, and where. */
export interface DatabaseKind<Contents = DatabaseContents> {
  readonly contents: Contents
  readonly location: DatabaseLocation
  /** Opens it for writing, which makes the steps that are pending. */
  readonly open: () => Promise<{close(): Promise<void>}>
}

export interface DatabasesDeps {
  readonly records: DatabaseKind<CopiedContents>
  /** The bundled shop's. */
  readonly shop: DatabaseKind
  /** Where each engine stores the records or would; `postgres` is `undefined` where none is named. */
  readonly locations: RecordsLocations
  readonly now: () => Date
  /** What this home knows of the records goes with them. */
  readonly copySeen: (from: 'sqlite' | 'postgres') => Promise<void>
  /** Notes in the records that a copy of them was made, so that the copy is known to be older. */
  readonly noteBackup: () => Promise<void>
  readonly copying: Pick<CopyFileDeps, 'program' | 'signal'>
}

/** The databases of this home, or those that are shared; each is opened while it is used, and not longer. */
export function createDatabases({
  records,
  shop,
  locations,
  now,
  copying,
  noteBackup,
  copySeen,
}: DatabasesDeps): Databases {
  const find = (name: DatabaseState['name']) => (name === 'records' ? records : shop)
  const files = [locations.sqlite, shop.location].filter(location => typeof location === 'string')
  return {
    state: () => Promise.all([records, shop].map(readState)),
    check: ({name}) => checkDatabase(find(name)),
    migrate: ({name}) => migrateDatabase(find(name)),
    backUp: (file, replaces, listener) =>
      backUp(records, file, {replaces, files, ...copying, listener, noteBackup}),
    copy: async (from, to, listener) => {
      const {copyRecords} = await import('./copy-records.js')
      return copyRecords({contents: records.contents, locations}, {from, to}, {now, listener, copySeen})
    },
  }
}

const EMPTY: InspectedDatabase = {
  ...{engine: '', version: null, pending: [], tooNew: [], sizeBytes: 0, freeBytes: 0, brokenIndices: []},
  ...{counts: {}, oldest: null, newest: null},
}

async function readState({contents, location}: DatabaseKind): Promise<DatabaseState> {
  const {inspectDatabase} = await import('../storage/maintenance/maintenance.js')
  const file = typeof location === 'string' ? location : null
  const isMissing = file !== null && readSizeIfThere(file) === 0
  const {engine, problem, exists, ...looked} = isMissing
    ? {...EMPTY, problem: null, exists: false}
    : await inspectDatabase(location, contents).then(
        found => ({...found, problem: null, exists: true}),
        explainFailure,
      )
  return {
    ...{
      name: contents.name,
      location: typeof location === 'string' ? location : location.label,
      file,
      exists,
    },
    ...{engine: engine || null, ...looked},
    sizeBytes: file === null ? looked.sizeBytes : readSizeIfThere(file),
    logBytes: file === null ? 0 : readSizeIfThere(`${file}-wal`),
    mode: file === null || !exists ? null : formatMode(file),
    problem,
  }
}

/** The other one is still worth a look. Tables that are not there yet are no problem. */
function explainFailure(error: unknown) {
  if (!(error instanceof StorectlError)) throw error
  const isMissing = error.code === 'internal.database_not_opened' && error.cause === undefined
  return {...EMPTY, problem: isMissing ? null : error.message, exists: !isMissing}
}

function formatMode(file: string): string | null {
  const {mode} = readFileMode(file)
  return mode === undefined ? null : mode.toString(8)
}

async function checkDatabase({location, contents}: DatabaseKind): Promise<IntegrityCheck> {
  if (typeof location === 'string')
    return (await import('./copy-records.js')).checkDatabaseFile(location, contents)
  const {brokenIndices} = await (await import('../storage/maintenance/maintenance.js')).inspectDatabase(
    location,
    contents,
  )
  return brokenIndices.length === 0
    ? {kind: 'ok'}
    : {kind: 'damaged', why: `reindex ${brokenIndices.join(', ')}`}
}

/** Opening a database for writing makes its steps. */
async function migrateDatabase(kind: DatabaseKind): Promise<MigrationResult> {
  const {exists, pending, problem} = await readState(kind)
  if (
    (!exists && typeof kind.location === 'string') ||
    (exists && problem === null && pending.length === 0)
  ) {
    return {steps: [], tookMs: 0}
  }
  const begunMs = performance.now()
  await (await kind.open()).close()
  const steps = exists ? pending : kind.contents.migrations.map(({name}) => name)
  return {steps, tookMs: Math.round(performance.now() - begunMs)}
}

async function backUp(
  {location, contents}: DatabaseKind,
  to: string,
  {
    replaces,
    files,
    noteBackup,
    ...copying
  }: {readonly replaces: boolean; readonly files: readonly string[]} & Pick<DatabasesDeps, 'noteBackup'> &
    CopyFileDeps,
): Promise<BackupResult> {
  if (typeof location !== 'string') throw createNoFileError(location.label)
  if (readSizeIfThere(location) === 0)
    throw createUsageError('no_records', `Nothing to copy yet: ${location} does not exist.`)
  if (files.flatMap(listWithLog).includes(resolveLinks(to))) {
    throw createUsageError('own_file', `${to} is a database in use: choose another file.`)
  }
  const {copyDatabaseFile} = await import('./copy-file.js')
  const output = await openFileOutput(to, replaces)
  try {
    const {version, counts, isCurrent} = await copyDatabaseFile(output.temporary, location, contents, copying)
    const sizeBytes = readSizeIfThere(output.temporary)
    await output.keep()
    // Older records would be brought up to date by the note.
    if (isCurrent) await noteBackup()
    return {file: to, sizeBytes, version, counts}
  } finally {
    await output.close()
  }
}

function createNoFileError(location: string): StorectlError {
  return createUsageError(
    'not_a_file',
    `The records are in ${location}. Use the backup tools of PostgreSQL.`,
    [
      'pg_dump --format=custom --file=records.dump NAME',
      'storectl database copy --from postgres --to sqlite   (into files, with a home of their own)',
    ],
  )
}

function listWithLog(file: string): string[] {
  return ['', '-wal', '-shm'].map(end => resolveLinks(`${file}${end}`))
}
