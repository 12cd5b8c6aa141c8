import {type CompiledQuery, type Kysely, sql} from 'kysely'
import type {PoolClient} from 'pg'
import {StorectlError} from '../../errors.js'
import type {Database, OpenOptions, PostgresPlace, WriteQueue} from '../engine/database.js'
import {Recent} from '../engine/lru-cache.js'
import {
  type ExpectedSchema,
  migrate,
  needsMigration,
  readSchemaState,
  refuseUnusable,
} from '../engine/migrations.js'
import {filled, firstRow} from '../engine/statement.js'
import {Connections} from './connection-pool.js'
import {PostgresKysely, Prepared} from './dialect.js'
import {isLost, storageError} from './errors.js'
import {AnyClient, OneClient} from './executor.js'
import {postgresLooks} from './maintenance.js'
import {rollBackQuietly} from './transaction.js'
import {createWriteQueue} from './write-queue.js'

const LOCK_TIMEOUT_MS = 10_000

/** A program asks in a few ways, over and over; a person in some more. */
const KEPT_SHAPES = 200

const NOW_MS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

const now = <Tables>(db: Kysely<Tables>) => sql<{now_ms: number}>`select ${NOW_MS} as now_ms`.compile(db)

/** Rows are locked here, for others write meanwhile; and the time is the database's, for machines disagree. */
const OWN_WAYS = {
  engine: 'postgres',
  locks: {forShare: sql`for share`, forUpdate: sql`for update`, skipLocked: sql`for update skip locked`},
  nowMs: () => NOW_MS,
  readNowMs: async <Tables>(db: Kysely<Tables>) => (await firstRow(db, now<Tables>, {}))?.now_ms as number,
} as const

/**
 * Opens the tables of one name in a PostgreSQL database, 14 or newer, and brings them up to date.
 *
 * Nothing is set on a connection for longer than one transaction, so that PgBouncer may lend it to others in between.
 *
 * @throws StorectlError as `storageError` of this folder lists them, `usage.database_too_new`, and
 * `internal.database_not_opened` where it is only to be read and has no such tables
 */
export async function openPostgres<Tables>(
  place: PostgresPlace,
  options: OpenOptions,
): Promise<Database<Tables>> {
  const connections = await Connections.to(place)
  const prepared = new Prepared()
  const {location} = place
  const any = new AnyClient(connections)
  const reads = new PostgresKysely<Tables>(any, prepared, location)
  const explain = (error: unknown) => storageError(error, location)
  try {
    const writes = options.readOnly
      ? await readOnly<Tables>(reads, place, options)
      : await openWriter<Tables>(reads, connections, {prepared, place, explain}, options)
    return {
      ...OWN_WAYS,
      ...{location, reads, writes},
      snapshot: look => connections.lend(client => atOneMoment(client, {prepared, place}, look), isLost),
      ...readers(any, explain),
      erase: async () => {
        await writes.idle()
        // Gone for every reader already; this makes its room free for what comes.
        const tables = (await postgresLooks.tables(reads)).map(name => `"${name}"`)
        await any.query({text: `vacuum ${tables.join(', ')}`, values: []})
        return {kind: 'erased'}
      },
      close: async () => {
        await writes.idle()
        await connections.end()
      },
    }
  } catch (error) {
    await connections.end()
    throw explain(error)
  }
}

/** Everything that is read sees what had been committed when the first of it was. */
async function atOneMoment<Tables, T>(
  client: PoolClient,
  {prepared, place}: Pick<Telling, 'prepared' | 'place'>,
  look: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  await client.query('begin isolation level repeatable read read only')
  try {
    return await look(new PostgresKysely<Tables>(new OneClient(client), prepared, place.location))
  } finally {
    await rollBackQuietly(client)
  }
}

interface Telling {
  readonly prepared: Prepared
  readonly place: PostgresPlace
  explain(error: unknown): unknown
}

async function openWriter<Tables>(
  reads: Kysely<Tables>,
  connections: Connections,
  {prepared, place, explain}: Telling,
  {migrations, now, name = 'records', lockTimeoutMs = LOCK_TIMEOUT_MS}: OpenOptions,
): Promise<WriteQueue<Tables>> {
  const known = new WeakMap<PoolClient, Kysely<Tables>>()
  const over = (client: PoolClient) => {
    const there = known.get(client)
    if (there) return there
    const made = new PostgresKysely<Tables>(new OneClient(client), prepared, place.location)
    known.set(client, made)
    return made
  }
  const writes = createWriteQueue<Tables>({connections, over, explain, lockTimeoutMs})
  const expected = expectedSchema(place, {migrations, name})
  if (await needsMigration(reads, expected)) {
    await writes.run(transaction => migrate(transaction, expected, now()), {alone: 'schema', unhurried: true})
  }
  return writes
}

function expectedSchema(
  {location}: PostgresPlace,
  {migrations, name}: Required<Pick<OpenOptions, 'migrations' | 'name'>>,
): ExpectedSchema {
  return {migrations, versionTable: postgresLooks.versionTable(name), location}
}

async function readOnly<Tables>(
  reads: Kysely<Tables>,
  place: PostgresPlace,
  {name = 'records', migrations}: OpenOptions,
): Promise<WriteQueue<Tables>> {
  const expected = expectedSchema(place, {migrations, name})
  const {rows} = await sql<{there: unknown}>`
    select to_regclass(${expected.versionTable}) as there`.execute(reads)
  if (rows[0]?.there === null) {
    throw new StorectlError('internal.database_not_opened', `${place.location} has no ${name} yet.`)
  }
  if (migrations.length > 0) refuseUnusable(await readSchemaState(reads, expected), expected)
  return {
    run: () =>
      Promise.reject(new StorectlError('internal.database_read_only', `${place.location} is only read.`)),
    idle: async () => {},
  }
}

function readers(
  any: AnyClient,
  explain: (error: unknown) => unknown,
): Pick<Database<unknown>, 'readRows' | 'readShaped'> {
  const shapes = new Recent<CompiledQuery>(KEPT_SHAPES)
  const readRows = async ({sql: text, parameters}: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    try {
      return (await any.query({text, values: parameters, arrays: true})).rows as unknown[][]
    } catch (error) {
      throw explain(error)
    }
  }
  return {
    readRows,
    readShaped: (shape, compile, values) => {
      const {sql: text, parameters} = shapes.of(shape, compile)
      return readRows({sql: text, parameters: filled(parameters, values)})
    },
  }
}
