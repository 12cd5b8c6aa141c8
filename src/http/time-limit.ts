/** How long something may take; a whole call, or the next piece of one that is taken as it comes. */
export interface TimeLimit {
  /** Fires when the time is over, or at `end`. */
  readonly signal: AbortSignal
  /** Counts from the beginning again. */
  restart(): void
  /** Counts no more. */
  pause(): void
  /** Whether the time was over before anything else ended it. */
  hasStruck(): boolean
  end(reason: unknown): void
}

/** Begins to count. */
export function timeLimit(timeoutMs: number): TimeLimit {
  const controller = new AbortController()
  let struck = false
  const strike = () => {
    struck = !controller.signal.aborted
    controller.abort()
  }
  let timer: NodeJS.Timeout | undefined = setTimeout(strike, timeoutMs)
  const pause = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    signal: controller.signal,
    restart: () => {
      if (timer) timer.refresh()
      else timer = setTimeout(strike, timeoutMs)
    },
    pause,
    hasStruck: () => struck,
    end: reason => controller.abort(reason),
  }
}
