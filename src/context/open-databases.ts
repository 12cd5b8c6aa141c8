import {join} from 'node:path'
import type {Context} from '../context.js'
import type {DatabaseState, Databases} from '../database/database.js'
import {StorectlError, usageError} from '../errors.js'
import {openFileOutput} from '../platform/file-output.js'
import {behindLinks, sizeIfThere} from '../platform/files.js'
import {modeOf} from '../platform/looks.js'
import type {Migration} from '../store/migrations.js'
import type {Counted, FileState} from '../store/upkeep.js'

const RECORDS: Counted = {
  events: 'webhook_event',
  runs: 'run',
  runRecords: 'run_record',
  ledger: 'ledger',
}
const SHOP: Counted = {
  customers: 'customer',
  orders: 'order',
  deliveries: 'webhook_delivery',
  fulfillmentOrders: 'fulfillment_order',
}

interface Kind {
  readonly name: DatabaseState['name']
  readonly file: string
  readonly counted: Counted
  readonly migrations: readonly Migration[]
}

/** The databases of this home; each is opened while it is looked at, and not longer. */
export async function openDatabases(context: Context): Promise<Databases> {
  const {recordsMigrations} = await import('../store/records/migrations/index.js')
  const {shopMigrations} = await import('../store/shop/migrations/index.js')
  const {paths} = context
  const records: Kind = {
    ...{name: 'records', file: paths.recordsDatabase},
    ...{counted: RECORDS, migrations: recordsMigrations},
  }
  const shop: Kind = {
    ...{name: 'shop', file: join(paths.shopFolder, 'shop.db')},
    ...{counted: SHOP, migrations: shopMigrations},
  }
  const kindOf = ({name}: Pick<DatabaseState, 'name'>) => (name === 'shop' ? shop : records)
  return {
    state: () => Promise.all([records, shop].map(stateOf)),
    check: async state => (await import('../store/upkeep.js')).checkFile(kindOf(state).file),
    migrate: state => migrate(context, kindOf(state)),
    backup: (file, replaces) => backup(file, replaces, records, [records.file, shop.file]),
  }
}

const NOTHING: FileState = {version: null, pending: [], tooNew: [], freeBytes: 0, counts: {}}

async function stateOf(kind: Kind): Promise<DatabaseState> {
  const {name, file} = kind
  const sizeBytes = sizeIfThere(file)
  const exists = sizeBytes > 0
  const {lookAt} = await import('../store/upkeep.js')
  return {
    ...{name, file, exists, sizeBytes},
    logBytes: sizeIfThere(`${file}-wal`),
    mode: exists ? modeDigits(file) : null,
    ...(exists ? await lookAt(kind).then(withoutProblem, withProblem) : withoutProblem(NOTHING)),
  }
}

function withoutProblem(state: FileState) {
  return {...state, problem: null}
}

/** The other file is still worth a look. */
function withProblem(error: unknown) {
  if (error instanceof StorectlError) return {...NOTHING, problem: error.message}
  throw error
}

function modeDigits(file: string): string | null {
  const {mode} = modeOf(file)
  return mode === undefined ? null : mode.toString(8)
}

/** Opening a database for writing makes its steps. */
async function migrate(context: Context, kind: Kind): Promise<readonly string[]> {
  const {exists, pending, problem} = await stateOf(kind)
  if (!exists || (problem === null && pending.length === 0)) return []
  const now = () => context.world.clock.now()
  if (kind.name === 'shop') await (await shopStore(kind.file, now)).close()
  else await (await recordsStore(kind.file, now)).close()
  return pending
}

async function shopStore(file: string, now: () => Date) {
  return (await (await import('../store/shop/open.js')).openShopStore(file, now)).db
}

async function recordsStore(file: string, now: () => Date) {
  return (await import('../store/records/open.js')).openRecords(file, now)
}

async function backup(to: string, replaces: boolean, kind: Kind, own: readonly string[]) {
  if (sizeIfThere(kind.file) === 0) throw usageError('no_records', `There is no ${kind.file} to copy yet.`)
  if (own.flatMap(withLog).includes(behindLinks(to))) {
    throw usageError('own_file', `${to} is a database in use: a copy belongs elsewhere.`)
  }
  const {copyInto} = await import('../store/upkeep.js')
  const output = await openFileOutput(to, replaces)
  try {
    const {version, counts} = await copyInto(output.temporary, kind)
    const sizeBytes = sizeIfThere(output.temporary)
    await output.keep()
    return {file: to, sizeBytes, version, counts}
  } finally {
    await output.close()
  }
}

function withLog(file: string): string[] {
  return ['', '-wal', '-shm'].map(end => behindLinks(`${file}${end}`))
}
