/**
 * A hash of a text, 32 bits; together with `backwards` it tells very many texts apart in little memory, where a chance
 * match does no harm.
 *
 * @see FNV-1a
 */
export function forwards(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The same from the end to the beginning. */
export function backwards(text: string): number {
  let hash = 0x811c9dc5
  for (let at = text.length - 1; at >= 0; at--) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 13)) >>> 0
}
