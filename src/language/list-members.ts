/** Where the string ends that a place is in: at a quote behind an even number of backslashes, or with the text. */
export function findStringEnd(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') return end
  }
  return text.length
}

/** A member of an object or of a list in a text. */
export interface PlacedMember {
  /** Its name as it is written, without the quotes; empty in a list. */
  readonly key: string
  /** Where its value begins. */
  readonly from: number
  /** Behind its value. */
  readonly end: number
}

/**
 * The members of an object or a list, not those inside them.
 *
 * @param text with valid JSON
 * @param start of the opening bracket
 */
export function* listMembers(text: string, start = 0): Generator<PlacedMember, void, void> {
  const isList = text[start] === '['
  let at = skip(text, start + 1, BETWEEN_MEMBERS)
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const keyEnd = isList ? at : findStringEnd(text, at + 1)
    const from = isList ? at : skip(text, keyEnd + 1, BEFORE_VALUE)
    const end = findValueEnd(text, from)
    yield {key: isList ? '' : text.slice(at + 1, keyEnd), from, end}
    at = skip(text, end, BETWEEN_MEMBERS)
  }
}

const BETWEEN_MEMBERS = ' \t\r\n,'
const BEFORE_VALUE = ' \t\r\n:'

function skip(text: string, from: number, characters: string): number {
  let at = from
  while (at < text.length && characters.includes(text[at] as string)) at++
  return at
}

const WORD_END = /[\s,}\]]|$/g

/** Where a valid value ends. */
function findValueEnd(text: string, from: number): number {
  const first = text[from] ?? ''
  if (first === '"') return findStringEnd(text, from + 1) + 1
  if (first !== '{' && first !== '[') {
    WORD_END.lastIndex = from
    return WORD_END.exec(text)?.index ?? text.length
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') at = findStringEnd(text, at + 1)
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}
