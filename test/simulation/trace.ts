/** What happened, line by line, and a hash over all of it. */
export class Trace {
  readonly lines: string[] = []
  #one = 0xdeadbeef
  #two = 0x41c6ce57

  add(atMs: number, text: string): void {
    const line = `${atMs.toFixed(3)} ${text}`
    this.lines.push(line)
    for (let at = 0; at < line.length; at++) {
      const unit = line.charCodeAt(at)
      this.#one = Math.imul(this.#one ^ unit, 2654435761)
      this.#two = Math.imul(this.#two ^ unit, 1597334677)
    }
  }

  /** 16 hex digits. */
  get hash(): string {
    const [one, two] = [this.#one >>> 0, this.#two >>> 0]
    return [one, two].map(half => half.toString(16).padStart(8, '0')).join('')
  }
}
