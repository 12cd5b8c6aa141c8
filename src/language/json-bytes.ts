/** No token: the bytes are used up. */
export const NONE = 0
/** A number, `true`, `false` or `null`, or whatever else stands where one of them may. */
export const WORD = 1
export const LINE_FEED = 0x0a
export const TEXT = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Brackets in brackets: PHP, and so the shop, reads no deeper. */
export const DEEPEST = 512

export const SPACE = 0x20
const BACKSLASH = 0x5c

/** Which token each byte begins, and which bytes end a word. */
export interface ByteRules {
  /** By byte: a token, `NONE` for a blank. */
  readonly kinds: Uint8Array
  /** By byte: 1 where a word that came before it ends. */
  readonly endsWord: Uint8Array
}

const BLANKS = Buffer.from(' \n\r\t')

/**
 * @param punctuation bytes that are tokens of their own, quotes and brackets among them
 * @param wordEnds bytes before which a word ends
 */
export function buildByteRules(punctuation: Iterable<number>, wordEnds: Iterable<number>): ByteRules {
  const kinds = new Uint8Array(256).fill(WORD)
  for (const byte of BLANKS) kinds[byte] = NONE
  for (const byte of punctuation) kinds[byte] = byte
  const endsWord = new Uint8Array(256)
  for (const byte of wordEnds) endsWord[byte] = 1
  return {kinds, endsWord}
}

const PUNCTUATION = Buffer.from('"{}[]:,')
export const JSON_RULES = buildByteRules(PUNCTUATION, [...BLANKS, ...PUNCTUATION])

/**
 * Where a text ends, or is not JSON any more.
 *
 * @param at inside the text, behind an escape and not in one
 * @returns where its closing quote is, or a control character; `bytes.length` where the bytes end before that, and one
 * more where the byte that follows them is escaped
 */
export function endOfText(bytes: Uint8Array, at: number): number {
  const {length} = bytes
  for (let to = at; to < length; to++) {
    const byte = bytes[to] as number
    if (byte === TEXT || byte < SPACE) return to
    if (byte !== BACKSLASH) continue
    if (to + 1 === length) return length + 1
    if ((bytes[to + 1] as number) >= SPACE) to++
  }
  return length
}
