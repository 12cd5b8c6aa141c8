import {createUsageError} from '../errors.js'

/** What a byte from 0x80 to 0x9f is in Windows-1252; some releases of Node read it as Latin-1. */
const UPPER_1252 = `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${listCharacters(0xa0, 0xff)}`

/** The encoding of MS-DOS in Western Europe, which no `TextDecoder` reads. */
const UPPER_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/** Characters of the bytes from 0x80 on, by encoding. */
const UPPER: Readonly<Record<string, string>> = {'windows-1252': UPPER_1252, cp850: UPPER_850}

/** Names of encodings that no standard label has. */
const ALSO: Readonly<Record<string, string>> = {
  'cp-850': 'cp850',
  cp850: 'cp850',
  ibm850: 'cp850',
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
}

/** The most frequent encodings of files that are not UTF-8. */
const LIKELY = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251', 'cp850']

function listCharacters(first: number, last: number): string {
  return String.fromCharCode(...Array.from({length: last - first + 1}, (_, at) => first + at))
}

/**
 * The encoding that a label names: `latin1` is `windows-1252`.
 *
 * @throws StorectlError `usage.unknown_encoding`
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export function parseEncoding(label: string): string {
  const lower = label.trim().toLowerCase()
  try {
    return ALSO[lower] ?? new TextDecoder(lower).encoding
  } catch {
    throw createUsageError('unknown_encoding', `"${label}" is not an encoding that storectl can read.`, [
      `one of ${LIKELY.join(', ')}, or any other label of https://encoding.spec.whatwg.org`,
    ])
  }
}

/** Reads text from pieces of bytes; throws `usage.encoding` for bytes invalid in its encoding. */
export interface PieceDecoder {
  /** @param bytes absent at the end, where `stream` is false */
  decode(bytes?: Uint8Array, options?: {stream?: boolean}): string
}

/** @param encoding as `parseEncoding` names it */
export function createDecoder(encoding: string): PieceDecoder {
  const upper = UPPER[encoding]
  if (upper === undefined) return createStandardDecoder(encoding)
  const decode = (bytes: Uint8Array = new Uint8Array()) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\u0080-\u00ff]/g, byte => upper.charAt(byte.charCodeAt(0) - 0x80))
  return {decode}
}

function createStandardDecoder(encoding: string): PieceDecoder {
  const decoder = new TextDecoder(encoding, {fatal: true, ignoreBOM: true})
  return {
    decode: (bytes, options) => {
      try {
        return decoder.decode(bytes, options)
      } catch {
        throw createUsageError('encoding', `The input is not ${encoding.toUpperCase()} text.`)
      }
    },
  }
}

/**
 * A word that is not UTF-8 in each likely encoding, as next steps with the flag; those that give a real word come first.
 *
 * @param word bytes without blanks
 */
export function suggestEncodings(word: Uint8Array): string[] {
  const readings = LIKELY.map(encoding => ({encoding, text: createDecoder(encoding).decode(word)}))
  return readings
    .filter(({text}) => !/\p{Cc}/u.test(text))
    .sort((a, b) => Number(isLikelyWord(b.text)) - Number(isLikelyWord(a.text)))
    .map(({encoding, text}) => `--encoding ${encoding} (reads ${JSON.stringify(text)})`)
}

/** The same for the first word of a text that is not UTF-8. */
export function suggestEncodingsOf(bytes: Buffer): string[] {
  const wrong = findFirstWrong(bytes)
  return wrong === undefined ? [] : suggestEncodings(cutWord(bytes, wrong))
}

/** Letters of one alphabet, none in capitals behind a small one. */
function isLikelyWord(text: string): boolean {
  const isMixed = /\p{sc=Latn}/u.test(text) && /\p{sc=Cyrl}/u.test(text)
  return !isMixed && /^[\p{L}\p{Nd}'’.,/&-]+$/u.test(text) && !/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|ƒ/u.test(text)
}

/** Whether bytes are UTF-8; a character that their end cuts through is. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(bytes, {stream: true})
    return true
  } catch {
    return false
  }
}

const LOST = Buffer.from('\ufffd')

/** The first byte that is invalid in UTF-8 at its position, from 0. */
export function findFirstWrong(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined
  let at = 0
  for (const good of bytes.toString('utf8').split('\ufffd')) {
    at += Buffer.byteLength(good)
    if (!bytes.subarray(at, at + LOST.length).equals(LOST)) return at
    at += LOST.length
  }
  return undefined
}

/** Longer words are cut. */
const WORD_BYTES = 40
const BETWEEN = /[\t\r\n ",;:|=<>]/

/** The bytes around a byte, up to blanks, quotes and delimiters. */
export function cutWord(bytes: Buffer, at: number): Buffer {
  const before = bytes.toString('latin1', Math.max(0, at - WORD_BYTES), at).split(BETWEEN)
  const after = bytes.toString('latin1', at, at + WORD_BYTES).split(BETWEEN)
  return Buffer.from(`${before.at(-1)}${after[0]}`, 'latin1')
}

/** By its byte order mark, or by the zero half of its first character, where that is ASCII. */
export function detectUnicode(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const hex = start.toString('hex', 0, 2)
  return /^fffe|^(?!00)..00/.test(hex) ? 'utf-16le' : /^feff|^00(?!00)../.test(hex) ? 'utf-16be' : 'utf-8'
}

/** Whether bytes are certainly UTF-8: valid, and not all ASCII. */
export function showsUtf8(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte >= 0x80) && isUtf8(bytes)
}

const BYTES_1252 = new Map([...UPPER_1252].map((character, at) => [character, 0x80 + at]))

/** A lead byte of UTF-8 and one that goes on with it, as Windows-1252 or Latin-1 shows them. */
const MAY_BE_UTF8 = new RegExp(`[Â-ô][${UPPER_1252.slice(0, 0x40)}\u0080-\u009f]`)

/**
 * Repairs UTF-8 that was read as Windows-1252, once or several times: `JÃ¼rgen` becomes `Jürgen`.
 *
 * @returns `undefined` for any other text
 */
export function repairMojibake(text: string): string | undefined {
  if (!MAY_BE_UTF8.test(text)) return undefined
  const bytes = Buffer.alloc(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0xa0 ? code : BYTES_1252.get(text.charAt(at))
    if (byte === undefined) return undefined
    bytes[at] = byte
  }
  try {
    const repaired = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
    return repairMojibake(repaired) ?? repaired
  } catch {
    return undefined
  }
}
