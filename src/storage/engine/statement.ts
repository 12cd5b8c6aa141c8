import {CompiledQuery, type Kysely} from 'kysely'
import type {EngineName} from './database.js'

/**
 * A query that is always the same but for its values. It is put together once, with slots in place of the values, and
 * each connection keeps it ready; from then on it costs its values and nothing else. To build and compile a query with each
 * request cost more than SQLite took for the answer.
 *
 * It must be one and the same function every time, say the same for every database of an engine, and do nothing with a
 * value but hand it to the query.
 */
export type Statement<Tables, Values extends object, Row> = (
  db: Kysely<Tables>,
  values: Values,
) => CompiledQuery<Row>

/** What a connection has beside kysely when it keeps statements ready. */
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

/** Makes what all databases of an engine have in common, their statements for example, once for each engine. */
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

/** Stands among a query's parameters for a value that comes later. */
export class Slot {
  /**
   * @param name of the value, or its position
   * @param sample what the value is like where its kind decides what the query says
   * @param toStored the value as the query compares it
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

  /** As part of a key: of what kind the value is. */
  toJSON(): string {
    return `?${typeof this.sample}`
  }
}

/** Slots for whatever values a statement asks for. */
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

/** What a parameter holds. */
export type ParameterType = 'text' | 'integer' | 'blob'

/**
 * One statement that is run once for each of its lists of parameters, one after the other: rows by the thousand go in
 * fastest through a statement that stays ready, and in SQLite a row a statement is no slower than many.
 */
export interface BatchStatement extends CompiledQuery {
  readonly parameterLists: readonly (readonly unknown[])[]
  /**
   * What the parameters hold, of a statement that does nothing with them but insert them as `values ($1, …)`, no row twice:
   * an engine may then take all lists at once.
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
