import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import {BorrowedDriver} from '../engine/database.js'
import {
  type BatchStatement,
  createSlots,
  fillSlots,
  isBatchStatement,
  type ReadyStatements,
  type Statement,
} from '../engine/statement.js'
import {bindSqliteParameters, type SqliteConnection, type SqliteStatement} from './connection.js'
import {explainSqliteError} from './errors.js'

/** Raw statements that return rows; kysely does not know that for SQL given as text. */
const GIVES_ROWS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i

/** Kysely over a connection whose opening, closing and transactions are the caller's. */
export function createSqliteKysely<Tables>(connection: SqliteConnection, file: string): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new BorrowedDriver(new KyselyConnection(connection, file)),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new SqliteKysely<Tables>(dialect, connection, file)
}

/** A prepared statement that waits for its values. */
interface ReadyStatement {
  statement: SqliteStatement
  parameters: readonly unknown[]
}

/** Compiled queries are the same for every database. */
const compiled = new WeakMap<object, Pick<CompiledQuery, 'sql' | 'parameters'>>()

class SqliteKysely<Tables> extends Kysely<Tables> implements ReadyStatements<Tables> {
  readonly #connection: SqliteConnection
  readonly #file: string
  readonly #ready = new WeakMap<Statement<Tables, never, unknown>, ReadyStatement>()

  constructor(dialect: Dialect, connection: SqliteConnection, file: string) {
    super({dialect})
    this.#connection = connection
    this.#file = file
  }

  readReady<Values extends object, Row>(statement: Statement<Tables, Values, Row>, values: Values): Row[] {
    try {
      const ready = this.#prepareStatement(statement)
      return ready.statement.all(...bindSqliteParameters(fillSlots(ready.parameters, values))) as Row[]
    } catch (error) {
      throw explainSqliteError(error, this.#file)
    }
  }

  runReady<Values extends object>(statement: Statement<Tables, Values, unknown>, values: Values): void {
    try {
      const ready = this.#prepareStatement(statement)
      this.#connection.runPrepared(ready.statement, fillSlots(ready.parameters, values))
    } catch (error) {
      throw explainSqliteError(error, this.#file)
    }
  }

  runBatch({sql, parameterLists}: BatchStatement): void {
    try {
      this.#connection.runEach(sql, parameterLists)
    } catch (error) {
      throw explainSqliteError(error, this.#file)
    }
  }

  #prepareStatement<Values extends object>(statement: Statement<Tables, Values, unknown>): ReadyStatement {
    const known = this.#ready.get(statement)
    if (known) return known
    const {sql, parameters} = compiled.get(statement) ?? statement(this, createSlots<Values>())
    compiled.set(statement, {sql, parameters})
    const ready = {statement: this.#connection.prepare(sql), parameters}
    this.#ready.set(statement, ready)
    return ready
  }
}

class KyselyConnection implements DatabaseConnection {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly file: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      if (isBatchStatement(query)) return this.#runEach(query)
      if (hasResultRows(query))
        return {rows: this.connection.readObjects(query.sql, query.parameters) as Row[]}
      const {changes, lastInsertRowid} = this.connection.run(query.sql, query.parameters)
      return {numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: []}
    } catch (error) {
      throw explainSqliteError(error, this.file)
    }
  }

  #runEach({sql, parameterLists}: BatchStatement): QueryResult<never> {
    this.connection.runEach(sql, parameterLists)
    return {rows: []}
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    const rows = this.connection.iterate(query.sql, query.parameters)
    try {
      for (let next = this.#readNext(rows); !next.done; next = this.#readNext(rows))
        yield {rows: [next.value as Row]}
    } finally {
      rows.return()
    }
  }

  #readNext(rows: Iterator<unknown, void, void>): IteratorResult<unknown, void> {
    try {
      return rows.next()
    } catch (error) {
      throw explainSqliteError(error, this.file)
    }
  }
}

function hasResultRows({query, sql}: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  if (query.kind === 'RawNode') return GIVES_ROWS.test(sql)
  return 'returning' in query && query.returning !== undefined
}
