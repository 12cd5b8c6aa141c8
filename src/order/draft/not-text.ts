import {type StorectlError, usageError} from '../../errors.js'

/** The line and column of a byte that is not UTF-8; both count from 1. */
interface WrongByte {
  readonly line: number
  readonly column: number
  readonly byte: number
}

/** What there is to say of bytes that are no text in the encoding they seem to be in. */
export async function notText(
  encoding: string,
  name: string,
  readAgain: (() => AsyncIterable<Buffer>) | undefined,
): Promise<StorectlError> {
  const wrong = readAgain && encoding === 'utf-8' ? await wrongByte(readAgain()) : undefined
  const where = wrong ? `${name}:${wrong.line}:${wrong.column}: this` : name
  const byte = wrong ? ` (got the byte 0x${wrong.byte.toString(16)})` : ''
  return usageError('encoding', `${where} is not ${encoding.toUpperCase()} text${byte}. Nothing was sent.`, [
    mending(name),
  ])
}

function mending(name: string): string {
  const convert = 'iconv -f WINDOWS-1252 -t UTF-8'
  if (name === 'stdin') return `… | ${convert} | storectl order validate -`
  const bare = name.replace(/^.*\//, '').replace(/\.gz$/, '')
  const target = quoted(`utf8-${bare}`)
  return name.endsWith('.gz')
    ? `gzip -dc ${quoted(name)} | ${convert} > ${target}`
    : `${convert} ${quoted(name)} > ${target}`
}

function quoted(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Bytes; in a file without lines there are no places to name. */
const LONGEST_LINE = 4 * 1024 * 1024

/** Reads as far as the first byte that cannot stand where it stands. */
async function wrongByte(pieces: AsyncIterable<Buffer>): Promise<WrongByte | undefined> {
  let line = 1
  let before: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([before, piece])
    const from = bytes.lastIndexOf(0x0a) + 1
    const whole = bytes.subarray(0, from)
    const at = firstWrong(from === 0 || isText(whole) ? bytes : whole)
    const byte = at === undefined ? undefined : bytes[at]
    if (at !== undefined && byte !== undefined) {
      const head = bytes.toString('utf8', 0, at).split('\n')
      return {line: line + head.length - 1, column: [...(head.at(-1) ?? '')].length + 1, byte}
    }
    if (bytes.length > LONGEST_LINE) return undefined
    line += whole.toString('latin1').split('\n').length - 1
    before = bytes.subarray(from)
  }
  return undefined
}

/** A character that the end of the bytes cuts through is not wrong. */
function isText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(bytes, {stream: true})
    return true
  } catch {
    return false
  }
}

function firstWrong(bytes: Buffer): number | undefined {
  if (isText(bytes)) return undefined
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isText(bytes.subarray(0, middle))) good = middle
    else bad = middle
  }
  return beginning(bytes, good)
}

/** A character is found wrong at the byte that does not go on with it, and is wrong where it begins. */
function beginning(bytes: Buffer, at: number): number {
  for (let start = at - 1; start >= Math.max(0, at - 3); start--) {
    const byte = bytes[start] as number
    if (byte < 0x80) return at
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return start + length > at ? start : at
  }
  return at
}
