import type {Kysely} from 'kysely'
import type {PoolClient} from 'pg'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {WriteOptions, WriteQueue} from '../engine/database.js'
import type {ConnectionPool} from './connection-pool.js'
import {DatabaseAwayError, isConflict, isConnectionLost, isKeyTaken} from './errors.js'
import {beginTransaction, commitTransaction, type OpenTransaction, rollBackQuietly} from './transaction.js'

export interface PostgresWriteOptions<Tables> {
  readonly pool: ConnectionPool
  /** Kysely over one connection, for a write. */
  readonly getKysely: (client: PoolClient) => Kysely<Tables>
  /** Turns an error of the database into one that a person can act on. */
  readonly explain: (error: unknown) => unknown
  /** How long to wait for locks, and how long to retry after conflicts, milliseconds. */
  readonly lockTimeoutMs: number
}

interface QueuedWrite {
  readonly exclusive: readonly string[]
  readonly isUnlimited: boolean
  run(client: PoolClient): Promise<void>
  succeed(): void
  fail(error: unknown): void
}

/** Most writes in a commit: limits its delay, and how long others wait for its locks. */
const MAX_GROUP = 128

/** Commits in flight at once. */
const MAX_CONCURRENT_GROUPS = 4

/** Most retries after a duplicate key: a retry sees the existing row, and fails again only if it needs that key. */
const MAX_KEY_TAKEN = 5

/** Pauses before a retry after a conflict. */
const CONFLICT_PAUSES = {firstMs: 50, longestMs: 50, jitter: 1}

/** The write queue of this process: groups of waiting writes share a transaction, and some groups run concurrently. */
export function createPostgresWriteQueue<Tables>(options: PostgresWriteOptions<Tables>): WriteQueue<Tables> {
  const waiting: QueuedWrite[] = []
  const draining = new Set<Promise<void>>()
  const drain = async () => {
    await waitForNextTick()
    while (waiting.length > 0) await commitGroup(waiting.splice(0, MAX_GROUP), options)
  }
  const start = () => {
    const one = drain().finally(() => draining.delete(one))
    draining.add(one)
  }
  return {
    run: (write, how) =>
      new Promise((resolve, reject) => {
        waiting.push({
          ...readWriteOptions(how),
          ...createQueuedWrite(client => write(options.getKysely(client)), resolve, reject),
        })
        if (draining.size < MAX_CONCURRENT_GROUPS) start()
      }),
    waitUntilIdle: async () => {
      while (draining.size > 0) await Promise.all(draining)
    },
  }
}

function readWriteOptions({exclusive = [], isUnlimited = false}: WriteOptions = {}) {
  return {exclusive: typeof exclusive === 'string' ? [exclusive] : exclusive, isUnlimited}
}

function createQueuedWrite<T>(
  write: (client: PoolClient) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Pick<QueuedWrite, 'run' | 'succeed' | 'fail'> {
  let resolveValue: () => void
  return {
    run: async client => {
      const value = await write(client)
      resolveValue = () => resolve(value)
    },
    succeed: () => resolveValue(),
    fail: reject,
  }
}

/** Completes all writes, together if that succeeds, else one after the other. */
async function commitGroup<Tables>(
  group: readonly QueuedWrite[],
  options: PostgresWriteOptions<Tables>,
): Promise<void> {
  if (group.length > 1 && (await commitTogether(group, options))) return
  for (const one of group) await commitSingle(one, options)
}

/** @returns whether all of them are complete; otherwise none is, and nothing was committed */
async function commitTogether<Tables>(
  group: readonly QueuedWrite[],
  options: PostgresWriteOptions<Tables>,
): Promise<boolean> {
  try {
    if (!(await runTransaction(group, options))) return false
  } catch (error) {
    // Any other error occurs again for the write that causes it.
    if (!(error instanceof DatabaseAwayError)) return false
    for (const one of group) one.fail(options.explain(error))
    return true
  }
  for (const one of group) one.succeed()
  return true
}

async function commitSingle<Tables>(one: QueuedWrite, options: PostgresWriteOptions<Tables>): Promise<void> {
  const deadline = performance.now() + options.lockTimeoutMs
  let taken = 0
  const isPassing = (error: unknown) => {
    if (isKeyTaken(error)) taken += 1
    const isInTime = performance.now() < deadline && taken <= MAX_KEY_TAKEN
    return isConnectionLost(error) || (isConflict(error) && isInTime)
  }
  const isUnfinished = (isCommitted: boolean) => !isCommitted
  try {
    await retryWithBackoff(() => runTransaction([one], options), {
      ...CONFLICT_PAUSES,
      timeoutMs: Number.POSITIVE_INFINITY,
      isUnfinished,
      isPassing,
    })
    one.succeed()
  } catch (error) {
    one.fail(options.explain(error))
  }
}

/** @returns whether it was committed; `false` where the connection broke, and nothing was applied */
async function runTransaction<Tables>(
  group: readonly QueuedWrite[],
  {pool, lockTimeoutMs}: PostgresWriteOptions<Tables>,
): Promise<boolean> {
  const exclusive = group.flatMap(one => one.exclusive)
  const isUnlimited = group.some(one => one.isUnlimited)
  return pool.use(async client => {
    const opened = beginTransaction(client, {exclusive, isUnlimited, lockTimeoutMs})
    try {
      await awaitBoth(opened, () => runEach(group, client))
    } catch (error) {
      await rollBackQuietly(client)
      throw error
    }
    return commitTransaction(await opened, pool)
  }, isConnectionLost)
}

async function runEach(group: readonly QueuedWrite[], client: PoolClient): Promise<void> {
  for (const one of group) await one.run(client)
}

/** If the beginning fails, so do the statements after it, with errors that explain nothing. */
async function awaitBoth(opened: Promise<OpenTransaction>, work: () => Promise<void>): Promise<void> {
  const [first, then] = await Promise.allSettled([opened, work()])
  if (first.status === 'rejected') throw first.reason
  if (then.status === 'rejected') throw then.reason
}

/** Waits for requests that are already on the socket, so that they share the commit. */
function waitForNextTick(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
