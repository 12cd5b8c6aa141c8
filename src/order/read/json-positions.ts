import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokenizer,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
  TEXT,
  WORD,
} from '../../language/json-tokenizer.js'

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

/** Deeper values get the position of their parent; recursion costs stack. */
const DEEPEST = 200
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** A member whose name its object already has. */
export interface RepeatedMember {
  readonly pointer: string
  /** Of its name, UTF-16 units from 0. */
  readonly at: number
  /** The text of its value. */
  readonly value: string
}

export interface JsonPositions {
  readonly repeated: readonly RepeatedMember[]
  /**
   * Where a value begins, UTF-16 units from 0: the last one if a name is repeated, and for a missing one, its parent.
   *
   * @see RFC 6901 for the pointer
   */
  find(pointer: string): number
}

/**
 * The positions of the values of a JSON text. Far slower than `JSON.parse`: for explaining errors, not for reading.
 *
 * @throws JsonFault if the text is not JSON
 * @see RFC 8259
 */
export function locateValues(text: string): JsonPositions {
  return new Walk(text)
}

class Walk implements JsonPositions {
  readonly repeated: RepeatedMember[] = []
  /** By JSON pointer, in bytes. */
  readonly #positions = new Map<string, number>()
  readonly #bytes: Buffer
  readonly #tokens = new JsonTokenizer()
  /** The next token, and its first byte. */
  #token: number = NONE
  #at = 0

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
    this.#tokens.push(this.#bytes)
    this.#tokens.shown = DEEPEST + 1
    this.#advance()
    this.#walkValue('')
    if (this.#token !== NONE) this.#fail(`expected nothing more, got ${this.#describeCharacter()}`)
  }

  find(pointer: string): number {
    for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
      const at = this.#positions.get(path)
      if (at !== undefined || path === '') return this.#toUnits(at ?? 0)
    }
  }

  #toUnits(at: number): number {
    return this.#bytes.toString('utf8', 0, at).length
  }

  #walkValue(pointer: string): void {
    this.#positions.set(pointer, this.#at)
    const isDeep = this.#tokens.depth > DEEPEST + 1
    switch (this.#token) {
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (isDeep) this.#advance()
        else if (this.#token === OPEN_OBJECT) this.#walkObject(pointer)
        else this.#list(pointer)
        this.#advance()
        break
      case TEXT:
        this.#parseText()
        this.#advance()
        break
      case WORD:
        this.#checkWord()
        break
      default:
        this.#refuse('a value')
    }
  }

  /** To the bracket that closes it. */
  #walkObject(pointer: string): void {
    const names = new Set<string>()
    this.#walkMembers(CLOSE_OBJECT, () => {
      this.#expect(TEXT, 'a name in double quotes')
      const nameAt = this.#at
      const name = this.#parseText()
      this.#advance()
      this.#expect(COLON, '":"')
      this.#advance()
      const member = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const valueAt = this.#at
      this.#walkValue(member)
      if (names.has(name)) {
        const value = this.#bytes.toString('utf8', valueAt, this.#at)
        this.repeated.push({pointer: member, at: this.#toUnits(nameAt), value})
      }
      names.add(name)
    })
  }

  #list(pointer: string): void {
    let index = 0
    this.#walkMembers(CLOSE_LIST, () => this.#walkValue(`${pointer}/${index++}`))
  }

  #walkMembers(close: number, member: () => void): void {
    this.#advance()
    if (this.#token === close) return
    while (true) {
      member()
      if (this.#token === close) return
      this.#expect(COMMA, `"," or "${String.fromCharCode(close)}"`)
      this.#advance()
    }
  }

  #parseText(): string {
    try {
      return JSON.parse(this.#bytes.toString('utf8', this.#at, this.#tokens.end))
    } catch {
      this.#fail('unclosed text, or a line break or bad escape in it')
    }
  }

  /** The literal as far as it is one; the text right after it is unexpected. */
  #checkWord(): void {
    const word = this.#bytes.toString('latin1', this.#at, this.#tokens.end)
    const length = SCALAR.exec(word)?.[0].length ?? 0
    if (length === 0) this.#refuse('a value')
    if (length < word.length) this.#at += length
    else this.#advance()
  }

  #advance(): void {
    this.#token = this.#tokens.readToken() || this.#tokens.finish()
    this.#at = this.#token === NONE ? this.#bytes.length : this.#tokens.start
  }

  #expect(token: number, what: string): void {
    if (this.#token !== token) this.#refuse(what)
  }

  #refuse(what: string): never {
    this.#fail(`expected ${what}, got ${this.#describeCharacter()}`)
  }

  #describeCharacter(): string {
    const [character] = this.#bytes.toString('utf8', this.#at, this.#at + 4)
    return character === undefined ? 'the end' : JSON.stringify(character)
  }

  #fail(message: string): never {
    throw new JsonFault(message, this.#toUnits(this.#at))
  }
}
