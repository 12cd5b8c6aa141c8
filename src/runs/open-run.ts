import {createUsageError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import type {PlannedItem} from './journal/claim.js'
import {computeChainOrigin} from './journal/hash-chain.js'
import {recoverOpenItems} from './journal/recover-open-items.js'
import {createRunId} from './journal/run-id.js'
import type {NewRun, RunRow, RunStore} from './journal/run-store.js'
import {splitBatches} from './pool/batches.js'
import {HashTable} from './pool/hash-table.js'
import {describeLeaseConflict, isHeld} from './workers/lease.js'
import type {Machine} from './workers/liveness.js'
import {WorkerSession} from './workers/worker-session.js'

export interface OpenRunDeps {
  readonly store: RunStore
  readonly machine: Machine
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** A line for the person. */
  readonly note?: ((text: string) => Promise<void>) | undefined
}

/** The purpose of a run. */
export type RunIntent = Pick<NewRun, 'kind' | 'target' | 'profile' | 'reason' | 'options' | 'total'> & {
  readonly continues?: string | null
  /** The watch that begins it. */
  readonly watchId?: string | undefined
}

/**
 * Begins a run: takes the lease of its kind and target, ends an unresponsive run that held it, and sends heartbeats
 * until the session ends. The run of a watch gives way to a person.
 *
 * @param isPreview does not make a watch give way
 * @throws StorectlError `conflict.lease_held` when another run is under way; nothing was stored
 */
export async function openRun(intent: RunIntent, deps: OpenRunDeps, isPreview = false): Promise<OpenRun> {
  const {store, machine, clock, random} = deps
  const now = clock.now()
  const id = createRunId(now, random)
  const {who, host, pid, processStart} = machine
  const continues = intent.continues ?? null
  const watchId = intent.watchId ?? null
  const run: NewRun = {...intent, continues, watchId, id, who, host, pid, processStart, startedAt: now}
  const begin = () =>
    store.begin(
      run,
      holder => isHeld(holder, machine),
      open => recoverOpenItems(open, id, now),
    )
  let lease = await begin()
  const mayAsk = watchId === null && !isPreview
  for (let waits = 0; !lease.begun && mayAsk && waits < MOST_WAITS; waits++) {
    const isAsked = await askToGiveWay(lease.holder, waits === 0, deps)
    if (!isAsked) break
    await clock.sleep(LOOK_MS)
    lease = await begin()
  }
  if (!lease.begun) throw describeLeaseConflict(lease.holder, machine)
  return new OpenRun(run, lease.interrupted, deps)
}

/** How often storectl checks whether a watch has given way. */
const LOOK_MS = 250

/** Number of checks: longer than a call may take. */
const MOST_WAITS = 160

/** The code of a watch's run that a person's run stopped. */
export const GAVE_WAY = 'stopped.gave_way'

/** Stops the run of a watch once its requests in flight have ended. @returns whether the holder is such a run */
async function askToGiveWay(
  {id, watchId}: RunRow,
  isFirst: boolean,
  {store, machine: {who, host}, note}: OpenRunDeps,
): Promise<boolean> {
  if (watchId == null) return false
  await store.halt(id, {code: GAVE_WAY, reason: `gave way to ${who} on ${host}`})
  if (isFirst) await note?.(`watch ${watchId} gives way: its requests in flight end first`)
  return true
}

/** Items of one commit. */
const PLANNED_AT_ONCE = 2000

/** The session of the worker that began a run and holds the lease of its target. */
export class OpenRun extends WorkerSession {
  readonly #store: RunStore
  /** The run's description, which its chain begins with. */
  readonly #header: {run: NewRun}

  /** @param interrupted the unresponsive run whose lease was taken over; its open items are now `unknown` */
  constructor(
    run: NewRun,
    readonly interrupted: RunRow | undefined,
    deps: Pick<OpenRunDeps, 'store' | 'clock'>,
  ) {
    const {id, kind, target} = run
    const header = {run}
    super({id, kind, target, worker: id}, () => computeChainOrigin(header.run), deps)
    this.#header = header
    this.#store = deps.store
  }

  /**
   * Stores which items are to be sent, so that other workers can share them and `run resume` can resume with them, and
   * how many items there are in all. The plan is incomplete until there is a total. Called before the first entry of
   * the journal, whose chain begins with it.
   *
   * @param found what the plan adds to the run's options: hash of the plan file, why its items had failed
   */
  async storePlan(
    total: number,
    sends: number,
    items: AsyncIterable<PlannedItem>,
    found: RunIntent['options'] = {},
  ): Promise<void> {
    const {run} = this.#header
    const blocks = new Blocks(sends)
    let from = 0
    for await (const some of splitBatches(items, PLANNED_AT_ONCE)) {
      const cut = some.map(item => ({...item, block: blocks.assign(item.orderingKey)}))
      await this.#store.addPlanned(run.id, from, cut)
      from += some.length
    }
    const options = {...run.options, ...found}
    await this.#store.addBlocks(run.id, blocks.count, run.id)
    await this.#store.setTotal(run.id, total, options)
    this.#header.run = {...run, total, options}
  }

  /** Discards the run before anything was written to its journal: nothing is to be sent, or nobody agreed. */
  async discard(): Promise<void> {
    this.stopHeartbeat()
    await this.#store.discard(this.id)
  }
}

/** Blocks that a plan is cut into, so that several workers find work even in a short one. */
const BLOCKS = 64

/** Items of a full block: long ordering keys may make it larger. */
const LARGEST = 100

/**
 * Cuts a plan into blocks, which are what workers of a run share: an ordering key belongs whole to the block of its
 * first item, so that two workers never have items of one key. Keys whose hashes match by chance share a block, which
 * is harmless.
 */
class Blocks {
  readonly #size: number
  readonly #blocks = new HashTable()
  #last = 0
  #inLast = 0

  /** @param total items of the plan */
  constructor(total: number) {
    this.#size = Math.min(LARGEST, Math.max(1, Math.ceil(total / BLOCKS)))
  }

  /** How many there are. */
  get count(): number {
    return this.#blocks.size === 0 ? 0 : this.#last + 1
  }

  /** The number of the block, from 0, that the next item of the plan belongs to. */
  assign(key: string): number {
    const block = this.#blocks.get(key) ?? this.#add(key)
    if (block === this.#last) this.#inLast++
    return block
  }

  #add(key: string): number {
    if (this.#inLast >= this.#size) {
      this.#last++
      this.#inLast = 0
    }
    this.#blocks.set(key, this.#last)
    return this.#last
  }
}

/** The name of a shop without a profile, given only by a URL. */
const UNNAMED = 'url'

/** The target of the bundled shop. */
const LOCAL = 'local'

/**
 * The error for a run of another shop than the chosen one.
 *
 * @param way what was to be done with the run
 * @returns `usage.other_shop`
 */
export function createOtherShopError(
  {id, target, profile}: RunRow,
  way: 'resume' | 'join' | 'undo' = 'resume',
) {
  const name = profile === UNNAMED && target === LOCAL ? target : profile
  const where = name === UNNAMED ? `--url ${target}` : `--profile ${name}`
  return createUsageError(
    'other_shop',
    `Run ${id} was for ${target}, but another shop is chosen. Nothing was sent.`,
    [
      `storectl ${way === 'undo' ? 'webhook resolve --undo' : 'run resume'} ${id}${way === 'join' ? ' --join' : ''} ${where}`,
    ],
  )
}
