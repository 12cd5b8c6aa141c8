import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import {storageError} from '../errors.js'
import {isManyTimes, type ManyTimes} from '../many-times.js'
import type {SqliteConnection} from './connection.js'

/** Raw statements that answer with rows; kysely does not say so for SQL that it was handed as text. */
const GIVES_ROWS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i

/** Kysely over one connection that somebody else opened, closes, and begins transactions on. */
export function kyselyOver<Tables>(connection: SqliteConnection, file: string): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnectionDriver(connection, file),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely<Tables>({dialect})
}

class OneConnectionDriver implements Driver {
  readonly #kyselyConnection: DatabaseConnection

  constructor(connection: SqliteConnection, file: string) {
    this.#kyselyConnection = new KyselyConnection(connection, file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#kyselyConnection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('transactions are opened by writes.run, which shares one commit among those who wait')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class KyselyConnection implements DatabaseConnection {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly file: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      if (isManyTimes(query)) return this.#runEach(query)
      if (givesRows(query)) return {rows: this.connection.all(query.sql, query.parameters) as Row[]}
      const {changes, lastInsertRowid} = this.connection.run(query.sql, query.parameters)
      return {numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: []}
    } catch (error) {
      throw storageError(error, this.file)
    }
  }

  #runEach({sql, lists}: ManyTimes): QueryResult<never> {
    this.connection.runEach(sql, lists)
    return {rows: []}
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.connection.iterate(query.sql, query.parameters)) yield {rows: [row as Row]}
  }
}

function givesRows({query, sql}: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  if (query.kind === 'RawNode') return GIVES_ROWS.test(sql)
  return 'returning' in query && query.returning !== undefined
}
