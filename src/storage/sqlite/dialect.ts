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
import {BorrowedDriver} from '../engine/borrowed-driver.js'
import {
  filled,
  isManyTimes,
  type ManyTimes,
  type ReadyStatements,
  type Statement,
  slots,
} from '../engine/statement.js'
import {bindable, type SqliteConnection} from './connection.js'
import type {SqliteStatement} from './driver.js'
import {storageError} from './errors.js'

/** Raw statements that answer with rows; kysely does not say so for SQL that it was handed as text. */
const GIVES_ROWS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i

/** Kysely over one connection that somebody else opened, closes, and begins transactions on. */
export function kyselyOver<Tables>(connection: SqliteConnection, file: string): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new BorrowedDriver(new KyselyConnection(connection, file)),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new SqliteKysely<Tables>(dialect, connection, file)
}

/** A statement as it waits for its values. */
interface Ready {
  statement: SqliteStatement
  parameters: readonly unknown[]
}

class SqliteKysely<Tables> extends Kysely<Tables> implements ReadyStatements<Tables> {
  readonly #connection: SqliteConnection
  readonly #file: string
  readonly #ready = new WeakMap<Statement<Tables, never, unknown>, Ready>()

  constructor(dialect: Dialect, connection: SqliteConnection, file: string) {
    super({dialect})
    this.#connection = connection
    this.#file = file
  }

  rowsOf<Values extends object, Row>(statement: Statement<Tables, Values, Row>, values: Values): Row[] {
    try {
      const ready = this.#readied(statement)
      return ready.statement.all(...bindable(filled(ready.parameters, values))) as Row[]
    } catch (error) {
      throw storageError(error, this.#file)
    }
  }

  runReady<Values extends object>(statement: Statement<Tables, Values, unknown>, values: Values): void {
    try {
      const ready = this.#readied(statement)
      this.#connection.runPrepared(ready.statement, filled(ready.parameters, values))
    } catch (error) {
      throw storageError(error, this.#file)
    }
  }

  #readied<Values extends object>(statement: Statement<Tables, Values, unknown>): Ready {
    const known = this.#ready.get(statement)
    if (known) return known
    const {sql, parameters} = statement(this, slots<Values>())
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
