/** A set of small whole numbers: a million take 128 KiB. */
export class IndexSet {
  size = 0
  #words = new Uint32Array(1024)

  add(at: number): void {
    const word = at >>> 5
    if (word >= this.#words.length) {
      const more = new Uint32Array(Math.max(word + 1, this.#words.length * 2))
      more.set(this.#words)
      this.#words = more
    }
    if (!this.has(at)) this.size++
    this.#words[word] = (this.#words[word] as number) | (1 << (at & 31))
  }

  has(at: number): boolean {
    return (((this.#words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1
  }
}
