/** Calls that are under way, for a stop that waits for them. */
export class Calls {
  /** How many there are. */
  count = 0
  #idle: (() => void) | undefined

  async run<T>(call: () => Promise<T>): Promise<T> {
    this.count++
    try {
      return await call()
    } finally {
      this.count--
      if (this.count === 0) this.#idle?.()
    }
  }

  /** Resolves when none is under way any more, or the time is over. Whoever called may have hung up meanwhile. */
  async areOver(limitMs: number): Promise<void> {
    if (this.count === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(0, limitMs))
      this.#idle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
