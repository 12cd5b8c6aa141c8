import {createHash} from 'node:crypto'
import type {PoolClient} from 'pg'
import {retryWithBackoff} from '../../platform/backoff.js'
import {bindPostgresParameters, type ConnectionPool, type PostgresQuery} from './connection-pool.js'
import {isConnectionLost} from './errors.js'

/** One statement may take so long, and wait so long for a row that another holds. */
const STATEMENT_MS = 60_000

/** How often it is asked what became of a commit. */
const STATUS_PAUSES = {firstMs: 100, longestMs: 100}

/** A transaction that has been begun, with what its end can be asked for by afterwards. */
export interface OpenTransaction extends TransactionMark {
  readonly client: PoolClient
}

/**
 * A transaction as the server's log names it. A server that crashes forgets what had not come to its log on disk, and
 * gives the numbers of those transactions to others.
 */
interface TransactionMark {
  readonly xid: string
  /** Where in the log its first record ends. */
  readonly lsn: string
  /** How far the log went at the server's last recovery from a crash before it; `null` for none. */
  readonly recovered: string | null
}

interface TransactionOptions {
  /** Names that nobody else may hold meanwhile. */
  readonly exclusive: readonly string[]
  readonly isUnlimited: boolean
  /** How long to wait for what another holds, milliseconds. */
  readonly lockTimeoutMs: number
}

/**
 * Begins a transaction, in which every statement sees what was committed before it, and takes its names, always in the
 * same order, so that nobody waits for another in a circle. All of that is on its way when this returns, so that other
 * statements may follow before it is answered. Time limits hold for this transaction exclusive, so that a
 * connection may be shared with others (PgBouncer).
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

/** Puts a record of the transaction into the log, which no other one of its number has at that position. */
const SELECT_MARK = `select pg_current_xact_id()::text as xid,
  pg_logical_emit_message(true, 'storectl', '')::text as lsn, pg_last_wal_replay_lsn()::text as recovered`

/** Names take the place that PostgreSQL has for locks without a table: 64 bits. */
function hashLockName(name: string): string {
  return createHash('sha256').update(`storectl ${name}`).digest().readBigInt64BE(0).toString()
}

/**
 * Commits. Where the connection breaks before the answer, the database itself is asked, over another one, what became of
 * it.
 *
 * @returns whether it was committed; `false` where the connection broke first, so that nothing of it was kept
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
 * Whether PostgreSQL says that the number of a transaction is one of the future: it recovered from a crash, and nothing of
 * the transaction had come to its log.
 */
function isUnknownTransaction(error: unknown): boolean {
  return (error as {code?: unknown} | undefined)?.code === INVALID_PARAMETER
}

const INVALID_PARAMETER = '22023'

/** Whether the server recovered from a crash since, and the transaction had not come to its log by then. */
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
      // The process at the other end has not noticed yet that nobody is there any more.
      isUnfinished: status => status === 'in progress',
    },
  )
  return status === 'committed'
}

export async function rollBackQuietly(client: PoolClient): Promise<void> {
  // The transaction is gone already, or the connection; the first error is the one that matters.
  await client.query('rollback').catch(() => undefined)
}

interface QueryRows {
  readonly rows: unknown[]
  /** Rows that it changed, where it changes any. */
  readonly changed: number
}

/** What statements run on: one connection inside a transaction, or any that is free. */
export interface Executor {
  query(query: PostgresQuery): Promise<QueryRows>
  /** Rows in pieces, for results that do not fit in memory. */
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

/** Reads on whichever connection is free; one that breaks under a read is replaced, and the read done again. */
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
