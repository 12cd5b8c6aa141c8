/** What `JSON.stringify` leaves as it is and a terminal obeys: DEL, C1, and what turns the direction of text. */
const HARMFUL = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const DEL = 0x7f

/** JSON on one line, with no character that a terminal would obey; it reads back as the same value. */
export function stringifyJson(value: unknown): string {
  return escapeJsonControls(JSON.stringify(value))
}

/** JSON text whose strings hold such characters escaped. */
export function escapeJsonControls(json: string): string {
  return json.replace(HARMFUL, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The same for JSON that was not parsed; hardly ever has anything to be rewritten.
 *
 * @param json UTF-8
 */
export function escapeJsonControlBytes(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  return holdsHarm(bytes) ? Buffer.from(escapeJsonControls(bytes.toString('utf8'))) : json
}

function holdsHarm(bytes: Buffer): boolean {
  return (
    bytes.includes(DEL) ||
    // C1 is C2 80 to C2 9F; the others are E2 80 A8 to AE and E2 81 A6 to A9.
    hasMatch(bytes, 0xc2, at => (bytes[at + 1] ?? 0) < 0xa0) ||
    hasMatch(bytes, 0xe2, at => isTurn(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0))
  )
}

function isTurn(second: number, third: number): boolean {
  return (
    (second === 0x80 && third >= 0xa8 && third <= 0xae) || (second === 0x81 && third >= 0xa6 && third <= 0xa9)
  )
}

function hasMatch(bytes: Buffer, lead: number, holds: (at: number) => boolean): boolean {
  for (let at = bytes.indexOf(lead); at >= 0; at = bytes.indexOf(lead, at + 1)) if (holds(at)) return true
  return false
}

/** Enough digits to be beyond 2^53. */
const MAY_BE_LARGE = /\d{16}/
const STRING_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const WHOLE_NUMBER = /^-?\d{16,}$/

/**
 * What JSON text holds; whole numbers beyond ±(2^53 - 1) as text, digit by digit.
 *
 * @throws SyntaxError
 */
export function parseExactJson(json: string): unknown {
  return JSON.parse(quoteLargeNumbers(json, ''))
}

/** JSON text with line breaks and indents, each number as it was written. @throws SyntaxError */
export function indentJson(json: string): string {
  const indented = JSON.stringify(JSON.parse(json), null, 2)
  if (!MAY_BE_LARGE.test(json)) return indented
  let mark = '#'
  while (indented.includes(mark)) mark += '#'
  const marked = JSON.stringify(JSON.parse(quoteLargeNumbers(json, mark)), null, 2)
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** At a quote behind an even number of backslashes, or with the text. A pattern for it overflows its stack at 8 MiB. */
function findStringEnd(json: string, from: number): number {
  let at = from
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

/** @param mark goes before the digits in each string that was a number */
function quoteLargeNumbers(json: string, mark: string): string {
  if (!MAY_BE_LARGE.test(json)) return json
  let quoted = ''
  let done = 0
  STRING_OR_NUMBER.lastIndex = 0
  for (let found = STRING_OR_NUMBER.exec(json); found; found = STRING_OR_NUMBER.exec(json)) {
    const [text] = found
    if (text === '"') STRING_OR_NUMBER.lastIndex = findStringEnd(json, found.index + 1) + 1
    else if (WHOLE_NUMBER.test(text) && !Number.isSafeInteger(Number(text))) {
      quoted += `${json.slice(done, found.index)}"${mark}${text}"`
      done = STRING_OR_NUMBER.lastIndex
    }
  }
  return quoted + json.slice(done)
}
