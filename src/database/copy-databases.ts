import {dirname} from 'node:path'
import {type StorectlError, usageError} from '../errors.js'
import {makePrivateFolder, sizeIfThere} from '../platform/files/files.js'
import {copyInto, requireEmpty, type Side} from '../storage/copy-tables.js'
import type {Database, DatabaseContents, DatabasePlace} from '../storage/engine/database.js'
import {type AnyTables, lookAt, looksOf} from '../storage/maintenance.js'
import {ignoreMissing, openDatabase} from '../storage/storage.js'
import type {CopiedTable, Engine} from './database.js'

/** One of the databases, and where each engine stores it or would. */
export interface CopyPair {
  readonly contents: DatabaseContents
  readonly places: Readonly<Record<Engine, DatabasePlace | undefined>>
}

export interface CopyDeps {
  readonly now: () => Date
  /** Called after each table. */
  readonly told: (copied: CopiedTable) => Promise<void>
  /** Called once the bundled shop's database was copied. */
  readonly copyCredentials: (from: Engine) => void
}

/** Source and target of one database. */
interface Route {
  readonly contents: DatabaseContents
  readonly from: DatabasePlace
  readonly to: DatabasePlace
}

/**
 * Copies each database that exists.
 *
 * @throws StorectlError as `Databases.copy` does
 */
export async function copyDatabases(
  pairs: readonly CopyPair[],
  engines: {readonly from: Engine; readonly to: Engine},
  {now, told, copyCredentials}: CopyDeps,
): Promise<CopiedTable[]> {
  const routes: Route[] = []
  for (const {contents, places} of pairs) {
    const route = {contents, from: required(places[engines.from]), to: required(places[engines.to])}
    if (await requireCurrent(route)) routes.push(route)
  }
  if (routes.length === 0)
    throw usageError('no_records', 'There is nothing to copy: nothing is on record yet.')
  for (const route of routes) await withBothOpen(route, now, to => requireEmpty(to, route.contents))
  const copied: CopiedTable[] = []
  for (const route of routes) {
    const {name: database} = route.contents
    const tell = (table: Omit<CopiedTable, 'database'>) => told({database, ...table})
    const tables = await withBothOpen(route, now, (to, from) => copyInto(to, from, route.contents, tell))
    copied.push(...tables.map(table => ({database, ...table})))
    if (database === 'shop') copyCredentials(engines.from)
  }
  return copied
}

/** Whether the source exists. Rows are taken as they are, so both sides must mean the same by them. */
async function requireCurrent({from, contents}: Route): Promise<boolean> {
  if (typeof from === 'string' && sizeIfThere(from) === 0) return false
  const looked = await lookAt(from, contents).catch(ignoreMissing)
  if (looked && looked.pending.length > 0) throw outdated(contents.name)
  return looked !== undefined
}

function required(place: DatabasePlace | undefined): DatabasePlace {
  if (place !== undefined) return place
  throw usageError('no_postgres', 'No PostgreSQL is named.', [
    'export STORECTL_DATABASE_URL=postgres://USER@HOST:5432/NAME',
  ])
}

function outdated(name: string): StorectlError {
  return usageError('pending_steps', `The ${name} to be copied are of an older storectl.`, [
    'env -u STORECTL_DATABASE_URL storectl database migrate',
  ])
}

async function withBothOpen<T>(
  {contents, from, to}: Route,
  now: () => Date,
  work: (to: Side, from: Side) => Promise<T>,
): Promise<T> {
  const {name, migrations} = contents
  const source = await openDatabase<AnyTables>(from, {name, migrations, now, readOnly: true})
  try {
    if (typeof to === 'string') makePrivateFolder(dirname(to))
    const target = await openTarget(to, contents, now)
    try {
      return await work(await sideOf(to, target), await sideOf(from, source))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function sideOf(place: DatabasePlace, database: Database<AnyTables>): Promise<Side> {
  return {database, looks: await looksOf(place)}
}

/** The shop's tables are made from descriptions, beside the steps. */
async function openTarget(
  place: DatabasePlace,
  {name, migrations}: DatabaseContents,
  now: () => Date,
): Promise<Database<AnyTables>> {
  if (name === 'records') return openDatabase<AnyTables>(place, {name, migrations, now})
  const {openShopStore} = await import('../shop/store/store.js')
  return (await openShopStore(place, now)) as unknown as Database<AnyTables>
}
