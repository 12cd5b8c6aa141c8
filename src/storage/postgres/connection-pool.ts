import type {CustomTypesConfig, Pool, PoolClient, PoolConfig} from 'pg'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {PostgresLocation} from '../engine/database.js'
import {DatabaseAwayError, isTemporarilyAway} from './errors.js'

/** Connections of one process to one database: few, because PostgreSQL has a process for each of them. */
const MAX_CONNECTIONS = 8

/** Time in which a connection must be established. */
const CONNECT_TIMEOUT_MS = 10_000

/** How long a database that was available before may be unavailable: during a restart, or a failover. */
const RECONNECT_TIMEOUT_MS = 60_000

/** How long it may be unavailable at first: with a mistyped name, people want to know soon. */
const FIRST_CONNECT_TIMEOUT_MS = 3_000

const RECONNECT_PAUSES = {firstMs: 50, longestMs: 2_000}

/** One statement with its values. */
export interface PostgresQuery {
  readonly text: string
  readonly values: readonly unknown[]
  /** Name of the prepared statement. */
  readonly name?: string | undefined
  /** Rows as arrays in the order of the columns. */
  readonly arrays?: boolean
}

/** The connections to one PostgreSQL database, replaced when they break. */
export class ConnectionPool {
  readonly #pool: Pool
  #hasConnected = false

  private constructor(pool: Pool) {
    this.#pool = pool
    // A broken idle connection does not matter: the next one is opened when needed. One in use reports its own error.
    pool.on('error', () => undefined)
    pool.on('connect', client => client.on('error', () => undefined))
  }

  static async open(location: PostgresLocation): Promise<ConnectionPool> {
    const {default: pg} = await import('pg')
    return new ConnectionPool(new pg.Pool(createPoolConfig(location)))
  }

  /**
   * Lends a connection. A broken one is not used again.
   *
   * @param isBroken whether an error means a broken connection
   */
  async use<T>(work: (client: PoolClient) => Promise<T>, isBroken: (error: unknown) => boolean): Promise<T> {
    const client = await this.acquire()
    try {
      const done = await work(client)
      client.release()
      return done
    } catch (error) {
      client.release(isBroken(error))
      throw error
    }
  }

  /** A connection, to be released by the caller; waits while the database is unavailable. */
  async acquire(): Promise<PoolClient> {
    const client = await this.retryWhileAway(() => this.#pool.connect())
    this.#hasConnected = true
    return client
  }

  /**
   * Retries, with pauses, while the database may become available again.
   *
   * @throws StayedAway when it does not; any other error of `work`
   */
  async retryWhileAway<T>(work: () => Promise<T>): Promise<T> {
    const timeoutMs = this.#hasConnected ? RECONNECT_TIMEOUT_MS : FIRST_CONNECT_TIMEOUT_MS
    const options = {...RECONNECT_PAUSES, timeoutMs, isPassing: isTemporarilyAway}
    return retryWithBackoff(work, options).catch(error => {
      throw isTemporarilyAway(error) ? new DatabaseAwayError('no connection', {cause: error}) : error
    })
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

function createPoolConfig({host, port, database, user, password, tls}: PostgresLocation): PoolConfig {
  return {
    ...{host, port, database, user, ssl: tls, types: VALUE_PARSERS},
    ...(password !== undefined && {password}),
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'storectl',
    pipeline: true,
  } as PoolConfig
}

/** Type numbers of PostgreSQL. @see https://www.postgresql.org/docs/current/catalog-pg-type.html */
const BOOL = 16
const BYTEA = 17
const NUMBERS = [20, 21, 23, 26, 700, 701, 1700]

/**
 * Values as SQLite gives them: integers and other numbers as numbers (our counts and times are far below 2^53),
 * booleans as 1 and 0, bytes unchanged, everything else as text.
 */
const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: ((oid: number) => {
    if (NUMBERS.includes(oid)) return Number
    if (oid === BOOL) return (text: string) => (text === 't' ? 1 : 0)
    return oid === BYTEA ? parseBytes : keepText
  }) as CustomTypesConfig['getTypeParser'],
}

const keepText = (text: string) => text

function parseBytes(text: string): Uint8Array {
  return Buffer.from(text.slice('\\x'.length), 'hex')
}

/** Parameters for PostgreSQL, where booleans are numbers. */
export function bindPostgresParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map(value => {
    if (value === undefined) return null
    if (typeof value === 'boolean') return Number(value)
    return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
  })
}
