import type {Clock} from '../../platform/clock.js'

/** Spreads starts evenly over time. */
export class RateLimiter {
  #nextAt = 0
  #lastTurn: Promise<void> = Promise.resolve()

  /** @param perSecond 0 is no limit; read before each start, as workers that share a rate come and go */
  constructor(
    private readonly perSecond: () => number,
    private readonly clock: Clock,
  ) {}

  get #gapMs(): number {
    const perSecond = this.perSecond()
    return perSecond > 0 ? 1000 / perSecond : 0
  }

  /** Resolves when the next start is due, or at once when `signal` fires. Turns are given in the order of the calls. */
  waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.#gapMs === 0) return Promise.resolve()
    this.#lastTurn = this.#lastTurn.then(() => this.#waitUntilDue(signal))
    return this.#lastTurn
  }

  /** No wait is longer than a gap, so that a clock that is set back delays nothing. */
  async #waitUntilDue(signal: AbortSignal): Promise<void> {
    const now = this.clock.now().getTime()
    const gapMs = this.#gapMs
    const waitMs = Math.min(gapMs, Math.max(0, this.#nextAt - now))
    this.#nextAt = now + waitMs + gapMs
    if (waitMs > 0 && !signal.aborted) await this.clock.sleep(waitMs, signal)
  }
}
