import type {Records} from '../../src/records/index.js'
import {createRecords} from '../../src/records/records.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {LocalProcess} from '../../src/runs/workers/liveness.js'
import {loadSqlite, SqliteConnection, type SqliteStatement} from '../../src/storage/sqlite/connection.js'
import {openDatabaseFiles} from '../../src/storage/sqlite/sqlite.js'
import type {Disk, DiskFaults} from './disk.js'
import type {Scheduler, SimulatedProcess} from './scheduler.js'

type Handle = ConstructorParameters<typeof SqliteConnection>[0] extends new (
  ...given: never[]
) => infer One
  ? One
  : never

/** What a statement of a killed process throws: nothing of it happens any more. */
export class Killed extends Error {}

/**
 * A database file of the simulated machine: one SQLite in memory that all processes share.
 *
 * Nothing of a seed is ever committed. Each commit of a program is a savepoint that stays open until a sync has made it
 * durable, so that a power cut takes back what was not, at the cost of a `rollback to`.
 */
export class SimulatedDisk implements Disk {
  readonly #handle: Handle
  readonly #statements = new Map<string, SqliteStatement>()
  /** Commits that no sync has made durable, the oldest first. */
  #unsynced: number[] = []
  #savepoints = 0
  /** The outermost savepoint that is open. */
  #oldest: number | undefined
  #writer: SimulatedProcess | undefined
  #scheduler: Scheduler | undefined
  #onStatement: DiskFaults['onStatement'] = () => {}
  #onSync: () => 'ok' | 'fails' = () => 'ok'
  #longestSyncMs = 2

  private constructor(handle: Handle) {
    this.#handle = handle
  }

  /** Makes the schema, once for all seeds. */
  static async create(): Promise<SimulatedDisk> {
    const Sqlite = await loadSqlite()
    const handle = new Sqlite(':memory:')
    const disk = new SimulatedDisk(handle)
    handle.exec('pragma foreign_keys = on')
    const now = () => new Date(0)
    class Shared {
      exec = (sql: string) => (/^pragma/.test(sql) ? undefined : handle.exec(sql))
      prepare = (sql: string) => handle.prepare(sql)
      close() {}
    }
    const connect = () => new SqliteConnection(Shared as never, '', {readOnly: false, busyTimeoutMs: 0})
    await openDatabaseFiles({...NO_FILE, connect, sync: async () => {}}, {migrations: recordsMigrations, now})
    return disk
  }

  /** Begins a seed with an empty database. */
  begin(scheduler: Scheduler, faults: DiskFaults): void {
    this.#scheduler = scheduler
    this.#onStatement = faults.onStatement
    this.#onSync = faults.onSync
    this.#longestSyncMs = faults.longestSyncMs
    this.#handle.exec('begin')
  }

  /** Takes everything back. */
  end(): void {
    this.#handle.exec('rollback')
    this.#unsynced = []
    this.#writer = undefined
    this.#oldest = undefined
    this.#savepoints = 0
  }

  /** Opens the records as a process does. */
  async openRecords(process: SimulatedProcess, scheduler: Scheduler, local: LocalProcess): Promise<Records> {
    const now = () => scheduler.clock.now()
    const files = {...NO_FILE, connect: () => this.#connect(process), sync: () => this.#sync()}
    const readLeaseMs = () => Math.floor(scheduler.nowMs)
    return createRecords(
      await openDatabaseFiles(files, {migrations: recordsMigrations, now, readLeaseMs}),
      local,
    )
  }

  /** What was never made durable is gone. */
  cutPower(): void {
    const [first] = this.#unsynced
    if (this.#writer) this.#rollBack()
    if (first !== undefined) this.#handle.exec(`rollback to s${first}; release s${first}`)
    if (this.#oldest === first) this.#oldest = undefined
    this.#unsynced = []
  }

  /** A transaction of a killed process is taken back. */
  dropTransaction(process: SimulatedProcess): void {
    if (this.#writer === process) this.#rollBack()
  }

  /** Rows as they are, for models and invariants. */
  read<Row>(sql: string, ...values: (string | number | null)[]): Row[] {
    const statement = this.#prepare(sql)
    statement.setReturnArrays?.(false)
    return statement.all(...values) as Row[]
  }

  #connect(process: SimulatedProcess): SqliteConnection {
    const disk = this
    class ProcessHandle {
      exec(sql: string): void {
        disk.#execute(process, sql)
      }

      prepare(sql: string): SqliteStatement {
        return disk.#prepareFor(process, sql)
      }

      close(): void {}
    }
    return new SqliteConnection(ProcessHandle as never, '', {readOnly: false, busyTimeoutMs: 0})
  }

  #execute(process: SimulatedProcess, sql: string): void {
    if (sql.startsWith('pragma')) return
    this.#check(process, sql)
    if (sql === 'begin immediate') this.#begin(process)
    else if (sql === 'commit') this.#commit(process)
    else if (sql === 'rollback') {
      if (this.#writer === process) this.#rollBack()
    } else this.#handle.exec(sql)
  }

  #begin(process: SimulatedProcess): void {
    if (this.#writer)
      throw Object.assign(new Error('database is locked'), {errcode: 5, code: 'ERR_SQLITE_ERROR'})
    this.#writer = process
    this.#savepoints++
    this.#oldest ??= this.#savepoints
    this.#handle.exec(`savepoint s${this.#savepoints}`)
  }

  #commit(process: SimulatedProcess): void {
    if (this.#writer !== process) throw new Error('no transaction is active')
    this.#unsynced.push(this.#savepoints)
    this.#writer = undefined
  }

  #rollBack(): void {
    this.#handle.exec(`rollback to s${this.#savepoints}; release s${this.#savepoints}`)
    if (this.#oldest === this.#savepoints) this.#oldest = undefined
    this.#writer = undefined
  }

  #prepareFor(process: SimulatedProcess, sql: string): SqliteStatement {
    const statement = this.#prepare(sql)
    const check = () => this.#check(process, sql)
    let asArrays = false
    return {
      all: (...values) => {
        check()
        statement.setReturnArrays?.(asArrays)
        return statement.all(...values)
      },
      get: (...values) => {
        check()
        return statement.get(...values)
      },
      setReturnArrays: isSet => {
        asArrays = isSet
      },
      run: (...values) => {
        check()
        return statement.run(...values)
      },
      iterate: (...values) => {
        check()
        statement.setReturnArrays?.(false)
        return statement.all(...values)
      },
    }
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#handle.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #check(process: SimulatedProcess, sql: string): void {
    if (process.isAlive) this.#onStatement(process, sql)
    if (!process.isAlive) throw new Killed()
  }

  /** All commits before are durable from then on. A sync that fails leaves them to the next one. */
  #sync(): Promise<void> {
    const {length} = this.#unsynced
    const last = this.#unsynced[length - 1] ?? 0
    const scheduler = this.#scheduler as Scheduler
    return new Promise((resolve, reject) => {
      scheduler.schedule(Math.random() * this.#longestSyncMs, () => {
        if (this.#onSync() === 'fails')
          return reject(Object.assign(new Error('EIO'), {code: 'EIO', syscall: 'fdatasync'}))
        this.#noteDurable(last)
        resolve()
      })
    })
  }

  #noteDurable(last: number): void {
    this.#unsynced = this.#unsynced.filter(each => each > last)
    // Releasing a savepoint releases those inside it, so it waits until all of them are durable.
    if (this.#unsynced.length > 0 || this.#writer || this.#oldest === undefined) return
    this.#handle.exec(`release s${this.#oldest}`)
    this.#oldest = undefined
  }
}

const NO_FILE = {
  path: 'records.db',
  foldLog: () => {},
  create: () => {},
  erase: async () => ({kind: 'erased' as const}),
  closeWithCheckpoint: () => {},
  close: () => {},
}
