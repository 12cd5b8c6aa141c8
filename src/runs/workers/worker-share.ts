import type {Execution} from '../execute.js'
import type {Item} from '../journal/item.js'
import type {NewEntry} from '../journal/journal-entry.js'
import type {Counts, RunStore} from '../journal/run-store.js'
import {OPENING} from '../journal/run-store.js'
import type {Machine} from './lease.js'
import {Company} from './peer-monitor.js'
import {Claimed, type ClaimedItem} from './work-claimer.js'
import type {Ended, Participant} from './worker-session.js'

/** Items that are read at a time. */
const READ_AT_ONCE = 100

/** Ordering keys of one block that are waited for at most before the next is claimed. */
const MOST_LANES_AHEAD = 100

export interface ShareDeps<T> {
  readonly store: Pick<
    RunStore,
    'claim' | 'finish' | 'readBlock' | 'findEarlierAttempts' | 'find' | 'declareGone' | 'halt'
  >
  readonly machine: Machine
  readonly now: () => Date
  /** Whether this worker began the run; it opens it. */
  readonly isFounder: boolean
  /** Ordering keys that are worked on at once. */
  readonly concurrency: number
  /** Starts a second of all workers together; 0 is no limit. */
  readonly ratePerSecond: number
  /** So many go alone, by one worker, before the others begin. */
  readonly canary: number
  /** What is to be sent, in the order of the items. */
  readonly read: (items: readonly ClaimedItem[]) => Promise<readonly Item<T>[]>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/**
 * A worker's share of a run: claims blocks as it comes to need them, and gives back what it has not begun.
 *
 * An ordering key is claimed whole, so that no two workers ever send items of one ordering key. Blocks go in the order of the plan.
 */
export class Share<T> {
  /** The run with a journal that keeps count of blocks; it is to be ended through this one. */
  readonly run: Participant
  /** How it ended; `undefined` as long as it has not. */
  ending: Ended | undefined
  readonly #own: Participant
  readonly #claimed = new Claimed()
  readonly #company: Company
  #execution: Execution<T> | undefined
  #isOpening: boolean
  #tried = 0
  #lanesAhead: number
  #wake: (() => void) | undefined
  #isPatient = false

  constructor(
    own: Participant,
    private readonly deps: ShareDeps<T>,
  ) {
    this.#own = own
    this.#isOpening = deps.isFounder
    this.#lanesAhead = 2 * deps.concurrency
    this.#company = new Company(own, {...deps, looked: () => this.#news(true)})
    this.run = {
      ...own,
      journal: {write: entry => this.#write(entry)},
      end: how => this.#end(how),
      fail: async () => {
        await this.#company.stop()
        await own.fail()
      },
    }
  }

  /** What this worker may start a second: the run's rate is shared by all who are at work. */
  get ratePerSecond(): number {
    return this.deps.ratePerSecond / this.#company.atWork
  }

  /** The canary is for who opens the run. */
  get canary(): number {
    return this.#isOpening ? this.deps.canary : 0
  }

  /** What the other workers have ended, as of a moment ago. */
  get others(): Counts {
    return this.#company.counts
  }

  /** Workers at work, this one among them, as of a moment ago. */
  get atWork(): number {
    return this.#company.atWork
  }

  /** Begins, with what sends the items. */
  start(execution: Execution<T>): void {
    this.#execution = execution
    this.#company.start(execution)
    execution.closing.addEventListener('abort', () => this.#news(true), {once: true})
  }

  /** Items as they are claimed, until no block is left that this worker could ever get. */
  async *items(): AsyncGenerator<Item<T>, void, void> {
    const {isFounder, canary, ratePerSecond, concurrency, read} = this.deps
    // The others must have seen that there is one more, or all together would be too fast.
    if (!isFounder && ratePerSecond > 0) await this.#look()
    if (this.#isOpening && canary <= 0) await this.#open()
    while (!this.#isClosing) {
      const some = this.#claimed.take(READ_AT_ONCE)
      if (some.length > 0) yield* await read(some)
      else if (this.#claimed.lanes >= Math.max(2 * concurrency, this.#lanesAhead)) await this.#change()
      else if (!(await this.#claim())) return
    }
  }

  get #isClosing(): boolean {
    return this.#execution?.closing.aborted === true
  }

  /** @returns whether there is or may be more to do */
  async #claim(): Promise<boolean> {
    const {store, canary} = this.deps
    const {id} = this.#own
    const finished = [...this.#claimed.finished]
    const {block, others} = await store.claim(this.#own.at, finished)
    this.#claimed.noted(finished)
    if (!block) {
      if (others > 0) await this.#waitFor(others)
      return others > 0
    }
    if (block.number === OPENING) {
      this.#isOpening = true
      if (canary <= 0) await this.#open()
      return true
    }
    const items = await store.readBlock(id, block.number)
    const keys = items.map(({item}) => item)
    const before = block.isAgain ? await store.findEarlierAttempts(id, keys) : new Map()
    this.#lanesAhead = Math.min(MOST_LANES_AHEAD, this.#claimed.add(block.number, items, before))
    return true
  }

  /** Others may go away and leave what they have. */
  async #waitFor(blocks: number): Promise<void> {
    if (!this.#isPatient && this.#claimed.lanes === 0) {
      this.#isPatient = true
      const what = blocks === 1 ? 'one part' : `${blocks} parts`
      await this.deps.note(`waiting for ${what} of the run that other workers have`)
    }
    await this.#look()
  }

  async #write(entry: NewEntry): Promise<void> {
    await this.#own.journal.write(entry)
    const {kind, item, orderingKey, resultClass} = entry
    if (kind !== 'result') return
    this.#claimed.ended(item, orderingKey)
    this.#news(false)
    if (!this.#isOpening || resultClass === 'held' || ++this.#tried < this.deps.canary) return
    if (!this.#execution?.halt) await this.#open()
  }

  /** The others may begin. */
  async #open(): Promise<void> {
    this.#isOpening = false
    await this.deps.store.finish(this.#own.at, [OPENING])
  }

  async #end(how: Parameters<Participant['end']>[0]): Promise<Ended> {
    await this.#company.stop()
    this.ending = await this.#own.end({...how, finished: this.#claimed.finished})
    return this.ending
  }

  #looks = false

  /** Resolves after the next look at the others. */
  async #look(): Promise<void> {
    this.#looks = true
    await this.#change()
    this.#looks = false
  }

  /** Resolves when something has changed. */
  async #change(): Promise<void> {
    if (this.#isClosing) return
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }

  #news(isLook: boolean): void {
    if (isLook || !this.#looks) this.#wake?.()
  }
}
