/**
 * Caches results for this turn of the event loop, so that concurrent requests share one query. Writes are committed
 * between two turns and answered after that, so no response is older than an earlier one.
 */
export class PerTickCache<Value> {
  readonly #known = new Map<string, Value>()

  get(key: string, find: () => Value): Value {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size === 0) setImmediate(() => this.#known.clear())
    const value = find()
    this.#known.set(key, value)
    return value
  }
}

/** Steps of long work before others can run: about ten milliseconds. */
const STEPS_A_TURN = 100

/** Lets others run. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/**
 * Lets others run during the work on a long list.
 *
 * @returns a function to await at every step
 */
export function createYielder(): () => Promise<void> | undefined {
  let steps = 0
  return () => {
    steps++
    return steps % STEPS_A_TURN === 0 ? yieldToEventLoop() : undefined
  }
}
