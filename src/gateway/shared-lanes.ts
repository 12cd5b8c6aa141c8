import {randomBytes} from 'node:crypto'
import type {Turns} from '../webhook/inbox/turns.js'
import type {Lanes} from './keyed-lock.js'

/** Pauses between two looks whether a lane is free. */
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200

/** Lets events of one payment through one at a time, over all captures that share an inbox. */
export class SharedLanes implements Pick<Lanes, 'enter'> {
  /** @param heldMs how long one may be in, when nobody is left to say that it is out */
  constructor(
    private readonly own: Lanes,
    private readonly turns: Turns,
    private readonly target: string,
    private readonly heldMs: number,
  ) {}

  /** As `Lanes.enter`: first among those of this capture, then among all. */
  async enter(keys: readonly string[], limitMs: number): Promise<(() => void) | undefined> {
    const deadline = performance.now() + limitMs
    const leave = await this.own.enter(keys, limitMs)
    if (!leave) return undefined
    const holder = randomBytes(12).toString('hex')
    if (await this.#taken(keys, holder, deadline).catch(() => false)) {
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

  async #taken(keys: readonly string[], holder: string, deadline: number): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      if (await this.turns.take(this.target, keys, holder, this.heldMs)) return true
      if (performance.now() + pauseMs > deadline) return false
      await new Promise(resolve => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    }
  }
}
