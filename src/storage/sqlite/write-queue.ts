import type {Kysely} from 'kysely'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {WriteQueue} from '../engine/database.js'

/** What the grouped commit needs of the one connection that writes. */
export interface WriteConnection {
  execute(sql: string): void
  /** How many statements it has run that may have changed something. */
  readonly changes: number
}

export interface WriteQueueOptions<Tables> {
  connection: WriteConnection
  db: Kysely<Tables>
  /** Whether the lock is another's, so that waiting helps. */
  isLockedByOther(error: unknown): boolean
  /** Turns a failure of the database into one that a person can act on. */
  explain(error: unknown): unknown
  /** Brings what was committed to the disk, without keeping the event loop. */
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

/** Longest group: bounds what one commit holds back and how long a reader of our answers waits. */
const MAX_GROUP = 512

/** Pause between two tries for the lock; the event loop keeps turning meanwhile. */
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
 * After a failed sync the system may take what it lost for written: a later sync says nothing about it, and after a power
 * cut the log ends there, whatever follows. So nothing is acknowledged until all of it is in the file.
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
 * Runs all of them without savepoints, for which SQLite would copy every page that each of them changes. One that throws
 * before it changed anything is answered, and leaves nothing to undo.
 *
 * @returns those that have not been answered; when `mustBeUndone`, one of them threw later than that
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

/** Runs each of them so that it can be undone alone. @returns those that stand; the others have been answered */
async function runApart(
  group: readonly QueuedWrite[],
  connection: WriteConnection,
  explain: (error: unknown) => unknown,
): Promise<QueuedWrite[]> {
  const done: QueuedWrite[] = []
  for (const one of group) if (await runInSavepoint(one, connection, explain)) done.push(one)
  return done
}

/** @returns whether the write stands; a failed one has been answered, its changes undone */
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

/** A full disk makes SQLite give up the whole transaction, savepoints and all; then the group has failed. */
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
    // The transaction is gone already, or never began; the first error is the one that matters.
  }
}

/** Lets the requests that are already on the socket arrive, so that they share the commit. */
function waitForNextTick(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
