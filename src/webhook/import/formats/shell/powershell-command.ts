import type {CapturedRequest} from '../captured-request.js'
import type {LineReader, RawLine} from '../line-reader.js'

/** Whether a line begins a call of PowerShell's `Invoke-WebRequest` or `Invoke-RestMethod`. */
export function startsPowerShell(line: string): boolean {
  return /^\s*(PS [^>]*>\s*)?(\$\w+\s*=\s*)?(Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i.test(line)
}

/** A command goes on for so many lines, and so many characters in them, at most. */
const MOST_LINES = 200
const MOST_ADDED = 1024 * 1024

/** Reads a command of PowerShell that begins on a line, over as many lines as it takes. */
export async function parsePowerShellCommand(
  first: RawLine,
  reader: LineReader,
): Promise<CapturedRequest | {readonly why: string}> {
  let text = first.bytes.toString('latin1').replace(/\r$/, '')
  let values = readValues(text)
  const taken: RawLine[] = []
  for (let size = 0; !values; ) {
    const next = await reader.readLine()
    const line = next?.bytes.toString('latin1').replace(/\r$/, '') ?? ''
    if (next) taken.push(next)
    size += line.length
    if (!next || startsPowerShell(line) || taken.length > MOST_LINES || size > MOST_ADDED) {
      for (const each of taken.reverse()) reader.pushBack(each)
      return {why: 'the command is not whole'}
    }
    text += `\n${line}`
    values = readValues(text)
  }
  return toRequest(values)
}

/** A value of a command line; an object is a hash table, `@{…}`. */
type Value = string | ReadonlyMap<string, string>

/** Parameters without a value. */
const SWITCHES =
  /^-(UseBasicParsing|SkipCertificateCheck|SkipHttpErrorCheck|SkipHeaderValidation|DisableKeepAlive|PassThru|UseDefaultCredentials|NoProxy|AllowUnencryptedAuthentication|Verbose)$/i

/** Parameters by their name, in lower case; the first value without one is the address. */
function readParameters(values: readonly Value[]): ReadonlyMap<string, Value> {
  const given = new Map<string, Value>()
  for (let at = 0; at < values.length; at++) {
    const word = values[at] as Value
    const isName = typeof word === 'string' && /^-[A-Za-z]/.test(word)
    if (isName && SWITCHES.test(word)) continue
    const [, name = 'uri', value] = isName ? (/^-(\w+)(?::(.+))?$/s.exec(word) ?? []) : []
    if (isName) given.set(name.toLowerCase(), value ?? values[++at] ?? '')
    else if (!given.has(name)) given.set(name, word)
  }
  return given
}

function toRequest(values: readonly Value[]): CapturedRequest {
  const given = readParameters(values)
  const readText = (name: string) => {
    const value = given.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const headers = given.get('headers')
  const type = readText('contenttype')
  const body = readText('body')
  return {
    method: readText('method')?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST'),
    target: readText('uri'),
    headers: [
      ...(typeof headers === 'object' ? headers : []),
      ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ],
    body: body === undefined ? undefined : Buffer.from(body, 'latin1'),
  }
}

/** The values of a command, without its name; `undefined` where it goes on behind the end of the text. */
function readValues(text: string): Value[] | undefined {
  const scanner = new Scanner(text)
  const values: Value[] = []
  for (;;) {
    const end = scanner.skipSpace(false)
    if (end === 'unfinished') return undefined
    if (end === 'ended') break
    const value = scanner.readValue()
    if (value === undefined) return undefined
    values.push(value)
  }
  const name = values.findIndex(each => typeof each === 'string' && startsPowerShell(`${each} `))
  return values.slice(name + 1)
}

/** What stands behind a backtick for another character. */
const ESCAPES: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', '0': '\0', a: '\x07', b: '\b'}

/** Reads a command of PowerShell without expanding anything. */
class Scanner {
  #at = 0

  constructor(private readonly text: string) {}

  /** Skips what separates values. @param isInTable whether line feeds and semicolons separate, too */
  skipSpace(isInTable: boolean): 'value' | 'ended' | 'unfinished' {
    const space = isInTable ? /(?:`?[\s;|]|`$)*/y : /(?:[^\S\n]|`\n)*/y
    space.lastIndex = this.#at
    space.test(this.text)
    this.#at = space.lastIndex
    const rest = this.text.slice(this.#at, this.#at + 2)
    if (rest === '') return isInTable ? 'unfinished' : 'ended'
    if (rest === '`') return 'unfinished'
    return /^[\n;|]/.test(rest) ? 'ended' : 'value'
  }

  /** @returns `undefined` where it goes on behind the end of the text */
  readValue(): Value | undefined {
    const {text} = this
    if (text.startsWith('@{', this.#at)) return this.#readTable()
    const here = /^@(['"])[ \t]*(?:\n|$)/.exec(text.slice(this.#at, this.#at + 16))
    if (here) return this.#readHereString(here[0].length, here[1] as string)
    const char = text[this.#at]
    if (char === "'") return this.#readQuoted("'")
    if (char === '"') return this.#readQuoted('"')
    if (char === '(') return this.#readGroup()
    return this.#readWord(/[\s;|]/)
  }

  #readWord(end: RegExp): string {
    const from = this.#at
    while (this.#at < this.text.length && !end.test(this.text[this.#at] as string)) this.#at++
    // A lone character that ends words is one by itself.
    if (this.#at === from) this.#at++
    return this.text.slice(from, this.#at)
  }

  #readHereString(length: number, quote: string): string | undefined {
    const from = this.#at + length
    const end = this.text.indexOf(`\n${quote}@`, from - 1)
    if (end < 0) return undefined
    this.#at = end + 3
    const text = this.text.slice(from, Math.max(from, end))
    return quote === '"' ? text.replace(/`(.)/gs, (_, char: string) => ESCAPES[char] ?? char) : text
  }

  /** Both quotes are doubled for themselves; a backtick escapes in double quotes alone. */
  #readQuoted(quote: string): string | undefined {
    let value = ''
    for (let at = this.#at + 1; at < this.text.length; at++) {
      const char = this.text[at] as string
      const next = this.text[at + 1]
      if (char === quote && next !== quote) {
        this.#at = at + 1
        return value
      }
      const isEscape = quote === '"' && char === '`'
      if (char === quote || isEscape) at++
      value += isEscape ? (ESCAPES[next ?? ''] ?? next ?? '') : char
    }
    return undefined
  }

  /** The first text in brackets: `([System.Text.Encoding]::UTF8.GetBytes("…"))`. */
  #readGroup(): string | undefined {
    let depth = 0
    let found: string | undefined
    while (this.#at < this.text.length) {
      const char = this.text[this.#at] as string
      if (char === "'" || char === '"') {
        const value = this.#readQuoted(char)
        if (value === undefined) return undefined
        found ??= value
        continue
      }
      this.#at++
      if (char === '(') depth++
      if (char === ')' && --depth === 0) return found ?? ''
    }
    return undefined
  }

  #readTable(): ReadonlyMap<string, string> | undefined {
    const table = new Map<string, string>()
    this.#at += 2
    for (;;) {
      if (this.skipSpace(true) === 'unfinished') return undefined
      if (this.text[this.#at] === '}') {
        this.#at++
        return table
      }
      const name = this.#readTableWord()
      if (this.skipSpace(true) === 'unfinished') return undefined
      if (this.text[this.#at] !== '=') continue
      this.#at++
      if (this.skipSpace(true) === 'unfinished') return undefined
      const value = this.#readTableWord()
      if (name === undefined || value === undefined) return undefined
      table.set(name, value)
    }
  }

  #readTableWord(): string | undefined {
    const char = this.text[this.#at]
    return char === "'" || char === '"' ? this.#readQuoted(char) : this.#readWord(/[\s;=}]/)
  }
}
