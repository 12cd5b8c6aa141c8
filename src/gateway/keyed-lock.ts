import {randomBytes} from 'node:crypto'
import {retryWithBackoff} from '../platform/backoff.js'
import type {Turns} from '../webhook/inbox/capture-inbox.js'

/** Lets events of one payment through one at a time, in the order in which they came. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>()

  /** Keys that are held or waited for. */
  get size(): number {
    return this.#last.size
  }

  /**
   * Waits until all earlier holders of a shared key have left.
   *
   * @param keys any number; those of one event
   * @param limitMs how long to wait
   * @returns to be called when the event is finished; `undefined` if time was up, and the event must not be forwarded
   */
  async enter(keys: readonly string[], limitMs: number): Promise<(() => void) | undefined> {
    const before = keys.map(key => this.#last.get(key)).filter(each => each !== undefined)
    const leave = this.#queue(keys, before)
    if (before.length === 0 || (await isOverWithin(Promise.all(before), limitMs))) return leave
    leave()
    return undefined
  }

  /** A waiter that gives up keeps its place: those behind it still wait for those before it. */
  #queue(keys: readonly string[], before: readonly Promise<void>[]): () => void {
    let leave = () => {}
    const mine = new Promise<void>(resolve => {
      leave = resolve
    })
    const turn = Promise.all([...before, mine]).then(() => {
      for (const key of keys) if (this.#last.get(key) === turn) this.#last.delete(key)
    })
    for (const key of keys) this.#last.set(key, turn)
    return leave
  }
}

function isOverWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), limitMs)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Pauses between two checks whether a key is free. */
const PAUSES = {firstMs: 10, longestMs: 200}

/** Lets events of one payment through one at a time, over all captures that share an inbox. */
export class SharedKeyedLock implements Pick<KeyedLock, 'enter'> {
  /** @param heldMs after how long a key is free if its holder was killed */
  constructor(
    private readonly own: KeyedLock,
    private readonly turns: Turns,
    private readonly target: string,
    private readonly heldMs: number,
  ) {}

  /** As `KeyedLock.enter`: first among those of this capture, then among all. */
  async enter(keys: readonly string[], limitMs: number): Promise<(() => void) | undefined> {
    const deadline = performance.now() + limitMs
    const leave = await this.own.enter(keys, limitMs)
    if (!leave) return undefined
    const holder = randomBytes(12).toString('hex')
    if (await this.#takeTurn(keys, holder, deadline).catch(() => false)) {
      return () => {
        // A turn that cannot be released expires.
        void this.turns
          .leave(this.target, holder)
          .catch(() => undefined)
          .then(leave)
      }
    }
    leave()
    return undefined
  }

  async #takeTurn(keys: readonly string[], holder: string, deadline: number): Promise<boolean> {
    const timeoutMs = deadline - performance.now()
    return retryWithBackoff(() => this.turns.take(this.target, keys, holder, this.heldMs), {
      ...PAUSES,
      timeoutMs,
      isUnfinished: isTaken => !isTaken,
    })
  }
}
