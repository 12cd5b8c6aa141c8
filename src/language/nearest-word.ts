/**
 * The candidate that a mistyped word most likely meant.
 *
 * @returns `undefined` if none is near: more than a third of the word would have to change
 */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: string | undefined
  const letters = word.replace(/^-+/, '').length
  let bestDistance = Math.max(1, Math.floor(letters / 3)) + 1
  for (const candidate of candidates) {
    const distance = computeEditDistance(typed, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean "…"?`, or nothing when no candidate is near. */
export function suggestNearest(word: string, candidates: Iterable<string>): string {
  const meant = findNearest(word, candidates)
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}

/**
 * Insertions, deletions, replacements and swaps of neighbours between two words; gives up at `limit`.
 *
 * @see Damerau 1964; the restricted ("optimal string alignment") distance
 */
function computeEditDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let above = Array.from({length: b.length + 1}, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const least = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row.push(isSwap(a, i, b, j) ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    before = above
    above = row
  }
  return above[b.length] ?? limit
}

/** Whether the two letters before `i` are swapped before `j`. */
function isSwap(a: string, i: number, b: string, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
}
