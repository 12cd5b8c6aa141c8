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
import {BorrowedDriver} from '../engine/borrowed-driver.js'
import {
  filled,
  isManyTimes,
  type Kind,
  type ManyTimes,
  type ReadyStatements,
  type Statement,
  slots,
} from '../engine/statement.js'
import {storageError} from './errors.js'
import type {Executor} from './executor.js'

/** What the connections to one database know of its statements. */
export class Prepared {
  readonly #names = new Map<string, string>()
  readonly #ready = new WeakMap<object, CompiledQuery>()

  /** The name under which each connection keeps a statement. Only for texts of which there are few. */
  nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `storectl_${this.#names.size + 1}`
    this.#names.set(text, name)
    return name
  }

  compiled(statement: object, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#ready.get(statement)
    if (known) return known
    const compiled = compile()
    this.#ready.set(statement, compiled)
    return compiled
  }
}

/** Kysely over connections that somebody else opens and closes, and begins transactions on. */
export class PostgresKysely<Tables> extends Kysely<Tables> implements ReadyStatements<Tables> {
  readonly #executor: Executor
  readonly #prepared: Prepared
  readonly #location: string

  constructor(executor: Executor, prepared: Prepared, location: string) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new BorrowedDriver(new ExecutorConnection(executor, prepared, location)),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new Compiler(),
      },
    })
    this.#executor = executor
    this.#prepared = prepared
    this.#location = location
  }

  async rowsOf<Values extends object, Row>(
    statement: Statement<Tables, Values, Row>,
    values: Values,
  ): Promise<Row[]> {
    const {sql: text, parameters} = this.#prepared.compiled(statement, () => statement(this, slots<Values>()))
    try {
      const asked = {text, values: filled(parameters, values), name: this.#prepared.nameOf(text)}
      return (await this.#executor.query(asked)).rows as Row[]
    } catch (error) {
      throw storageError(error, this.#location)
    }
  }

  async runReady<Values extends object>(
    statement: Statement<Tables, Values, unknown>,
    values: Values,
  ): Promise<void> {
    await this.rowsOf(statement, values)
  }
}

/** As `ManyTimes` promises it of its statements. */
const ONE_ROW = /values \(\$1(?:, \$\d+)*\)/

const ARRAYS: Readonly<Record<Kind, string>> = {text: 'text[]', integer: 'bigint[]', blob: 'bytea[]'}

class ExecutorConnection implements DatabaseConnection {
  constructor(
    private readonly executor: Executor,
    private readonly prepared: Prepared,
    private readonly location: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const {sql: text, parameters} = query
      if (!isManyTimes(query)) return result(await this.executor.query({text, values: parameters}))
      if (query.kinds && query.lists.length > 1) return await this.#insertTogether(query, query.kinds)
      // All of them are on their way before the first is answered.
      const name = this.prepared.nameOf(text)
      await Promise.all(query.lists.map(values => this.executor.query({text, values, name})))
      return {rows: []}
    } catch (error) {
      throw storageError(error, this.location)
    }
  }

  /** Each parameter holds the values of one column. */
  async #insertTogether({sql, lists}: ManyTimes, kinds: readonly Kind[]): Promise<QueryResult<never>> {
    const columns = kinds.map((kind, at) => `$${at + 1}::${ARRAYS[kind]}`)
    const text = sql.replace(ONE_ROW, `select * from unnest(${columns.join(', ')})`)
    const values = kinds.map((_, at) => lists.map(list => list[at]))
    await this.executor.query({text, values, name: this.prepared.nameOf(text)})
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
      throw storageError(error, this.location)
    }
  }
}

function result<Row>({rows, changed}: {rows: unknown[]; changed: number}): QueryResult<Row> {
  return {rows: rows as Row[], numAffectedRows: BigInt(changed)}
}

/**
 * Texts compare byte by byte, as in SQLite and whatever the database's own language; whole numbers hold 64 bits.
 */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
}

/** The SQL of PostgreSQL, with types as our migrations mean them. */
class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const own = TYPES[node.dataType]
    if (own === undefined) super.visitDataType(node)
    else this.append(own)
  }
}
