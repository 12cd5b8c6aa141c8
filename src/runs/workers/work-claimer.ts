import {OPENING} from '../journal/claim.js'
import type {Item} from '../journal/item.js'
import type {RunStore, WorkerRef} from '../journal/run-store.js'
import {type ClaimedItem, ClaimedItems} from './claimed-items.js'
import type {RunSignals} from './run-signals.js'

/** Items that are read at a time. */
const READ_AT_ONCE = 100

/** Keys claimed for each that can be in flight, by their number: a worker with few leaves the rest to others. */
const KEYS_AHEAD = {few: 2, many: 6}

/** From this many on, payments are looked up in large groups a moment before their turn. */
const MANY = 8

/** Most unfinished ordering keys of one block when the next is claimed. */
const MOST_KEYS_AHEAD = 100

export interface WorkClaimerDeps<T> {
  readonly store: Pick<RunStore, 'claim' | 'finish' | 'readBlock' | 'findEarlierAttempts'>
  /** Whether this worker began the run; it opens it. */
  readonly isFounder: boolean
  /** Ordering keys in flight at once; read again each time, as it may change. */
  readonly readConcurrency: () => number
  /** This many are sent alone, by one worker, before the others begin; 0 for none. */
  readonly canary: number
  /** Whether the others must see this worker before it begins, as it shares their rate. */
  readonly waitsForPeers: boolean
  /** What is to be sent, in the order of the items. */
  readonly read: (items: readonly ClaimedItem[]) => Promise<readonly Item<T>[]>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/**
 * Claims blocks of a shared run as the worker needs them.
 *
 * An ordering key is claimed whole, so that no two workers ever send items of one key. Blocks go in the order of the
 * plan. Until a run is open, only its founder sends: the canary.
 */
export class WorkClaimer<T> {
  readonly #claimed = new ClaimedItems()
  #tried = 0
  #inDoubt = 0
  #keysAhead: number
  #wake: (() => void) | undefined
  #isPatient = false
  #waitsForCheck = false

  constructor(
    private readonly worker: WorkerRef,
    private readonly signals: RunSignals,
    private readonly deps: WorkClaimerDeps<T>,
  ) {
    this.#keysAhead = 2 * deps.readConcurrency()
    signals.isOpening = deps.isFounder
    signals.closing.addEventListener('abort', () => this.#wake?.(), {once: true})
    signals.peersChecked.listen(() => this.#wake?.())
    signals.inDoubt.listen(count => this.#noteInDoubt(count))
    signals.itemEnded.listen((item, orderingKey) => this.#noteEnded(item, orderingKey))
    signals.canaryEnded.listen(() => this.#noteCanary())
  }

  /** Only the worker that opens the run sends the canary. */
  get canary(): number {
    return this.signals.isOpening ? this.deps.canary : 0
  }

  /** Blocks whose items all have results, not yet recorded as finished. */
  get finished(): readonly number[] {
    return this.#claimed.finished
  }

  /** Items as they are claimed, until no block is left that this worker could ever get. */
  async *claimItems(): AsyncGenerator<Item<T>, void, void> {
    const {canary, waitsForPeers, readConcurrency, read} = this.deps
    if (waitsForPeers) await this.#waitForCheck()
    if (this.signals.isOpening && canary <= 0) await this.#open()
    while (!this.#isClosing) {
      const some = this.#claimed.take(READ_AT_ONCE)
      if (some.length > 0) yield* await read(some)
      else if (
        this.#claimed.keys - this.#inDoubt >=
        Math.max(countKeysAhead(readConcurrency()), this.#keysAhead)
      )
        await this.#waitForChange()
      else if (!(await this.#claim())) return
    }
  }

  #noteEnded(item: string, orderingKey: string): void {
    this.#claimed.noteEnded(item, orderingKey)
    if (!this.#waitsForCheck) this.#wake?.()
  }

  /** More is claimed while items wait for the effect of a call that was given up. */
  #noteInDoubt(count: number): void {
    this.#inDoubt = count
    if (!this.#waitsForCheck) this.#wake?.()
  }

  /** Counts a result of the canary; the last of them opens the run, unless something has stopped it. */
  async #noteCanary(): Promise<void> {
    if (!this.signals.isOpening || ++this.#tried < this.deps.canary || this.signals.halt) return
    await this.#open()
  }

  get #isClosing(): boolean {
    return this.signals.closing.aborted
  }

  /** @returns whether there is or may be more to do */
  async #claim(): Promise<boolean> {
    const {store, canary} = this.deps
    const {id} = this.worker
    const finished = [...this.#claimed.finished]
    const {block, others} = await store.claim(this.worker, finished)
    this.#claimed.noteStored(finished)
    if (!block) {
      if (others > 0) await this.#waitForPeers(others)
      return others > 0
    }
    if (block.number === OPENING) {
      this.signals.isOpening = true
      if (canary <= 0) await this.#open()
      return true
    }
    const claimItems = await store.readBlock(id, block.number)
    const keys = claimItems.map(({item}) => item)
    const earlier = block.isAgain ? await store.findEarlierAttempts(id, keys) : new Map()
    this.#keysAhead = Math.min(MOST_KEYS_AHEAD, this.#claimed.add(block.number, claimItems, earlier))
    return true
  }

  /** Other workers may leave, and their blocks become free. */
  async #waitForPeers(blocks: number): Promise<void> {
    if (!this.#isPatient && this.#claimed.keys === 0) {
      this.#isPatient = true
      const what = blocks === 1 ? 'one part' : `${blocks} parts`
      await this.deps.note(`waiting for ${what} of the run, claimed by other workers`)
    }
    await this.#waitForCheck()
  }

  /** The others may begin. */
  async #open(): Promise<void> {
    this.signals.isOpening = false
    await this.deps.store.finish(this.worker, [OPENING])
  }

  /** Resolves after the next check of the others. */
  async #waitForCheck(): Promise<void> {
    this.#waitsForCheck = true
    await this.#waitForChange()
    this.#waitsForCheck = false
  }

  /** Resolves when something has changed. */
  async #waitForChange(): Promise<void> {
    if (this.#isClosing) return
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }
}

function countKeysAhead(concurrency: number): number {
  return concurrency * (concurrency < MANY ? KEYS_AHEAD.few : KEYS_AHEAD.many)
}
