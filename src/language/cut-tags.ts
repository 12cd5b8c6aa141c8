/**
 * A text without the parts from `<` to the next `>`. `/<[^>]*>/g` would search for an end from each of many `<`.
 *
 * @param by replaces each
 */
export function cutTags(text: string, by: string): string {
  const pieces = text.split('>')
  const rest = pieces.pop() ?? ''
  return pieces.map(piece => cutOne(piece, by)).join('') + rest
}

/** @param piece up to a `>`, which ends a tag or is text */
function cutOne(piece: string, by: string): string {
  const at = piece.indexOf('<')
  return at < 0 ? `${piece}>` : piece.slice(0, at) + by
}
