/**
 * A text without what stands between `<` and the next `>`. `/<[^>]*>/g` would look for an end from each of many `<`.
 *
 * @param by what stands in place of each
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
