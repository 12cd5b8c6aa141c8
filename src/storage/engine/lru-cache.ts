/** A cache of the most recently used values. */
export class LruCache<Value> {
  readonly #entries = new Map<string, Value>()

  /** @param capacity most values */
  constructor(private readonly capacity: number) {}

  getOrCreate(key: string, make: () => Value): Value {
    const known = this.#entries.get(key)
    if (known === undefined) return this.#add(key, make())
    // The order of use matters only once the cache is full.
    if (this.#entries.size < this.capacity) return known
    this.#entries.delete(key)
    return this.#add(key, known)
  }

  clear(): void {
    this.#entries.clear()
  }

  #add(key: string, value: Value): Value {
    if (this.#entries.size >= this.capacity) this.#entries.delete(this.#entries.keys().next().value as string)
    this.#entries.set(key, value)
    return value
  }
}
