import {type CompiledQuery, type Kysely, sql} from 'kysely'
import type {PoolClient} from 'pg'
import {StorectlError} from '../../errors.js'
import type {Database, OpenOptions, PostgresLocation, WriteQueue} from '../engine/database.js'
import {LruCache} from '../engine/lru-cache.js'
import {
  type ExpectedSchema,
  migrate,
  needsMigration,
  readSchemaState,
  refuseUnusable,
} from '../engine/migrations.js'
import {fillSlots, readFirstRow} from '../engine/statement.js'
import {ConnectionPool} from './connection-pool.js'
import {PostgresKysely, PreparedStatements} from './dialect.js'
import {explainPostgresError, isConnectionLost} from './errors.js'
import {postgresInspector} from './maintenance.js'
import {ClientExecutor, type Executor, PoolExecutor, rollBackQuietly} from './transaction.js'
import {createPostgresWriteQueue} from './write-queue.js'

const LOCK_TIMEOUT_MS = 10_000

/** A program repeats few queries; a person adds some more. */
const CACHED_QUERIES = 200

const NOW_MS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

const compileNow = <Tables>(db: Kysely<Tables>) =>
  sql<{now_ms: number}>`select ${NOW_MS} as now_ms`.compile(db)

const readNowMs = async <Tables>(db: Kysely<Tables>) =>
  (await readFirstRow(db, compileNow<Tables>, {}))?.now_ms as number

/** Locks rows, because others write at the same time; uses the database's clock, because machines' clocks differ. */
const LOCKS_AND_CLOCK = {
  engine: 'postgres',
  rowLocks: {forShare: sql`for share`, forUpdate: sql`for update`, skipLocked: sql`for update skip locked`},
  ...{selectNowMs: () => NOW_MS, readNowMs},
  ...{selectLeaseMs: () => NOW_MS, readLeaseMs: readNowMs},
} as const

/**
 * Opens a table set in a PostgreSQL database, 14 or newer, and migrates it.
 *
 * No setting of a connection outlasts a transaction, so that PgBouncer may share it.
 *
 * @throws StorectlError as `explainPostgresError` lists them, `usage.database_too_new`, and
 * `internal.database_not_opened` for `readOnly` without such tables
 */
export async function openPostgres<Tables>(
  target: PostgresLocation,
  options: OpenOptions,
): Promise<Database<Tables>> {
  const pool = await ConnectionPool.open(target)
  const {label: location} = target
  const opening: Opening = {pool, location, statements: new PreparedStatements()}
  const executor = new PoolExecutor(pool)
  const reads = createKysely<Tables>(executor, opening)
  try {
    const writes = options.readOnly
      ? await refuseWrites(reads, location, options)
      : await openWriter(reads, opening, options)
    return {
      ...LOCKS_AND_CLOCK,
      ...{location, reads, writes},
      ...createReaders(executor, location),
      readSnapshot: read => pool.use(client => readSnapshot(client, opening, read), isConnectionLost),
      erase: async () => {
        await writes.waitUntilIdle()
        // Once no reader sees deleted rows, this frees their space for new ones.
        const tables = (await postgresInspector.listTables(reads)).map(name => `"${name}"`)
        await executor.query({text: `vacuum ${tables.join(', ')}`, values: []})
        return {kind: 'erased'}
      },
      close: async () => {
        await writes.waitUntilIdle()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw explainPostgresError(error, location)
  }
}

interface Opening {
  readonly pool: ConnectionPool
  readonly statements: PreparedStatements
  /** For messages. */
  readonly location: string
}

function createKysely<Tables>(
  executor: Executor,
  {statements, location}: Pick<Opening, 'statements' | 'location'>,
): PostgresKysely<Tables> {
  return new PostgresKysely<Tables>(executor, statements, location)
}

/** Every statement sees what was committed when the first one ran. */
async function readSnapshot<Tables, T>(
  client: PoolClient,
  opening: Opening,
  read: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  await client.query('begin isolation level repeatable read read only')
  try {
    return await read(createKysely<Tables>(new ClientExecutor(client), opening))
  } finally {
    await rollBackQuietly(client)
  }
}

async function openWriter<Tables>(
  reads: Kysely<Tables>,
  opening: Opening,
  options: OpenOptions,
): Promise<WriteQueue<Tables>> {
  const {pool, location} = opening
  const known = new WeakMap<PoolClient, Kysely<Tables>>()
  const getKysely = (client: PoolClient) => {
    const found = known.get(client)
    if (found) return found
    const created = createKysely<Tables>(new ClientExecutor(client), opening)
    known.set(client, created)
    return created
  }
  const writes = createPostgresWriteQueue<Tables>({
    ...{pool, getKysely},
    explain: error => explainPostgresError(error, location),
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  })
  const expected = buildExpectedSchema(location, options)
  if (await needsMigration(reads, expected)) {
    await writes.run(transaction => migrate(transaction, expected, options.now()), {
      exclusive: 'schema',
      isUnlimited: true,
    })
  }
  return writes
}

function buildExpectedSchema(location: string, {migrations, name = 'records'}: OpenOptions): ExpectedSchema {
  return {migrations, versionTable: postgresInspector.nameVersionTable(name), location}
}

async function refuseWrites<Tables>(
  reads: Kysely<Tables>,
  location: string,
  options: OpenOptions,
): Promise<WriteQueue<Tables>> {
  const expected = buildExpectedSchema(location, options)
  const {rows} = await sql<{found: unknown}>`
    select to_regclass(${expected.versionTable}) as found`.execute(reads)
  if (rows[0]?.found === null) {
    const {name = 'records'} = options
    throw new StorectlError('internal.database_not_opened', `${location} has no ${name} yet.`)
  }
  if (expected.migrations.length > 0) refuseUnusable(await readSchemaState(reads, expected), expected)
  const error = new StorectlError('internal.database_read_only', `${location} is open for reading only.`)
  return {run: () => Promise.reject(error), waitUntilIdle: async () => {}}
}

function createReaders(
  executor: PoolExecutor,
  location: string,
): Pick<Database<unknown>, 'readRows' | 'readCached'> {
  const queries = new LruCache<CompiledQuery>(CACHED_QUERIES)
  const readRows = async ({sql: text, parameters}: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    try {
      return (await executor.query({text, values: parameters, arrays: true})).rows as unknown[][]
    } catch (error) {
      throw explainPostgresError(error, location)
    }
  }
  return {
    readRows,
    readCached: (fingerprint, compile, values) => {
      const {sql: text, parameters} = queries.getOrCreate(fingerprint, compile)
      return readRows({sql: text, parameters: fillSlots(parameters, values)})
    },
  }
}
