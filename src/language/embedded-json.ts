/** Braces of a line that may begin an event; the others are text, so that time stays linear. */
const MOST_STARTS = 64
/** What may be read of a long line for braces that begin nothing, characters: a second's work at most. */
const MOST_READ = 64 * 1024 * 1024

/** A JSON object inside other text. */
export interface EmbeddedObject {
  /** The text of the object; of one inside a JSON string, as it was before it became one. */
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  /** Where it begins in the line. */
  readonly at: number
}

/**
 * The objects in a line of text, plain or with escaped quotes, in their order. Time is linear in the length of the line.
 *
 * @param line as UTF-8 text
 */
export function* findEmbeddedObjects(line: string): Generator<EmbeddedObject, void, void> {
  let stray = Math.ceil(MOST_READ / line.length)
  let from = 0
  for (let starts = 0; starts < MOST_STARTS && stray > 0; starts++) {
    const at = line.indexOf('{', from)
    if (at < 0) return
    const found = readPlain(line, at) ?? readEscaped(line, at)
    if (found) yield {text: found.text, value: found.value, at}
    else stray--
    from = found ? found.end : at + 1
  }
}

interface Found {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  readonly end: number
}

function readPlain(line: string, at: number): Found | undefined {
  const end = findEnd(line, at)
  return end === undefined ? undefined : toFound(line.slice(at, end), end)
}

/** One that stands in a JSON string: its quotes have a backslash, and what is inside its own strings three. */
function readEscaped(line: string, at: number): Found | undefined {
  if (!/^\{\s*\\+"/.test(line.slice(at, at + 64))) return undefined
  const end = findStringEnd(line, at)
  const text = parseString(line.slice(at, end))
  if (text === undefined) return undefined
  const inner = findEnd(text, 0)
  return inner === undefined ? undefined : toFound(text.slice(0, inner), end)
}

/** Where the string ends that a place is in: at a quote behind an even number of backslashes, or with the line. */
export function findStringEnd(line: string, at: number): number {
  for (let end = at; end < line.length; end++) {
    if (line[end] === '\\') end++
    else if (line[end] === '"') return end
  }
  return line.length
}

function parseString(text: string): string | undefined {
  try {
    return JSON.parse(`"${text.replaceAll('\t', ' ')}"`) as string
  } catch {
    return undefined
  }
}

/** Where an object ends, braces in its strings aside. */
function findEnd(text: string, at: number): number | undefined {
  let depth = 0
  let isString = false
  for (let end = at; end < text.length; end++) {
    const char = text[end]
    if (isString && char === '\\') end++
    else if (char === '"') isString = !isString
    else if (isString) continue
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return end + 1
  }
  return undefined
}

function toFound(text: string, end: number): Found | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? {text, value, end}
      : undefined
  } catch {
    return undefined
  }
}

/**
 * The text of a member of an object, as it stands there.
 *
 * @param text a valid JSON object
 * @param path names of members, from the outermost
 */
export function sliceMember(text: string, path: readonly string[]): string | undefined {
  let current = text.trim()
  for (const name of path) {
    const member = sliceOwnMember(current, name)
    if (member === undefined) return undefined
    current = member
  }
  return current
}

/** The last one of that name, as a parser takes it. */
function sliceOwnMember(text: string, name: string): string | undefined {
  let found: string | undefined
  for (const {key, from, end} of listMembers(text))
    if (parseString(key) === name) found = text.slice(from, end)
  return found
}

/** A member of an object in a text. */
export interface PlacedMember {
  /** Its name as it is written, without the quotes. */
  readonly key: string
  /** Where its value begins. */
  readonly from: number
  /** Behind its value. */
  readonly end: number
}

/** The members of an object, not those inside them. @param text a valid JSON object, without blanks before it */
export function* listMembers(text: string): Generator<PlacedMember, void, void> {
  let at = skip(text, 1, BETWEEN_MEMBERS)
  while (text[at] === '"') {
    const keyEnd = findStringEnd(text, at + 1)
    const from = skip(text, keyEnd + 1, BEFORE_VALUE)
    const end = findValueEnd(text, from)
    yield {key: text.slice(at + 1, keyEnd), from, end}
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

/** Where a valid value ends. */
function findValueEnd(text: string, from: number): number {
  const [first = ''] = text.slice(from, from + 1)
  if (first === '"') return findStringEnd(text, from + 1) + 1
  if (first !== '{' && first !== '[') return from + text.slice(from).search(/[\s,}\]]|$/)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') at = findStringEnd(text, at + 1)
    else if ('{['.includes(char)) depth++
    else if ('}]'.includes(char) && --depth === 0) return at + 1
  }
  return text.length
}
