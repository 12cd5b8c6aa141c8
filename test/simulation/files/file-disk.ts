import {copyFileSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Records} from '../../../src/records/index.js'
import {createRecords} from '../../../src/records/records.js'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import type {LocalProcess} from '../../../src/runs/workers/liveness.js'
import {loadSqlite, SqliteConnection, type SqliteConstructor} from '../../../src/storage/sqlite/connection.js'
import {openDatabaseFiles} from '../../../src/storage/sqlite/sqlite.js'
import type {Disk, DiskFaults} from '../disk.js'
import type {Fact} from '../invariants.js'
import type {Scheduler, SimulatedProcess} from '../scheduler.js'

/** How the log of a database stood when a sync began, and what it had grown to by the next. */
export interface SyncedLog {
  readonly syncedBytes: number
  readonly writtenBytes: number
}

/** The database as it was before the log began. */
export const UNCHANGED = 'before.db'

/** What a run on real files came to. */
export interface RecordedFiles {
  readonly syncs: readonly SyncedLog[]
  readonly facts: readonly Fact[]
  readonly log: Buffer
}

/** A disk of real files in the place of the simulated one: remembers what was written, and what of it was synced. */
export class FileDisk implements Disk {
  readonly syncs: SyncedLog[] = []
  syncedBytes = 0
  /** All of the log, once it is over. */
  log: Buffer = Buffer.alloc(0)
  readonly #path: string
  readonly #all: SqliteConnection[] = []
  #scheduler: Scheduler | undefined

  private constructor(
    folder: string,
    private readonly Sqlite: SqliteConstructor,
  ) {
    this.#path = join(folder, 'records.db')
  }

  /** Makes the schema, and folds it into the file: from then on everything is in the log. */
  static async create(folder: string): Promise<FileDisk> {
    const disk = new FileDisk(folder, await loadSqlite())
    const options = {migrations: recordsMigrations, now: () => new Date(0)}
    await openDatabaseFiles({...disk.#files(), sync: async () => {}}, options)
    disk.#all[0]?.execute('pragma wal_checkpoint(truncate)')
    copyFileSync(disk.#path, join(folder, UNCHANGED))
    return disk
  }

  begin(scheduler: Scheduler, _faults: DiskFaults): void {
    this.#scheduler = scheduler
  }

  end(): void {
    this.log = readFileSync(`${this.#path}-wal`)
    for (const connection of this.#all) connection.close()
  }

  async openRecords(_process: SimulatedProcess, scheduler: Scheduler, local: LocalProcess): Promise<Records> {
    const readLeaseMs = () => Math.floor(scheduler.nowMs)
    const options = {migrations: recordsMigrations, now: () => scheduler.clock.now(), readLeaseMs}
    return createRecords(
      await openDatabaseFiles({...this.#files(), sync: () => this.#sync()}, options),
      local,
    )
  }

  read<Row>(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.#all[0]?.readObjects(sql, values) as Row[]
  }

  cutPower(): void {
    throw new Error('the power stays: states are made from the files')
  }

  dropTransaction(): void {}

  #files() {
    return {
      path: this.#path,
      create: () => {},
      foldLog: () => {},
      connect: (readOnly: boolean) => {
        const connection = new SqliteConnection(this.Sqlite, this.#path, {
          readOnly,
          busyTimeoutMs: 0,
          cacheMiB: 1,
        })
        this.#all.push(connection)
        return connection
      },
      erase: async () => ({kind: 'erased' as const}),
      closeWithCheckpoint: () => {},
      close: () => {},
    }
  }

  #sync(): Promise<void> {
    const begunBytes = this.#sizeBytes()
    return new Promise(resolve => {
      this.#scheduler?.schedule(1, () => {
        this.syncs.push({syncedBytes: this.syncedBytes, writtenBytes: this.#sizeBytes()})
        this.syncedBytes = Math.max(this.syncedBytes, begunBytes)
        resolve()
      })
    })
  }

  #sizeBytes(): number {
    return statSync(`${this.#path}-wal`).size
  }
}
