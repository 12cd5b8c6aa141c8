import {CompiledQuery, type Kysely} from 'kysely'
import type {EngineName} from './database.js'

/**
 * A query that differs only in its values. It is built once, with slots in place of the values, and each connection
 * keeps it prepared. To build and compile a query for each request cost more than SQLite took to run it.
 *
 * It must be the same function every time, build the same query for every database of an engine, and only pass values
 * to the query.
 */
export type Statement<Tables, Values extends object, Row> = (
  db: Kysely<Tables>,
  values: Values,
) => CompiledQuery<Row>

/** The part of a connection that keeps statements prepared, besides kysely. */
export interface ReadyStatements<Tables> {
  readReady<Values extends object, Row>(
    statement: Statement<Tables, Values, Row>,
    values: Values,
  ): Row[] | Promise<Row[]>
  runReady<Values extends object>(
    statement: Statement<Tables, Values, unknown>,
    values: Values,
  ): void | Promise<void>
  runBatch(batch: BatchStatement): void | Promise<void>
}

/** All rows of a statement. @throws StorectlError as any query */
export async function readAllRows<Tables, Values extends object, Row>(
  db: Kysely<Tables>,
  statement: Statement<Tables, Values, Row>,
  values: Values,
): Promise<Row[]> {
  if (hasReadyStatements(db)) return db.readReady(statement, values)
  return (await db.executeQuery(statement(db, values))).rows
}

/** The first row of a statement; `undefined` where there is none. */
export async function readFirstRow<Tables, Values extends object, Row>(
  db: Kysely<Tables>,
  statement: Statement<Tables, Values, Row>,
  values: Values,
): Promise<Row | undefined> {
  const [row] = await readAllRows(db, statement, values)
  return row
}

/** Runs a statement that gives no rows. */
export async function runStatement<Tables, Values extends object>(
  db: Kysely<Tables>,
  statement: Statement<Tables, Values, unknown>,
  values: Values,
): Promise<void> {
  if (hasReadyStatements(db)) await db.runReady(statement, values)
  else await db.executeQuery(statement(db, values))
}

/** Runs a statement for each of its lists of parameters. */
export async function runBatch<Tables>(db: Kysely<Tables>, batch: BatchStatement): Promise<void> {
  if (hasReadyStatements(db)) await db.runBatch(batch)
  else await db.executeQuery(batch)
}

function hasReadyStatements<Tables>(db: Kysely<Tables>): db is Kysely<Tables> & ReadyStatements<Tables> {
  return 'readReady' in db
}

/** Creates something once for each engine that all its databases share, for example statements. */
export function keepByEngine<From extends {readonly engine: EngineName}, Made>(
  make: (from: From) => Made,
): (from: From) => Made {
  const kept = new Map<EngineName, Made>()
  return from => {
    const made = kept.get(from.engine) ?? make(from)
    kept.set(from.engine, made)
    return made
  }
}

/** A placeholder among a query's parameters for a later value. */
export class Slot {
  /**
   * @param name of the value, or its position
   * @param sample an example, where the value's kind affects the query
   * @param toStored converts the value to the form that the query compares
   */
  constructor(
    readonly name: string | number,
    readonly sample?: unknown,
    readonly toStored: (value: never) => unknown = value => value,
  ) {}

  /** A slot for the same value, which the query compares in another form. */
  convert<Value>(stored: (value: Value) => unknown): Slot {
    return new Slot(this.name, this.sample, stored)
  }

  /** As part of a cache key: the kind of the value. */
  toJSON(): string {
    return `?${typeof this.sample}`
  }
}

/** Slots for all values that a statement uses. */
export function createSlots<Values extends object>(): Values {
  return new Proxy({}, {get: (_, name) => new Slot(String(name))}) as Values
}

/** The parameters of a statement with the values in their slots. */
export function fillSlots(parameters: readonly unknown[], values: object): unknown[] {
  const all: unknown[] = []
  for (const one of parameters) {
    all.push(one instanceof Slot ? one.toStored((values as Record<string, never>)[one.name] as never) : one)
  }
  return all
}

/** The type of a batch's parameter. */
export type ParameterType = 'text' | 'integer' | 'blob'

/**
 * One statement that is run once for each of its lists of parameters, one after the other: for thousands of rows a
 * prepared statement is fastest, and in SQLite one row per statement is as fast as many.
 */
export interface BatchStatement extends CompiledQuery {
  readonly parameterLists: readonly (readonly unknown[])[]
  /**
   * Parameter types of a plain insert of `values ($1, …)` without duplicate rows: an engine may then insert all lists
   * at once.
   */
  readonly parameterTypes: readonly ParameterType[] | undefined
}

/** @param sql gives no rows */
export function createBatchStatement(
  sql: string,
  lists: BatchStatement['parameterLists'],
  kinds?: readonly ParameterType[],
): BatchStatement {
  return {...CompiledQuery.raw(sql), parameterLists: lists, parameterTypes: kinds}
}

export function isBatchStatement(query: CompiledQuery): query is BatchStatement {
  return 'parameterLists' in query
}
