/** A value of a command line; an object is a hash table, `@{…}`. */
export type Value = string | ReadonlyMap<string, string>

/** What stands behind a backtick for another character. */
const ESCAPES: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', '0': '\0', a: '\x07', b: '\b'}

/** Reads a command of PowerShell without expanding anything. */
export class Scanner {
  #at = 0

  constructor(private readonly text: string) {}

  /** Skips what a sticky pattern takes. */
  skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    if (pattern.test(this.text)) this.#at = pattern.lastIndex
  }

  /** Skips what separates values. @param isInTable whether line feeds and semicolons separate, too */
  skipSpace(isInTable: boolean): 'value' | 'ended' | 'unfinished' {
    const space = isInTable ? /[\s;|]{1,4096}|`[\s;|]|`$/y : /[^\S\n]{1,4096}|`\n/y
    for (let from = -1; from < this.#at; ) {
      from = this.#at
      this.skip(space)
    }
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

  /** The first text in brackets, or the first variable: `([System.Text.Encoding]::UTF8.GetBytes("…"))`. */
  #readGroup(): string | undefined {
    const from = this.#at
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
      if (char === ')' && --depth === 0)
        return found ?? /\$\w+/.exec(this.text.slice(from, this.#at))?.[0] ?? ''
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
      if (name === undefined) return undefined
      if (this.skipSpace(true) === 'unfinished') return undefined
      if (this.text[this.#at] !== '=') continue
      this.#at++
      if (this.skipSpace(true) === 'unfinished') return undefined
      const value = this.#readTableWord()
      if (value === undefined) return undefined
      table.set(name, value)
    }
  }

  #readTableWord(): string | undefined {
    const char = this.text[this.#at]
    return char === "'" || char === '"' ? this.#readQuoted(char) : this.#readWord(/[\s;=}]/)
  }
}
