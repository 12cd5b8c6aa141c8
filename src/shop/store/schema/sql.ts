/**
 * Combines parts in pairs, as a tree whose halves are even: engines limit how deep an expression may nest (SQLite at
 * 1000), and a chain nests at every link.
 *
 * @param parts at least one
 */
export function combineInPairs<T>(parts: readonly T[], combine: (left: T, right: T) => T): T {
  if (parts.length === 1) return parts[0] as T
  const half = Math.ceil(parts.length / 2)
  return combine(combineInPairs(parts.slice(0, half), combine), combineInPairs(parts.slice(half), combine))
}

/** For `like … escape '\'`: the text itself, wherever it has characters that mean something there. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, character => `\\${character}`)
}

/** Whether a name can stand in a statement as it is. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}
