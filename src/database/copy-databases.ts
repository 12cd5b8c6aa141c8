import {dirname} from 'node:path'
import {serverWorld} from '../app/adapters/local-shop.js'
import {whenThere} from '../app/adapters/records.js'
import type {Context} from '../context.js'
import {type StorectlError, usageError} from '../errors.js'
import {makePrivateFolder, readTextIfThere, sizeIfThere} from '../platform/files/files.js'
import {keepCredentials, readCredentials} from '../shop/credentials.js'
import {copyInto, requireEmpty, type Side} from '../storage/copy-tables.js'
import type {Database, DatabaseContents, DatabasePlace} from '../storage/engine/database.js'
import {type AnyTables, lookAt, looksOf} from '../storage/maintenance.js'
import {openDatabase} from '../storage/storage.js'
import type {CopiedTable, Engine} from './database.js'

/** One of the databases, and where it lies or would lie. */
interface Pair {
  readonly contents: DatabaseContents
  readonly places: Readonly<Record<Engine, DatabasePlace | undefined>>
}

/**
 * Copies each database that is there.
 *
 * @throws StorectlError as `Databases.copy` does
 */
export async function copyAll(
  pairs: readonly Pair[],
  way: {readonly from: Engine; readonly to: Engine},
  context: Context,
  told: (copied: CopiedTable) => Promise<void>,
): Promise<CopiedTable[]> {
  const ways: Way[] = []
  for (const {contents, places} of pairs) {
    const one = {contents, from: required(places[way.from]), to: required(places[way.to])}
    if (await isThere(one)) ways.push(one)
  }
  if (ways.length === 0) throw usageError('no_records', 'There is nothing to copy: nothing is on record yet.')
  for (const one of ways) await opened(one, context, (to, _, contents) => requireEmpty(to, contents))
  const copied: CopiedTable[] = []
  for (const one of ways) {
    const {name: database} = one.contents
    const tell = (table: Omit<CopiedTable, 'database'>) => told({database, ...table})
    const tables = await opened(one, context, (to, from, contents) => copyInto(to, from, contents, tell))
    copied.push(...tables.map(table => ({database, ...table})))
    if (database === 'shop') copyCredentials(context, way)
  }
  return copied
}

/** What signs in at the bundled shop: kept beside it, and hardly more than hashes of it are in the database. */
function copyCredentials(context: Context, {from}: {readonly from: Engine}): void {
  const {paths, shopFolder} = context
  const isShared = from === 'postgres'
  const credentials = readCredentials(isShared ? shopFolder : paths.shopFolder, {readTextIfThere})
  if (!credentials) return
  const target = isShared ? paths.shopFolder : shopFolder
  makePrivateFolder(target)
  keepCredentials(target, credentials, serverWorld(context))
}

/** Rows are taken as they are, so both sides must mean the same by them. */
async function isThere({from, contents}: Way): Promise<boolean> {
  if (typeof from === 'string' && sizeIfThere(from) === 0) return false
  const looked = await lookAt(from, contents).catch(whenThere)
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

interface Way {
  readonly contents: DatabaseContents
  readonly from: DatabasePlace
  readonly to: DatabasePlace
}

async function opened<T>(
  {contents, from, to}: Way,
  context: Context,
  work: (to: Side, from: Side, contents: DatabaseContents) => Promise<T>,
): Promise<T> {
  const {name, migrations} = contents
  const now = () => context.host.clock.now()
  const source = await openDatabase<AnyTables>(from, {name, migrations, now, readOnly: true})
  try {
    if (typeof to === 'string') makePrivateFolder(dirname(to))
    const target = await openTarget(to, contents, now)
    try {
      return await work(await sideOf(to, target), await sideOf(from, source), contents)
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
