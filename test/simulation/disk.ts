import type {Records} from '../../src/records/index.js'
import type {LocalProcess} from '../../src/runs/workers/liveness.js'
import type {Scheduler, SimulatedProcess} from './scheduler.js'

/** What may go wrong with a disk. */
export interface DiskFaults {
  /** Told of each statement before it runs. */
  readonly onStatement: (process: SimulatedProcess, sql: string) => void
  readonly onSync: () => 'ok' | 'fails'
  readonly longestSyncMs: number
}

/** The disk of a simulated machine, with the records on it. */
export interface Disk {
  /** Bytes of the log that are synced, where it is a file. */
  readonly syncedBytes?: number
  begin(scheduler: Scheduler, faults: DiskFaults): void
  /** Takes everything back, or lets go of it. */
  end(): void
  /** Opens the records as a process does. */
  openRecords(process: SimulatedProcess, scheduler: Scheduler, local: LocalProcess): Promise<Records>
  /** Rows as they are, for models and invariants. */
  read<Row>(sql: string, ...values: (string | number | null)[]): Row[]
  /** What was never made durable is gone. */
  cutPower(): void
  /** A transaction of a killed process is taken back. */
  dropTransaction(process: SimulatedProcess): void
}
