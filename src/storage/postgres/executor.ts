import type {PoolClient} from 'pg'
import type {ConnectionPool, PostgresQuery} from './connection-pool.js'
import {bindPostgresParameters} from './connection-pool.js'
import {isConnectionLost} from './errors.js'

export interface QueryRows {
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
