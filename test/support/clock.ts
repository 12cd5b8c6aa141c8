import type {Clock} from '../../src/platform/clock.js'

/** A clock that stands still until a sleep or `advance` moves it; sleeping costs no real time. */
export class StoppedClock implements Clock {
  #now: number
  /** Every sleep asked for, in milliseconds, in order. */
  readonly sleeps: number[] = []

  constructor(start = '2026-11-21T12:00:00.000Z') {
    this.#now = Date.parse(start)
  }

  now(): Date {
    return new Date(this.#now)
  }

  readTicks(): number {
    return this.now().getTime()
  }

  advance(ms: number): void {
    this.#now += ms
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    this.sleeps.push(ms)
    this.#now += ms
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
}

/** The machine's clock, but a sleep takes no time: the clock is ahead by what was slept. */
export class SkippingClock implements Clock {
  #aheadMs: number

  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs)
  }

  readTicks(): number {
    return this.now().getTime()
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    this.#aheadMs += ms
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
}

/** A clock whose time goes on to the next sleeper as soon as nothing else is left to do. */
export class VirtualClock implements Clock {
  nowMs = Date.parse('2026-11-21T12:00:00.000Z')
  readonly #sleepers = new Set<{readonly atMs: number; readonly wake: () => void}>()
  #isDriving = false

  now(): Date {
    return new Date(this.nowMs)
  }

  readTicks(): number {
    return this.now().getTime()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const sleeper = {
        atMs: this.nowMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake, {once: true})
      if (!this.#isDriving) void this.#drive()
    })
  }

  async #drive(): Promise<void> {
    this.#isDriving = true
    while (this.#sleepers.size > 0) {
      for (let turns = 0; turns < 4; turns++) await new Promise(resolve => setImmediate(resolve))
      const next = Math.min(...[...this.#sleepers].map(({atMs}) => atMs))
      if (next === Number.POSITIVE_INFINITY) break
      this.nowMs = Math.max(this.nowMs, next)
      for (const {atMs, wake} of [...this.#sleepers]) if (atMs <= this.nowMs) wake()
    }
    this.#isDriving = false
  }
}

/** Now, as programs have it to whom a test gives no clock of its own. Tests read the time here or nowhere. */
export function currentTime(): Date {
  return new Date()
}

/** Some milliseconds before that, as ISO 8601. */
export function timeAgo(ms: number): string {
  return new Date(currentTime().getTime() - ms).toISOString()
}
