/** The position in a list: the row with the cursor, and the first row shown. */
export class ListCursor {
  at = 0
  top = 0

  /** Moves by a key's name. @param length of the list as far as it is known. @returns whether the key moves */
  move(key: string, length: number, page: number): boolean {
    const steps: Readonly<Record<string, number>> = {
      ...{up: -1, k: -1, down: 1, j: 1},
      ...{pageup: -page, pagedown: page, home: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY},
    }
    const step = Object.hasOwn(steps, key) ? steps[key] : undefined
    if (step === undefined) return false
    this.at = Math.max(0, Math.min(length - 1, this.at + step))
    return true
  }

  /** Scrolls so that the cursor is on the page. */
  follow(page: number): void {
    if (this.at < this.top) this.top = this.at
    if (this.at >= this.top + page) this.top = this.at - page + 1
  }
}
