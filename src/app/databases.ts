import {join} from 'node:path'
import type {Context} from '../context.js'
import type {Checked, DatabaseState, Databases, Engine, Migrated} from '../database/database.js'
import {StorectlError, usageError} from '../errors.js'
import {openFileOutput} from '../platform/files/atomic-file.js'
import {behindLinks, sizeIfThere} from '../platform/files/files.js'
import {modeOf} from '../platform/machine-facts.js'
import type {DatabaseContents, DatabasePlace} from '../storage/engine/database.js'
import type {LookedAt} from '../storage/maintenance.js'
import {postgresPlace} from './adapters/locate-database.js'

/** One of the databases: what it holds, and where. */
interface Kind {
  readonly contents: DatabaseContents
  /** Where it lies unless a PostgreSQL is named. */
  readonly file: string
  readonly place: DatabasePlace
}

/** The databases of this home, or those that are shared; each is opened while it is looked at, and not longer. */
export async function openDatabases(context: Context): Promise<Databases> {
  const kinds = await kindsOf(context)
  const kindOf = ({name}: Pick<DatabaseState, 'name'>) =>
    kinds.find(({contents}) => contents.name === name) as Kind
  return {
    state: () => Promise.all(kinds.map(stateOf)),
    check: state => check(kindOf(state)),
    migrate: state => migrate(context, kindOf(state)),
    backup: (file, replaces) =>
      backup(
        file,
        replaces,
        kindOf({name: 'records'}),
        kinds.map(kind => kind.file),
      ),
    copy: async (from, to, told) => {
      const {copyAll} = await import('../database/copy-databases.js')
      const shared = await postgresPlace(context)
      const pairs = kinds.map(({contents, file}) => ({contents, places: {sqlite: file, postgres: shared}}))
      return copyAll(pairs, {from, to} satisfies {from: Engine; to: Engine}, context, told)
    },
  }
}

async function kindsOf(context: Context): Promise<Kind[]> {
  const {RECORDS} = await import('../records/schema/contents.js')
  const {SHOP} = await import('../shop/store/schema/contents.js')
  const {paths} = context
  const shared = await postgresPlace(context)
  const files = [
    {contents: RECORDS, file: paths.recordsDatabase},
    {contents: SHOP, file: join(paths.shopFolder, 'shop.db')},
  ]
  return files.map(kind => ({...kind, place: shared ?? kind.file}))
}

const NOTHING: LookedAt = {
  ...{engine: '', version: null, pending: [], tooNew: [], sizeBytes: 0, freeBytes: 0, brokenIndices: []},
  ...{counts: {}, oldest: null, newest: null},
}

async function stateOf({contents, place}: Kind): Promise<DatabaseState> {
  const {lookAt} = await import('../storage/maintenance.js')
  const file = typeof place === 'string' ? place : null
  const isMissing = file !== null && sizeIfThere(file) === 0
  const {engine, problem, exists, ...looked} = isMissing
    ? {...NOTHING, problem: null, exists: false}
    : await lookAt(place, contents).then(found => ({...found, problem: null, exists: true}), whyNot)
  return {
    ...{name: contents.name, place: typeof place === 'string' ? place : place.location, file, exists},
    ...{engine: engine || null, ...looked},
    sizeBytes: file === null ? looked.sizeBytes : sizeIfThere(file),
    logBytes: file === null ? 0 : sizeIfThere(`${file}-wal`),
    mode: file === null || !exists ? null : modeDigits(file),
    problem,
  }
}

/** The other one is still worth a look. Tables that are not there yet are no problem. */
function whyNot(error: unknown) {
  if (!(error instanceof StorectlError)) throw error
  const isMissing = error.code === 'internal.database_not_opened' && error.cause === undefined
  return {...NOTHING, problem: isMissing ? null : error.message, exists: !isMissing}
}

function modeDigits(file: string): string | null {
  const {mode} = modeOf(file)
  return mode === undefined ? null : mode.toString(8)
}

async function check({place, contents}: Kind): Promise<Checked> {
  if (typeof place === 'string')
    return (await import('../database/backup-file.js')).checkFile(place, contents)
  const {brokenIndices} = await (await import('../storage/maintenance.js')).lookAt(place, contents)
  return brokenIndices.length === 0
    ? {kind: 'ok'}
    : {kind: 'damaged', why: `reindex ${brokenIndices.join(', ')}`}
}

/** Opening a database for writing makes its steps. */
async function migrate(context: Context, kind: Kind): Promise<Migrated> {
  const {exists, pending, problem} = await stateOf(kind)
  if ((!exists && typeof kind.place === 'string') || (exists && problem === null && pending.length === 0)) {
    return {steps: [], tookMs: 0}
  }
  const now = () => context.host.clock.now()
  const begunMs = performance.now()
  if (kind.contents.name === 'shop') await (await shopStore(kind.place, now)).close()
  else await (await recordsStore(kind.place, now)).close()
  const steps = exists ? pending : kind.contents.migrations.map(({name}) => name)
  return {steps, tookMs: Math.round(performance.now() - begunMs)}
}

async function shopStore(place: DatabasePlace, now: () => Date) {
  return (await import('../shop/store/store.js')).openShopStore(place, now)
}

async function recordsStore(place: DatabasePlace, now: () => Date) {
  return (await import('../records/records.js')).openRecords(place, now)
}

async function backup(to: string, replaces: boolean, {place, contents}: Kind, own: readonly string[]) {
  if (typeof place !== 'string') throw noFile(place.location)
  if (sizeIfThere(place) === 0) throw usageError('no_records', `There is no ${place} to copy yet.`)
  if (own.flatMap(withLog).includes(behindLinks(to))) {
    throw usageError('own_file', `${to} is a database in use: a copy belongs elsewhere.`)
  }
  const {copyInto} = await import('../database/backup-file.js')
  const output = await openFileOutput(to, replaces)
  try {
    const {version, counts} = await copyInto(output.temporary, place, contents)
    const sizeBytes = sizeIfThere(output.temporary)
    await output.keep()
    return {file: to, sizeBytes, version, counts}
  } finally {
    await output.close()
  }
}

function noFile(location: string): StorectlError {
  return usageError('not_a_file', `The records lie in ${location}, which has its own way of making copies.`, [
    'pg_dump --format=custom --file=records.dump NAME',
    'storectl database copy --from postgres --to sqlite   (into files, with a home of their own)',
  ])
}

function withLog(file: string): string[] {
  return ['', '-wal', '-shm'].map(end => behindLinks(`${file}${end}`))
}
