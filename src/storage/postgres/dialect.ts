import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import {BorrowedDriver} from '../engine/database.js'
import {
  type BatchStatement,
  createSlots,
  fillSlots,
  isBatchStatement,
  type ParameterType,
  type ReadyStatements,
  type Statement,
} from '../engine/statement.js'
import {explainPostgresError} from './errors.js'
import type {Executor} from './transaction.js'

/** Names of the prepared statements of one database. */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  readonly #ready = new WeakMap<object, CompiledQuery>()

  /** The name of a prepared statement on each connection. Only for a small set of statements. */
  nameStatement(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `storectl_${this.#names.size + 1}`
    this.#names.set(text, name)
    return name
  }

  compileOnce(statement: object, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#ready.get(statement)
    if (known) return known
    const compiled = compile()
    this.#ready.set(statement, compiled)
    return compiled
  }
}

/** Kysely over connections whose opening, closing and transactions are the caller's. */
export class PostgresKysely<Tables> extends Kysely<Tables> implements ReadyStatements<Tables> {
  readonly #executor: Executor
  readonly #prepared: PreparedStatements
  readonly #location: string
  readonly #connection: ExecutorConnection

  constructor(executor: Executor, prepared: PreparedStatements, location: string) {
    const connection = new ExecutorConnection(executor, prepared, location)
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new BorrowedDriver(connection),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new Compiler(),
      },
    })
    this.#executor = executor
    this.#prepared = prepared
    this.#location = location
    this.#connection = connection
  }

  async readReady<Values extends object, Row>(
    statement: Statement<Tables, Values, Row>,
    values: Values,
  ): Promise<Row[]> {
    const {sql: text, parameters} = this.#prepared.compileOnce(statement, () =>
      statement(this, createSlots<Values>()),
    )
    try {
      const query = {text, values: fillSlots(parameters, values), name: this.#prepared.nameStatement(text)}
      return (await this.#executor.query(query)).rows as Row[]
    } catch (error) {
      throw explainPostgresError(error, this.#location)
    }
  }

  async runReady<Values extends object>(
    statement: Statement<Tables, Values, unknown>,
    values: Values,
  ): Promise<void> {
    await this.readReady(statement, values)
  }

  async runBatch(batch: BatchStatement): Promise<void> {
    await this.#connection.executeQuery(batch)
  }
}

/** The form that `parameterTypes` of `BatchStatement` requires. */
const ONE_ROW = /values \(\$1(?:, \$\d+)*\)/

const ARRAYS: Readonly<Record<ParameterType, string>> = {text: 'text[]', integer: 'bigint[]', blob: 'bytea[]'}

class ExecutorConnection implements DatabaseConnection {
  constructor(
    private readonly executor: Executor,
    private readonly prepared: PreparedStatements,
    private readonly location: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const {sql: text, parameters} = query
      if (!isBatchStatement(query)) return createResult(await this.executor.query({text, values: parameters}))
      if (query.parameterTypes && query.parameterLists.length > 1)
        return await this.#insertTogether(query, query.parameterTypes)
      // Pipelined: all are sent before the first response.
      const name = this.prepared.nameStatement(text)
      await Promise.all(query.parameterLists.map(values => this.executor.query({text, values, name})))
      return {rows: []}
    } catch (error) {
      throw explainPostgresError(error, this.location)
    }
  }

  /** Each parameter has the values of one column. */
  async #insertTogether(
    {sql, parameterLists}: BatchStatement,
    kinds: readonly ParameterType[],
  ): Promise<QueryResult<never>> {
    const columns = kinds.map((kind, at) => `$${at + 1}::${ARRAYS[kind]}`)
    const text = sql.replace(ONE_ROW, `select * from unnest(${columns.join(', ')})`)
    const values = kinds.map((_, at) => parameterLists.map(list => list[at]))
    await this.executor.query({text, values, name: this.prepared.nameStatement(text)})
    return {rows: []}
  }

  async *streamQuery<Row>(
    {sql: text, parameters}: CompiledQuery,
    chunkSize = 500,
  ): AsyncIterableIterator<QueryResult<Row>> {
    try {
      for await (const rows of this.executor.stream({text, values: parameters}, chunkSize)) {
        yield {rows: rows as Row[]}
      }
    } catch (error) {
      throw explainPostgresError(error, this.location)
    }
  }
}

function createResult<Row>({rows, changed}: {rows: unknown[]; changed: number}): QueryResult<Row> {
  return {rows: rows as Row[], numAffectedRows: BigInt(changed)}
}

/** Texts compare byte by byte, as in SQLite, whatever the database's collation; integers have 64 bits. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
}

/** Compiles SQL for PostgreSQL, with the types of our migrations. */
class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const own = TYPES[node.dataType]
    if (own === undefined) super.visitDataType(node)
    else this.append(own)
  }
}
