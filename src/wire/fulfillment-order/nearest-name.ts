/** A typing mistake is this close; further away a suggestion would mislead. */
const FURTHEST = 3

/**
 * The name that was probably meant.
 *
 * @param known names to choose from
 * @returns `undefined` when none is within three single-letter changes, or half of what was typed
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = fold(typed)
  let best: string | undefined
  let bestDistance = Math.min(FURTHEST, Math.floor(wanted.length / 2)) + 1
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, fold(name))
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** `ship_to`, `Ship-To` and `shipTo` are the same mistake away from nothing. */
function fold(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase()
}

/** Levenshtein's, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
