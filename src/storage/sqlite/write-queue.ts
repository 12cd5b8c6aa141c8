import type {Kysely} from 'kysely'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {WriteQueue} from '../engine/database.js'

/** What the write queue needs of the writing connection. */
export interface WriteConnection {
  execute(sql: string): void
  /** Number of executed statements that may have changed something. */
  readonly changes: number
}

export interface WriteQueueOptions<Tables> {
  connection: WriteConnection
  db: Kysely<Tables>
  /** Whether another process has the lock, so that waiting helps. */
  isLockedByOther(error: unknown): boolean
  /** Turns an error of the database into one that a person can act on. */
  explain(error: unknown): unknown
  /** Syncs commits to disk, without blocking the event loop. */
  sync(): Promise<void>
  /** As `DatabaseFiles`. */
  foldLog(): void
  /** How long to wait for another process's lock, milliseconds. */
  lockTimeoutMs: number
}

interface QueuedWrite {
  run(): Promise<void>
  succeed(): void
  fail(error: unknown): void
}

/** Most writes in a commit: limits its delay, and how long clients wait for a response. */
const MAX_GROUP = 512

/** Pause between two attempts to lock; the event loop continues meanwhile. */
const LOCK_PAUSES = {firstMs: 5, longestMs: 5}

/** The queue of writes on one connection. @see performance notes in docs: grouping costs one fsync for all */
export function createSqliteWriteQueue<Tables>(options: WriteQueueOptions<Tables>): WriteQueue<Tables> {
  const waiting: QueuedWrite[] = []
  const log: LogState = {mayHaveGap: false}
  let draining: Promise<void> | undefined

  const drain = async () => {
    while (waiting.length > 0) {
      await waitForNextTick()
      await commitGroup(waiting.splice(0, MAX_GROUP), options, log)
    }
    draining = undefined
  }

  return {
    run: write =>
      new Promise((resolve, reject) => {
        let resolveValue: () => void
        waiting.push({
          run: async () => {
            const value = await write(options.db)
            resolveValue = () => resolve(value)
          },
          succeed: () => resolveValue(),
          fail: reject,
        })
        draining ??= drain()
      }),
    waitUntilIdle: async () => {
      while (draining) await draining
    },
  }
}

/**
 * After a failed sync the system may treat lost data as written: a later sync does not report it, and after a power cut
 * the log ends there, whatever follows. So nothing is acknowledged until all of the log is in the file.
 */
interface LogState {
  mayHaveGap: boolean
}

async function commitGroup<Tables>(
  group: QueuedWrite[],
  options: WriteQueueOptions<Tables>,
  log: LogState,
): Promise<void> {
  const {connection, explain, sync} = options
  let unanswered = group
  try {
    if (log.mayHaveGap) options.foldLog()
    log.mayHaveGap = false
    await begin(options)
    const together = await runTogether(group, connection, explain)
    unanswered = together.unanswered
    if (together.mustBeUndone) {
      rollBackQuietly(connection)
      await begin(options)
      unanswered = await runApart(unanswered, connection, explain)
    }
    connection.execute('commit')
    log.mayHaveGap = true
    await sync()
    log.mayHaveGap = false
  } catch (error) {
    rollBackQuietly(connection)
    for (const one of unanswered) one.fail(explain(error))
    return
  }
  for (const one of unanswered) one.succeed()
}

/**
 * Runs all writes without savepoints, for which SQLite would copy every changed page. A write that throws before any
 * change is rejected, with nothing to undo.
 *
 * @returns the unsettled writes; with `mustBeUndone`, one of them threw after a change
 */
async function runTogether(
  group: readonly QueuedWrite[],
  connection: WriteConnection,
  explain: (error: unknown) => unknown,
): Promise<{unanswered: QueuedWrite[]; mustBeUndone: boolean}> {
  const answered = new Set<QueuedWrite>()
  const listUnanswered = () => group.filter(one => !answered.has(one))
  for (const one of group) {
    const before = connection.changes
    try {
      await one.run()
    } catch (error) {
      if (group.length === 1) throw error
      if (connection.changes > before) return {unanswered: listUnanswered(), mustBeUndone: true}
      answered.add(one)
      one.fail(explain(error))
    }
  }
  return {unanswered: listUnanswered(), mustBeUndone: false}
}

/** Runs each write in a savepoint. @returns those that succeeded; the others have been rejected */
async function runApart(
  group: readonly QueuedWrite[],
  connection: WriteConnection,
  explain: (error: unknown) => unknown,
): Promise<QueuedWrite[]> {
  const done: QueuedWrite[] = []
  for (const one of group) if (await runInSavepoint(one, connection, explain)) done.push(one)
  return done
}

/** @returns whether the write succeeded; a failed one was rejected, its changes undone */
async function runInSavepoint(
  one: QueuedWrite,
  connection: WriteConnection,
  explain: (error: unknown) => unknown,
): Promise<boolean> {
  connection.execute('savepoint one')
  try {
    await one.run()
    connection.execute('release one')
    return true
  } catch (error) {
    if (!rollBackSavepoint(connection)) throw error
    one.fail(explain(error))
    return false
  }
}

/** On a full disk SQLite rolls back the whole transaction, savepoints included; then the group has failed. */
function rollBackSavepoint(connection: WriteConnection): boolean {
  try {
    connection.execute('rollback to one; release one')
    return true
  } catch {
    return false
  }
}

async function begin<Tables>(options: WriteQueueOptions<Tables>): Promise<void> {
  const {connection, lockTimeoutMs: timeoutMs, isLockedByOther: isPassing} = options
  await retryWithBackoff(() => connection.execute('begin immediate'), {...LOCK_PAUSES, timeoutMs, isPassing})
}

function rollBackQuietly(connection: WriteConnection): void {
  try {
    connection.execute('rollback')
  } catch {
    // The transaction has already ended, or never began; only the first error matters.
  }
}

/** Waits for requests that are already on the socket, so that they share the commit. */
function waitForNextTick(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
