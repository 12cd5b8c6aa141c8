/** JSON that cannot be read; `at` is where, UTF-16 units from 0. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

/** What lies deeper has the place of what it lies in; walking costs stack. */
const DEEPEST = 200
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them unescaped
const TEXT = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const BLANK = /[ \t\r\n]*/y

/**
 * Where each value of a JSON text begins, by JSON pointer.
 *
 * Slower than `JSON.parse` by far: for explaining mistakes, not for reading.
 *
 * @returns UTF-16 units from 0; the last one where a name stands twice
 * @throws JsonFault where the text is no JSON
 * @see RFC 8259, RFC 6901
 */
export function jsonPlaces(text: string): Map<string, number> {
  return jsonWalk(text).places
}

/** A member whose name stands in the same object already. */
export interface Repeat {
  readonly pointer: string
  /** Of its name, UTF-16 units from 0. */
  readonly at: number
  /** Of its value: the first unit, and the one behind the last. */
  readonly value: readonly [number, number]
}

/** The same, with members that stand twice. @throws JsonFault where the text is no JSON */
export function jsonWalk(text: string): {places: Map<string, number>; repeats: Repeat[]} {
  const walk = new Walk(text)
  walk.value('', 0)
  walk.end()
  return walk
}

class Walk {
  readonly places = new Map<string, number>()
  readonly repeats: Repeat[] = []
  #at = 0

  constructor(private readonly text: string) {
    this.#skip()
  }

  value(pointer: string, depth: number): void {
    this.places.set(pointer, this.#at)
    const character = this.text[this.#at]
    if (depth > DEEPEST && (character === '{' || character === '[')) this.#passOver()
    else if (character === '{') this.#object(pointer, depth)
    else if (character === '[') this.#list(pointer, depth)
    else if (character === '"') this.#string()
    else if (this.#take(SCALAR) === undefined) this.#fail(`a value is expected here, not ${this.#named()}`)
    this.#skip()
  }

  end(): void {
    if (this.#at < this.text.length)
      this.#fail(`nothing is expected here any more, but ${this.#named()} stands here`)
  }

  #object(pointer: string, depth: number): void {
    const names = new Set<string>()
    this.#members('}', () => {
      if (this.text[this.#at] !== '"')
        this.#fail(`a name in double quotes is expected here, not ${this.#named()}`)
      const nameAt = this.#at
      const name = JSON.parse(this.#string()) as string
      this.#skip()
      if (this.text[this.#at] !== ':') this.#fail(`":" is expected here, not ${this.#named()}`)
      this.#at++
      this.#skip()
      const member = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const valueAt = this.#at
      this.value(member, depth + 1)
      if (names.has(name)) this.repeats.push({pointer: member, at: nameAt, value: [valueAt, this.#at]})
      names.add(name)
    })
  }

  #list(pointer: string, depth: number): void {
    let index = 0
    this.#members(']', () => this.value(`${pointer}/${index++}`, depth + 1))
  }

  #members(close: string, member: () => void): void {
    this.#at++
    this.#skip()
    if (this.text[this.#at] === close) {
      this.#at++
      return
    }
    while (true) {
      member()
      const character = this.text[this.#at]
      if (character !== ',' && character !== close)
        this.#fail(`"," or "${close}" is expected here, not ${this.#named()}`)
      this.#at++
      if (character === close) return
      this.#skip()
    }
  }

  /** To the end of an object or a list, whatever it holds. */
  #passOver(): void {
    for (let open = 0; this.#at < this.text.length; ) {
      const character = this.text[this.#at] as string
      if (character === '"') {
        this.#string()
        continue
      }
      this.#at++
      if (character === '{' || character === '[') open++
      else if ((character === '}' || character === ']') && --open === 0) return
    }
  }

  #string(): string {
    const text = this.#take(TEXT)
    if (text === undefined) this.#fail('this text is not closed, or holds a line break or a bad escape')
    return text
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #skip(): void {
    this.#take(BLANK)
  }

  #named(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.#at) ?? 0)
    return this.#at < this.text.length ? JSON.stringify(character) : 'the end'
  }

  #fail(message: string): never {
    throw new JsonFault(message, this.#at)
  }
}
