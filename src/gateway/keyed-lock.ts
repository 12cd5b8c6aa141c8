import {randomBytes} from 'node:crypto'
import {retryWithBackoff} from '../platform/backoff.js'
import type {Turns} from '../webhook/inbox/capture-inbox.js'

/** Lets events of one payment through one at a time, in the order in which they came. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>()

  /** Keys that somebody is in, or waits for. */
  get size(): number {
    return this.#last.size
  }

  /**
   * Waits until everything has left that came before and shares a key.
   *
   * @param keys any number; those of one event
   * @param limitMs how long to wait
   * @returns to be called when the event has been dealt with; `undefined` when the time was over, and it must not be
   */
  async enter(keys: readonly string[], limitMs: number): Promise<(() => void) | undefined> {
    const before = keys.map(key => this.#last.get(key)).filter(each => each !== undefined)
    const leave = this.#queue(keys, before)
    if (before.length === 0 || (await isOverWithin(Promise.all(before), limitMs))) return leave
    leave()
    return undefined
  }

  /** Who gives up keeps its place: those behind it still wait for those before it. */
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

/** Pauses between two looks whether a key is free. */
const PAUSES = {firstMs: 10, longestMs: 200}

/** Lets events of one payment through one at a time, over all captures that share an inbox. */
export class SharedKeyedLock implements Pick<KeyedLock, 'enter'> {
  /** @param heldMs how long one may be in, when nobody is left to say that it is out */
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
        // What cannot be given back ends by itself.
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
