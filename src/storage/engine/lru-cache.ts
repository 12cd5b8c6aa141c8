/** What was made for each key, kept for those that were asked for last. */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>()

  /** @param most how many are kept */
  constructor(private readonly most: number) {}

  of(key: string, make: () => Value): Value {
    const known = this.#kept.get(key)
    if (known === undefined) return this.#add(key, make())
    // Only where something may have to go does it matter who was asked for when.
    if (this.#kept.size < this.most) return known
    this.#kept.delete(key)
    return this.#add(key, known)
  }

  clear(): void {
    this.#kept.clear()
  }

  #add(key: string, value: Value): Value {
    if (this.#kept.size >= this.most) this.#kept.delete(this.#kept.keys().next().value as string)
    this.#kept.set(key, value)
    return value
  }
}
