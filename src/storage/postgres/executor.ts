import type {PoolClient} from 'pg'
import type {Asked, Connections} from './connection-pool.js'
import {bindable} from './connection-pool.js'
import {isLost} from './errors.js'

export interface Answered {
  readonly rows: unknown[]
  /** Rows that it changed, where it changes any. */
  readonly changed: number
}

/** What statements run on: one connection inside a transaction, or any that is free. */
export interface Executor {
  query(asked: Asked): Promise<Answered>
  /** Rows in pieces, for results that do not fit in memory. */
  stream(asked: Asked, size: number): AsyncGenerator<unknown[], void, void>
}

/** Statements on one connection. */
export class OneClient implements Executor {
  constructor(private readonly client: PoolClient) {}

  async query({text, values, name, arrays}: Asked): Promise<Answered> {
    const {rows, rowCount} = await this.client.query({
      ...{text, values: bindable(values)},
      ...(name !== undefined && {name}),
      ...(arrays && {rowMode: 'array'}),
    })
    return {rows, changed: rowCount ?? 0}
  }

  async *stream(asked: Asked, size: number): AsyncGenerator<unknown[], void, void> {
    const cursor = 'storectl_rows'
    await this.query({...asked, text: `declare ${cursor} no scroll cursor for ${asked.text}`})
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
export class AnyClient implements Executor {
  constructor(private readonly connections: Connections) {}

  query(asked: Asked): Promise<Answered> {
    return this.connections.patiently(() =>
      this.connections.lend(client => new OneClient(client).query(asked), isLost),
    )
  }

  async *stream(asked: Asked, size: number): AsyncGenerator<unknown[], void, void> {
    const client = await this.connections.borrow()
    let isOver = false
    try {
      await client.query('begin read only')
      yield* new OneClient(client).stream(asked, size)
      await client.query('commit')
      isOver = true
    } finally {
      client.release(!isOver)
    }
  }
}
