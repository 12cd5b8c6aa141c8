/** Puts events that share any key, directly or through others, into one lane. */
export class LaneFinder {
  readonly #parents = new Map<string, string>()

  /** Ties the keys together; call it for every event before `laneOf` is asked. */
  tie(keys: readonly string[]): void {
    const [first, ...rest] = keys
    if (first === undefined) return
    let root = this.#rootOf(first)
    for (const key of rest) {
      const other = this.#rootOf(key)
      if (other === root) continue
      // The smaller one stays, so that a lane's name does not depend on the order of the events.
      const [keep, drop] = other < root ? [other, root] : [root, other]
      this.#parents.set(drop, keep)
      root = keep
    }
  }

  /** The lane's name; an event without keys has a lane of its own. */
  laneOf(keys: readonly string[], id: string): string {
    const [first] = keys
    return first === undefined ? `event:${id}` : this.#rootOf(first)
  }

  #rootOf(key: string): string {
    let root = key
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    for (let at = key; at !== root; ) {
      const next = this.#parents.get(at) as string
      this.#parents.set(at, root)
      at = next
    }
    return root
  }
}
