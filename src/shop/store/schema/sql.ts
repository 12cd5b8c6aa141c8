/**
 * Combines parts in pairs, as a tree whose halves are even: engines limit how deep an expression may nest (SQLite at
 * 1000), and a chain nests at every link.
 *
 * @param parts at least one
 */
export function balanced<T>(parts: readonly T[], combine: (left: T, right: T) => T): T {
  if (parts.length === 1) return parts[0] as T
  const half = Math.ceil(parts.length / 2)
  return combine(balanced(parts.slice(0, half), combine), balanced(parts.slice(half), combine))
}
