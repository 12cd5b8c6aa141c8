import type {Clock} from '../platform/clock.js'

/** Spreads starts evenly over time. */
export class Pace {
  #nextAt = 0
  readonly #gapMs: number

  /** @param perSecond 0 is no limit */
  constructor(
    perSecond: number,
    private readonly clock: Clock,
  ) {
    this.#gapMs = perSecond > 0 ? 1000 / perSecond : 0
  }

  /** Whether a start need not wait for its turn. */
  get isFree(): boolean {
    return this.#gapMs === 0
  }

  /** Resolves when the next start is due, or at once when `signal` fires. */
  async turn(signal: AbortSignal): Promise<void> {
    if (this.isFree) return
    const now = this.clock.now().getTime()
    const due = Math.max(now, this.#nextAt)
    this.#nextAt = due + this.#gapMs
    if (due > now) await this.clock.sleep(due - now, signal)
  }
}
