/**
 * What was found out in this turn of the event loop, so that requests which came together ask for it once. Whatever is
 * written is committed between two turns, and answered after that, so nobody is told of an older state than was answered.
 */
export class ThisTurn<Value> {
  readonly #known = new Map<string, Value>()

  of(key: string, find: () => Value): Value {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size === 0) setImmediate(() => this.#known.clear())
    const value = find()
    this.#known.set(key, value)
    return value
  }
}
