import {createHash} from 'node:crypto'
import type {PoolClient} from 'pg'
import {retryWithBackoff} from '../../platform/backoff.js'
import {bindPostgresParameters, type ConnectionPool, type PostgresQuery} from './connection-pool.js'
import {isConnectionLost} from './errors.js'

/** Time limit of one statement, including its wait for locked rows. */
const STATEMENT_MS = 60_000

/** Pauses between queries about the result of a commit. */
const STATUS_PAUSES = {firstMs: 100, longestMs: 100}

/** An open transaction, with the data to query its result afterwards. */
export interface OpenTransaction extends TransactionMark {
  readonly client: PoolClient
}

/**
 * A transaction as identified in the server's log. After a crash, a server reuses the numbers of transactions that were
 * not in its log on disk.
 */
interface TransactionMark {
  readonly xid: string
  /** Position in the log where its first record ends. */
  readonly lsn: string
  /** End of the log at the server's last crash recovery before it; `null` for none. */
  readonly recovered: string | null
}

interface TransactionOptions {
  /** Names of its exclusive locks. */
  readonly exclusive: readonly string[]
  readonly isUnlimited: boolean
  /** How long to wait for locks, milliseconds. */
  readonly lockTimeoutMs: number
}

/**
 * Begins a `read committed` transaction, and takes its locks, always in the same order to avoid deadlocks. Pipelined:
 * it returns once all is sent, so that other statements may follow before the response. Time limits are set for this
 * transaction only, so that a connection may be shared (PgBouncer).
 */
export async function beginTransaction(
  client: PoolClient,
  {exclusive, isUnlimited, lockTimeoutMs}: TransactionOptions,
): Promise<OpenTransaction> {
  const statementMs = isUnlimited ? 0 : STATEMENT_MS
  const first = client.query(
    `begin; set local statement_timeout = ${statementMs}; set local lock_timeout = ${isUnlimited ? 0 : Math.trunc(lockTimeoutMs)}; ${SELECT_MARK}`,
  ) as unknown as Promise<{rows: TransactionMark[]}[]>
  const keys = [...new Set(exclusive)].map(hashLockName).sort()
  const text = 'select pg_advisory_xact_lock($1)'
  const locks = keys.map(key => client.query({text, values: [key]}))
  const [[, , , mark]] = await Promise.all([first, ...locks])
  return {client, ...(mark?.rows[0] as TransactionMark)}
}

/** Writes a record of the transaction to the log; no other transaction of the same number has one at this position. */
const SELECT_MARK = `select pg_current_xact_id()::text as xid,
  pg_logical_emit_message(true, 'storectl', '')::text as lsn, pg_last_wal_replay_lsn()::text as recovered`

/** Advisory locks of PostgreSQL have keys of 64 bits. */
function hashLockName(name: string): string {
  return createHash('sha256').update(`storectl ${name}`).digest().readBigInt64BE(0).toString()
}

/**
 * Commits. If the connection breaks before the response, another connection queries the result.
 *
 * @returns whether it was committed; `false` where the connection broke first, so that nothing was applied
 * @see https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
 */
export async function commitTransaction(
  {client, ...mark}: OpenTransaction,
  pool: ConnectionPool,
): Promise<boolean> {
  try {
    const {command} = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('PostgreSQL rolled the transaction back')
    return true
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return wasCommitted(mark, pool)
  }
}

/**
 * Whether PostgreSQL reports a transaction number as in the future: it recovered from a crash, and nothing of the
 * transaction was in its log.
 */
function isUnknownTransaction(error: unknown): boolean {
  return (error as {code?: unknown} | undefined)?.code === INVALID_PARAMETER
}

const INVALID_PARAMETER = '22023'

/** Whether the server has recovered from a crash since, without the transaction in its log. */
const SELECT_LOST = `select pg_last_wal_replay_lsn() < $1::pg_lsn
  and pg_last_wal_replay_lsn() is distinct from $2::pg_lsn as lost`

async function wasCommitted({xid, lsn, recovered}: TransactionMark, pool: ConnectionPool): Promise<boolean> {
  const readStatus = async (client: PoolClient) => {
    const lost = await client.query({text: SELECT_LOST, values: [lsn, recovered]})
    if (lost.rows[0]?.lost) return 'aborted'
    const text = 'select pg_xact_status($1::xid8) as status'
    const {rows} = await client.query({text, values: [xid]}).catch(error => {
      if (!isUnknownTransaction(error)) throw error
      return {rows: [{status: 'aborted'}]}
    })
    return rows[0]?.status as string | null
  }
  const status = await retryWithBackoff(
    () => pool.retryWhileAway(() => pool.use(readStatus, isConnectionLost)),
    {
      ...STATUS_PAUSES,
      timeoutMs: Number.POSITIVE_INFINITY,
      // The server process has not noticed yet that its client is gone.
      isUnfinished: status => status === 'in progress',
    },
  )
  return status === 'committed'
}

export async function rollBackQuietly(client: PoolClient): Promise<void> {
  // The transaction or the connection is already gone; only the first error matters.
  await client.query('rollback').catch(() => undefined)
}

interface QueryRows {
  readonly rows: unknown[]
  /** Number of changed rows. */
  readonly changed: number
}

/** Runs statements: on one connection inside a transaction, or on any free one. */
export interface Executor {
  query(query: PostgresQuery): Promise<QueryRows>
  /** Rows in chunks, for results that do not fit in memory. */
  stream(query: PostgresQuery, size: number): AsyncGenerator<unknown[], void, void>
}

/** Statements on one connection. */
export class ClientExecutor implements Executor {
  constructor(private readonly client: PoolClient) {}

  async query({text, values, name, arrays}: PostgresQuery): Promise<QueryRows> {
    const {rows, rowCount} = await this.client.query({
      ...{text, values: bindPostgresParameters(values)},
      ...(name !== undefined && {name}),
      ...(arrays && {rowMode: 'array'}),
    })
    return {rows, changed: rowCount ?? 0}
  }

  async *stream(query: PostgresQuery, size: number): AsyncGenerator<unknown[], void, void> {
    const cursor = 'storectl_rows'
    await this.query({...query, text: `declare ${cursor} no scroll cursor for ${query.text}`})
    try {
      for (let isFull = true; isFull; ) {
        const {rows} = await this.query({text: `fetch ${size} from ${cursor}`, values: []})
        yield rows
        isFull = rows.length === size
      }
    } finally {
      await this.query({text: `close ${cursor}`, values: []})
    }
  }
}

/** Reads on any free connection; if it breaks during a read, it is replaced and the read repeated. */
export class PoolExecutor implements Executor {
  constructor(private readonly pool: ConnectionPool) {}

  query(query: PostgresQuery): Promise<QueryRows> {
    return this.pool.retryWhileAway(() =>
      this.pool.use(client => new ClientExecutor(client).query(query), isConnectionLost),
    )
  }

  async *stream(query: PostgresQuery, size: number): AsyncGenerator<unknown[], void, void> {
    const client = await this.pool.acquire()
    let isOver = false
    try {
      await client.query('begin read only')
      yield* new ClientExecutor(client).stream(query, size)
      await client.query('commit')
      isOver = true
    } finally {
      client.release(!isOver)
    }
  }
}
