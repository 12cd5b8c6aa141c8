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

/** Now, as programs have it to whom a test gives no clock of its own. Tests read the time here or nowhere. */
export function currentTime(): Date {
  return new Date()
}

/** Some milliseconds before that, as ISO 8601. */
export function timeAgo(ms: number): string {
  return new Date(currentTime().getTime() - ms).toISOString()
}
