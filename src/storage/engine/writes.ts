import type {Kysely} from 'kysely'

export interface WriteOptions {
  /**
   * Names what nobody else may be changing while this write runs: two writes that share a name never run side by side,
   * whichever processes they belong to. A write that looks first and then changes needs one, unless a unique key or a
   * row's lock decides.
   */
  readonly alone?: string | readonly string[]
  /** Whether it may take as long as it likes: steps of a schema. */
  readonly unhurried?: boolean
}

export interface WriteQueue<Tables> {
  /**
   * Runs `write` inside a transaction and resolves once that is durable on disk.
   *
   * All writes that wait share one commit, so that the cost of the disk is paid once for many; one that throws takes only
   * its own changes back. `write` may await its own queries and nothing else. It may be run again when another of its
   * group fails, or when somebody else got in its way, so it leaves nothing behind but in the database; and it lets no
   * failed statement pass, after which PostgreSQL takes no other. While a commit is on its way to the disk, others may
   * read it already, its writers are not told yet, and what comes gathers for the next.
   *
   * In SQLite there is one writer at a time. In PostgreSQL writes of several processes run side by side, and each
   * statement sees what was committed before it (`read committed`).
   *
   * @throws whatever `write` threw, its changes undone
   * @throws StorectlError `unavailable.database_locked`, `internal.disk_full`: nothing of the group was kept
   * @throws StorectlError `internal.database_io`, `unavailable.database_lost` also where the disk or the connection failed
   *   after the commit: it may have been kept
   */
  run<T>(write: (db: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Resolves when every write that waits has been committed or refused. */
  idle(): Promise<void>
}
