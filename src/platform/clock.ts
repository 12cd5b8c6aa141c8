/** The program's clock: the machine's, or a test's. */
export interface Clock {
  now(): Date
  /** Monotonic milliseconds since some moment, for measuring durations; `performance` would load more of Node. */
  readTicks(): number
  /** Resolves after `ms` milliseconds, or at once when `signal` fires; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that is `aheadMs` milliseconds ahead of another. */
export function shiftClock(clock: Clock, aheadMs: number): Clock {
  if (aheadMs === 0) return clock
  return {
    now: () => new Date(clock.now().getTime() + aheadMs),
    readTicks: () => clock.readTicks(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  }
}

/** The machine's own clock. */
export const machineClock: Clock = {
  now: () => new Date(),
  readTicks: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake, {once: true})
    }),
}
