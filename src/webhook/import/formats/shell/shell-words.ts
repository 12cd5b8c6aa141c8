/** A word of a command line, or one of its operators: `|`, `;`, `&&`, `<`, `<<`, `<<<`, … */
export type ShellToken =
  | {readonly kind: 'word'; readonly text: string}
  | {readonly kind: 'operator'; readonly text: string}

/** A command line taken apart. */
export interface ShellLine {
  readonly tokens: readonly ShellToken[]
  /**
   * What the command goes on behind the end of the line for: the quote that is still open, or the backslash at the end;
   * `undefined` where it does not.
   */
  readonly open: "'" | '"' | '\\' | undefined
}

const OPERATOR = /^(<<<|<<-|<<|>>|&&|\|\||\||;|&|<|>)/
const ESCAPES: Readonly<Record<string, string>> = {
  ...{n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b', E: '\x1b'},
  ...{'\\': '\\', "'": "'", '"': '"', '?': '?'},
}

/**
 * Takes a command line apart as a shell does, without expanding anything.
 *
 * @param line may hold line feeds; as latin1 where bytes matter
 */
export function splitShellWords(line: string): ShellLine {
  const tokens: ShellToken[] = []
  let word: string | undefined
  const finish = () => {
    if (word !== undefined) tokens.push({kind: 'word', text: word})
    word = undefined
  }
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at, at + 3)
    const char = rest[0] as string
    const operator = OPERATOR.exec(rest)?.[1]
    if (/\s/.test(char)) {
      finish()
      at++
    } else if (operator) {
      finish()
      tokens.push({kind: 'operator', text: operator})
      at += operator.length
    } else if (char === '#' && word === undefined) at = findLineEnd(line, at)
    else {
      const piece = readPiece(line, at)
      if (!piece) return {tokens, open: detectOpen(line, at)}
      word = (word ?? '') + piece.text
      at = piece.end
    }
  }
  finish()
  return {tokens, open: undefined}
}

function findLineEnd(line: string, from: number): number {
  const end = line.indexOf('\n', from)
  return end < 0 ? line.length : end
}

function detectOpen(line: string, at: number): ShellLine['open'] {
  const char = line.startsWith("$'", at) ? "'" : line[at]
  return char === "'" || char === '"' ? char : '\\'
}

interface Piece {
  readonly text: string
  readonly end: number
}

/** @returns `undefined` when it goes on behind the end of the line */
function readPiece(line: string, at: number): Piece | undefined {
  if (line.startsWith("$'", at)) return readAnsiText(line, at + 2)
  const char = line[at]
  if (char === "'") {
    const end = line.indexOf("'", at + 1)
    return end < 0 ? undefined : {text: line.slice(at + 1, end), end: end + 1}
  }
  if (char === '"') return readDoubleQuoted(line, at + 1)
  if (char === '\\') return readBackslashed(line, at)
  const end = line.slice(at + 1).search(/[\s'"\\|;&<>$]/)
  const stop = end < 0 ? line.length : at + 1 + end
  return {text: line.slice(at, stop), end: stop}
}

function readBackslashed(line: string, at: number): Piece | undefined {
  const next = line[at + 1]
  if (next === undefined || (next === '\r' && line[at + 2] === undefined)) return undefined
  if (next === '\r' && line[at + 2] === '\n') return {text: '', end: at + 3}
  return {text: next === '\n' ? '' : next, end: at + 2}
}

function readDoubleQuoted(line: string, from: number): Piece | undefined {
  let text = ''
  for (let at = from; at < line.length; at++) {
    const char = line[at] as string
    if (char === '"') return {text, end: at + 1}
    const next = line[at + 1]
    if (char === '\\' && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== '\n') text += next
      at++
    } else text += char
  }
  return undefined
}

const CODE = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/

function readAnsiText(line: string, from: number): Piece | undefined {
  let text = ''
  for (let at = from; at < line.length; at++) {
    const char = line[at] as string
    if (char === "'") return {text, end: at + 1}
    if (char !== '\\') {
      text += char
      continue
    }
    const [all, hex, short, long, octal] = CODE.exec(line.slice(at + 1, at + 10)) ?? []
    if (all !== undefined) {
      text += decodeEscape(hex, octal, short ?? long)
      at += all.length
    } else {
      const next = line[++at]
      if (next === undefined) return undefined
      text += ESCAPES[next] ?? `\\${next}`
    }
  }
  return undefined
}

/** Bytes by hex or octal; characters, as their UTF-8 bytes, by `\u`. */
function decodeEscape(
  hex: string | undefined,
  octal: string | undefined,
  unicode: string | undefined,
): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  const point = Number.parseInt(unicode ?? '0', 16)
  return Buffer.from(String.fromCodePoint(Math.min(point, 0x10ffff))).toString('latin1')
}
