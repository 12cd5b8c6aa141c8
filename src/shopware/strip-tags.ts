/**
 * Removes markup from a text like PHP: from a `<` that no space follows to the closing `>` outside of quotes, or to the
 * end. Text between tags stays.
 */
export function stripTags(text: string): string {
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const open = text.indexOf('<', at)
    if (open < 0) return plain + text.slice(at)
    plain += text.slice(at, open)
    if (/\s/.test(text[open + 1] ?? '')) {
      plain += '<'
      at = open
      continue
    }
    at = findEnd(text, open)
  }
  return plain
}

/** Where the markup that begins at `open` closes; the end of the text when it does not close. */
function findEnd(text: string, open: number): number {
  if (text.startsWith('<!--', open)) {
    const end = text.indexOf('-->', open)
    return end < 0 ? text.length : end + 2
  }
  let depth = 0
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"' || character === "'") at = findQuote(text, character, at + 1)
    else if (character === '<') depth++
    else if (character === '>' && depth-- === 0) return at
  }
  return text.length
}

/** Where a quote closes; the end of the text when it does not close. */
function findQuote(text: string, quote: string, from: number): number {
  const end = text.indexOf(quote, from)
  return end < 0 ? text.length : end
}
