/** Characters that nobody writes in another way. */
const PLAIN = /^[A-Za-z0-9]$/

/** A backslash, and a percent sign, however often an address was encoded. */
const BACKSLASH = '(?:\\\\|%(?:25)*5[cC])'

/** As many backslashes as JSON five times inside JSON has; without a limit they are counted anew for each of them. */
const BACKSLASHES = `${BACKSLASH}{0,32}`
const ESCAPING = `${BACKSLASH}{1,32}`
const PERCENT = '%(?:25)*'

/** Where a text was wrapped, or where its line break is written out. */
const GAP = `(?:(?:\\r?\\n|${BACKSLASH}[rn]|${PERCENT}0[aAdD])[ \\t]*)*`

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
  '\u001b': 'e',
}
const ENTITIES: Readonly<Record<string, string>> = {
  '"': 'quot',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
  '&': 'amp',
}

/** The least of a long secret that is taken for a piece of it. */
const ANCHOR = 8

/** From here on a text is a secret by its mere length. */
const DISTINCTIVE_LENGTH = 16

/** One text to look for: a secret, or what an encoding makes of it. */
export interface SecretForm {
  /** Its characters. */
  readonly characters: readonly string[]
  /** Whether it must stand by itself, with neither letter nor digit beside it. */
  readonly standsAlone: boolean
  /** A regular expression's source that finds where it, or a piece of it, begins. */
  readonly anchor: string
}

/**
 * The texts that give a secret away: itself, its base64 at each of the three places where it can begin in a longer
 * text, as in `Basic base64(user:secret)`, and its hexadecimal bytes. The characters of each may be written in any way
 * that URLs, forms, JSON or HTML write them, and lines may break between them.
 *
 * @param standsAlone whether the secret itself must have neither letter nor digit beside it
 */
export function listSecretForms(secret: string, standsAlone: boolean): SecretForm[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const encoded = [0, 1, 2].map(offset => encodeBase64Core(bytes, offset)).filter(core => core.length >= 6)
  const urlSafe = encoded.map(core => core.replaceAll('+', '-').replaceAll('/', '_'))
  const coded = new Set([...encoded, ...urlSafe, hex, hex.toUpperCase()])
  return [buildForm(secret, standsAlone), ...[...coded].map(text => buildForm(text, false))]
}

/**
 * Where the form that begins at `from` ends in the text; the text may hold no more than its first characters.
 *
 * @returns `undefined` when it is not there, or is too short a piece to be told from an ordinary word
 */
export function endOf({characters, standsAlone}: SecretForm, text: string, from: number): number | undefined {
  let at = from
  let count = 0
  for (const character of characters) {
    const next = matchCharacter(text, at, character, count > 0)
    if (next === undefined) break
    at = next
    count++
  }
  const isWhole = count === characters.length
  if (standsAlone) return isWhole && isApart(text, from, at) ? at : undefined
  if (isWhole) return at
  return isDistinctive(characters.slice(0, count).join('')) ? endOfWord(text, at) : undefined
}

/** What goes on without a break may be the rest of it, in a way of writing that is not known here. */
function endOfWord(text: string, from: number): number {
  const rest = /[\s"'<>&,;]/g
  rest.lastIndex = from
  return rest.exec(text)?.index ?? text.length
}

/** Whether the text cannot be told from a word or a number that people write: `password`, `Berlin`, `2026`. */
export function isWord(text: string): boolean {
  return text.length < DISTINCTIVE_LENGTH && /^(?:\p{L}\p{Ll}*|\p{Lu}+|\d+)$/u.test(text)
}

function buildForm(text: string, standsAlone: boolean): SecretForm {
  const characters = [...text]
  const first = standsAlone ? characters : characters.slice(0, ANCHOR)
  const anchor = first.map(buildCharacterPattern).join(GAP)
  return {characters, standsAlone, anchor: standsAlone ? `(?<![A-Za-z0-9])${anchor}` : anchor}
}

function isDistinctive(piece: string): boolean {
  return piece.length >= ANCHOR && !isWord(piece)
}

function isApart(text: string, from: number, to: number): boolean {
  return !/[A-Za-z0-9]/.test(text[from - 1] ?? '') && !/[A-Za-z0-9]/.test(text[to] ?? '')
}

function matchCharacter(text: string, at: number, character: string, mayBreak: boolean): number | undefined {
  const isPlain = PLAIN.test(character)
  if (isPlain && text[at] === character) return at + 1
  if (isPlain && !/[\r\n\\%]/.test(text[at] ?? '')) return undefined
  const pattern = new RegExp(`${mayBreak ? GAP : ''}${buildCharacterPattern(character)}`, 'y')
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** A regular expression for the character as URLs, forms, JSON, HTML and our own output write it. */
function buildCharacterPattern(character: string): string {
  if (PLAIN.test(character)) return character
  const units = [...Array(character.length).keys()].map(at =>
    character.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  const point = character.codePointAt(0) ?? 0
  const bytes = [...Buffer.from(character)].map(byte => byte.toString(16).padStart(2, '0'))
  const ways = [
    `${BACKSLASHES}${bytes.map(byte => `${PERCENT}${matchEitherCase(byte)}`).join('')}`,
    units.map(unit => `${ESCAPING}u${matchEitherCase(unit)}`).join(''),
    `&(?:amp;)*#0*${point};`,
    `&(?:amp;)*#[xX]0*${matchEitherCase(point.toString(16))};`,
  ]
  const short = ESCAPES[character]
  const entity = ENTITIES[character]
  if (short !== undefined) ways.push(`${ESCAPING}${short}`)
  if (entity !== undefined) ways.push(`&(?:amp;)*${entity};`)
  if (character === ' ') ways.push('\\+')
  // The longer ways come first: an ampersand begins its own entity.
  ways.push(character === '\\' ? ESCAPING : `${BACKSLASHES}${escapeLiteral(character)}`)
  return `(?:${ways.join('|')})`
}

function escapeLiteral(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}

function matchEitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
}

/** The characters of base64 that depend on these bytes alone when `offset` others (0 to 2) stand before them. */
function encodeBase64Core(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  const isWhole = (bytes.length + offset) % 3 === 0
  return text.slice([0, 2, 3][offset], isWhole ? undefined : -1)
}
