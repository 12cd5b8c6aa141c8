import type {Kysely} from 'kysely'
import type {PoolClient} from 'pg'
import type {WriteOptions, WriteQueue} from '../engine/database.js'
import type {Connections} from './connection-pool.js'
import {isClash, isLost, isTaken, StayedAway} from './errors.js'
import {type Begun, begin, commit, rollBackQuietly} from './transaction.js'

export interface PostgresWriteOptions<Tables> {
  readonly connections: Connections
  /** What a write is handed, over one connection. */
  readonly over: (client: PoolClient) => Kysely<Tables>
  /** Turns a failure of the database into one that a person can act on. */
  readonly explain: (error: unknown) => unknown
  /** How long to wait for what another holds, and how long to try again where others are in the way, milliseconds. */
  readonly lockTimeoutMs: number
}

interface Waiting {
  readonly alone: readonly string[]
  readonly isUnhurried: boolean
  run(client: PoolClient): Promise<void>
  settle(): void
  fail(error: unknown): void
}

/** Longest group: bounds what one commit holds back, and what others wait for. */
const LARGEST_GROUP = 128

/** Groups that are on their way at once. */
const AT_ONCE = 4

/** So often a key may be found taken: whoever looks again sees who has it, and still wants it for no other reason. */
const MOST_TAKEN = 5

/** Longest pause before what clashed is tried again. */
const CLASH_PAUSE_MS = 50

/** The writes of this process: each group of those that wait in one transaction, some groups side by side. */
export function createWriteQueue<Tables>(options: PostgresWriteOptions<Tables>): WriteQueue<Tables> {
  const waiting: Waiting[] = []
  const draining = new Set<Promise<void>>()
  const drain = async () => {
    await nextTurn()
    while (waiting.length > 0) await commitGroup(waiting.splice(0, LARGEST_GROUP), options)
  }
  const start = () => {
    const one = drain().finally(() => draining.delete(one))
    draining.add(one)
  }
  return {
    run: (write, how) =>
      new Promise((resolve, reject) => {
        waiting.push(waitingFor(write, how, options, resolve, reject))
        if (draining.size < AT_ONCE) start()
      }),
    idle: async () => {
      while (draining.size > 0) await Promise.all(draining)
    },
  }
}

function waitingFor<Tables, T>(
  write: (db: Kysely<Tables>) => Promise<T>,
  {alone = [], unhurried = false}: WriteOptions = {},
  {over}: PostgresWriteOptions<Tables>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Waiting {
  let outcome: () => void
  return {
    alone: typeof alone === 'string' ? [alone] : alone,
    isUnhurried: unhurried,
    run: async client => {
      const value = await write(over(client))
      outcome = () => resolve(value)
    },
    settle: () => outcome(),
    fail: reject,
  }
}

/** Brings each of them to its end, together where that goes well and else one after the other. */
async function commitGroup<Tables>(
  group: readonly Waiting[],
  options: PostgresWriteOptions<Tables>,
): Promise<void> {
  if (group.length > 1 && (await commitTogether(group, options))) return
  for (const one of group) await commitAlone(one, options)
}

/** @returns whether all of them are at their end; otherwise none of them is, and nothing was kept */
async function commitTogether<Tables>(
  group: readonly Waiting[],
  options: PostgresWriteOptions<Tables>,
): Promise<boolean> {
  try {
    if (!(await transaction(group, options))) return false
  } catch (error) {
    // Anything else is met again by the one that it belongs to.
    if (!(error instanceof StayedAway)) return false
    for (const one of group) one.fail(options.explain(error))
    return true
  }
  for (const one of group) one.settle()
  return true
}

async function commitAlone<Tables>(one: Waiting, options: PostgresWriteOptions<Tables>): Promise<void> {
  const deadline = performance.now() + options.lockTimeoutMs
  let taken = 0
  for (;;) {
    try {
      if (await transaction([one], options)) return one.settle()
    } catch (error) {
      if (isTaken(error)) taken += 1
      const isInTime = performance.now() < deadline && taken <= MOST_TAKEN
      const mayGoWell = isLost(error) || (isClash(error) && isInTime)
      if (!mayGoWell) return one.fail(options.explain(error))
    }
    await new Promise(resolve => setTimeout(resolve, Math.random() * CLASH_PAUSE_MS))
  }
}

/** @returns whether it was committed; `false` where the connection broke, and nothing was kept */
async function transaction<Tables>(
  group: readonly Waiting[],
  {connections, lockTimeoutMs}: PostgresWriteOptions<Tables>,
): Promise<boolean> {
  const alone = group.flatMap(one => one.alone)
  const isUnhurried = group.some(one => one.isUnhurried)
  return connections.lend(async client => {
    const begun = begin(client, {alone, isUnhurried, lockTimeoutMs})
    try {
      await following(begun, () => runEach(group, client))
    } catch (error) {
      await rollBackQuietly(client)
      throw error
    }
    return commit(await begun, connections)
  }, isLost)
}

async function runEach(group: readonly Waiting[], client: PoolClient): Promise<void> {
  for (const one of group) await one.run(client)
}

/** What follows a beginning that fails fails too, in words that say nothing. */
async function following(begun: Promise<Begun>, work: () => Promise<void>): Promise<void> {
  const [first, then] = await Promise.allSettled([begun, work()])
  if (first.status === 'rejected') throw first.reason
  if (then.status === 'rejected') throw then.reason
}

/** Lets the requests that are already on the socket arrive, so that they share the commit. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
