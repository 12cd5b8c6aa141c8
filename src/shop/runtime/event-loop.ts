/**
 * What was found out in this turn of the event loop, so that requests which came together ask for it once. Whatever is
 * written is committed between two turns, and answered after that, so nobody is told of an older state than was answered.
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

/** Steps of long work between two turns of others: some ten milliseconds. */
const STEPS_A_TURN = 100

/** Lets others have their turn between two pieces of work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/**
 * Lets others have their turn while a long list is worked through.
 *
 * @returns to be waited for at every step
 */
export function createYielder(): () => Promise<void> | undefined {
  let steps = 0
  return () => {
    steps++
    return steps % STEPS_A_TURN === 0 ? yieldToEventLoop() : undefined
  }
}
