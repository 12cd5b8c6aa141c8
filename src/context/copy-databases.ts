import {dirname} from 'node:path'
import type {Context} from '../context.js'
import type {CopiedTable, Engine} from '../database/database.js'
import {type StorectlError, usageError} from '../errors.js'
import {makePrivateFolder, sizeIfThere} from '../platform/files.js'
import {copyInto, type Side} from '../store/copy.js'
import type {Database} from '../store/database.js'
import {openDatabase} from '../store/open.js'
import type {DatabasePlace} from '../store/place.js'
import {type AnyTables, type Contents, lookAt, looksOf} from '../store/upkeep.js'

/** One of the databases, and where it lies or would lie. */
interface Pair {
  readonly contents: Contents
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
  const there = pairs.filter(({places}) => isThere(places[way.from]))
  if (there.length === 0)
    throw usageError('no_records', 'There is nothing to copy: no file holds records yet.')
  const copied: CopiedTable[] = []
  for (const {contents, places} of there) {
    const [from, to] = [required(places[way.from]), required(places[way.to])]
    await refusePending(from, contents)
    const tell = (table: Omit<CopiedTable, 'database'>) => told({database: contents.name, ...table})
    const tables = await copyOne(from, to, contents, context, tell)
    copied.push(...tables.map(table => ({database: contents.name, ...table})))
  }
  return copied
}

function isThere(place: DatabasePlace | undefined): boolean {
  return typeof place !== 'string' || sizeIfThere(place) > 0
}

function required(place: DatabasePlace | undefined): DatabasePlace {
  if (place !== undefined) return place
  throw usageError('no_postgres', 'No PostgreSQL is named.', [
    'export STORECTL_DATABASE_URL=postgres://USER@HOST:5432/NAME',
  ])
}

/** Rows are taken as they are, so both sides must mean the same by them. */
async function refusePending(from: DatabasePlace, contents: Contents): Promise<void> {
  const {pending} = await lookAt(from, contents)
  if (pending.length > 0) throw outdated(contents.name)
}

function outdated(name: string): StorectlError {
  return usageError('pending_steps', `The ${name} to be copied are of an older storectl.`, [
    'env -u STORECTL_DATABASE_URL storectl database migrate',
  ])
}

async function copyOne(
  from: DatabasePlace,
  to: DatabasePlace,
  contents: Contents,
  context: Context,
  told: Parameters<typeof copyInto>[3],
) {
  const {name, migrations} = contents
  const now = () => context.world.clock.now()
  const source = await openDatabase<AnyTables>(from, {name, migrations, now, readOnly: true})
  try {
    if (typeof to === 'string') makePrivateFolder(dirname(to))
    const target = await openTarget(to, contents, now)
    try {
      return await copyInto(await sideOf(to, target), await sideOf(from, source), contents, told)
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
  {name, migrations}: Contents,
  now: () => Date,
): Promise<Database<AnyTables>> {
  if (name === 'records') return openDatabase<AnyTables>(place, {name, migrations, now})
  return (await (await import('../store/shop/open.js')).openShopStore(place, now)).db as Database<AnyTables>
}
