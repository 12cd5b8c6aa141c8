import {
  CLOSE_OBJECT,
  COMMA,
  endOfText,
  JsonTokenizer,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
  TEXT,
} from '../../language/json-tokenizer.js'

const [NULL, TRUE, FALSE] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')] as const

/** The end of what is not as expected. */
const NOWHERE = -1

interface Member {
  /** `{"name":` or `,"name":`. */
  readonly head: Uint8Array
  /** What is wanted of an object; `undefined` where the value is wanted as a whole. */
  readonly inside: Members | undefined
  start: number
  /** `NOWHERE` where there is no value. */
  end: number
}

/**
 * The wanted members of a JSON object, and where they stand in the bytes of one.
 *
 * It is found in compact JSON alone, and only where the members come in the order that was learned.
 */
export class Members {
  readonly #wanted: ReadonlyMap<string, Member>
  readonly #inOrder: readonly Member[]
  /** Bytes that are written at most, the values aside. */
  readonly ownBytes: number
  /** What stands before each value of an object: `"name":`. */
  #keys: readonly Uint8Array[] = []
  /** The member that each of them is, where it is wanted. */
  #taken: readonly (Member | undefined)[] = []
  readonly #tokens = new JsonTokenizer()

  /** @param paths none empty, no two alike, none the beginning of another */
  constructor(paths: readonly (readonly string[])[]) {
    const names = [...new Set(paths.map(([name = '']) => name))]
    this.#wanted = new Map(names.map((name, at) => [name, buildMember(name, at, paths)]))
    this.#inOrder = [...this.#wanted.values()]
    const measureMember = ({head, inside}: Member) => head.length + (inside?.ownBytes ?? NULL.length)
    this.#tokens.shown = 0
    this.ownBytes = this.#inOrder.reduce((sum, member) => sum + measureMember(member), 1)
  }

  /** Expects the members of further objects in the order of this one. */
  learn(object: object): void {
    const names = Object.keys(object)
    const areFindable = names.every(name => /^\w+$/.test(name))
    this.#keys = areFindable ? names.map(name => Buffer.from(`"${name}":`)) : []
    this.#taken = names.map(name => this.#wanted.get(name))
    for (const [name, {inside}] of this.#wanted) {
      const held = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
      if (inside && held !== null && typeof held === 'object') inside.learn(held)
    }
  }

  /** Finds the members of the object that begins at `start`. @returns its end, or -1 where it is not as expected */
  find(bytes: Uint8Array, start: number): number {
    const keys = this.#keys
    this.#tokens.hasControls = false
    if (bytes[start] !== OPEN_OBJECT || keys.length === 0) return NOWHERE
    for (const member of this.#inOrder) member.end = NOWHERE
    let at = start
    for (let key = 0; key < keys.length; key++) {
      if (bytes[at] !== (key === 0 ? OPEN_OBJECT : COMMA)) return NOWHERE
      const value = skipWord(bytes, at + 1, keys[key] as Uint8Array)
      if (value === NOWHERE) return NOWHERE
      at = this.#findValue(bytes, value, this.#taken[key])
      if (at === NOWHERE) return NOWHERE
    }
    return bytes[at] === CLOSE_OBJECT ? at + 1 : NOWHERE
  }

  /** Notes where the value of a member stands, if it is wanted. @returns its end, or -1 where it is not as expected */
  #findValue(bytes: Uint8Array, at: number, member: Member | undefined): number {
    if (!member) return this.#endOfValue(bytes, at)
    const end = member.inside ? this.#endInside(bytes, at, member.inside) : this.#endOfValue(bytes, at)
    if (end === NOWHERE) return NOWHERE
    member.start = at
    member.end = end
    return end
  }

  /** The end of a value of which members are wanted: an object that is as expected, or no object and no list at all. */
  #endInside(bytes: Uint8Array, at: number, members: Members): number {
    if (bytes[at] === OPEN_OBJECT) return members.find(bytes, at)
    return bytes[at] === OPEN_LIST ? NOWHERE : this.#endOfValue(bytes, at)
  }

  #endOfValue(bytes: Uint8Array, at: number): number {
    switch (bytes[at]) {
      case TEXT: {
        const end = endOfText(bytes, at + 1)
        return bytes[end] === TEXT ? end + 1 : NOWHERE
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        return this.#endOfBrackets(bytes, at)
      case NULL[0]:
        return skipWord(bytes, at, NULL)
      case TRUE[0]:
        return skipWord(bytes, at, TRUE)
      case FALSE[0]:
        return skipWord(bytes, at, FALSE)
      default:
        return endOfNumber(bytes, at)
    }
  }

  #endOfBrackets(bytes: Uint8Array, at: number): number {
    const tokens = this.#tokens
    tokens.seek(bytes, at + 1, 1)
    return tokens.readToken() !== NONE && !tokens.hasControls ? tokens.end : NOWHERE
  }

  /** Writes the members found last as an object. @returns where it ends */
  write(bytes: Uint8Array, target: Uint8Array, at: number): number {
    let to = at
    for (const member of this.#inOrder) {
      const {head, inside, start, end} = member
      to = copyAll(head, target, to)
      if (inside && (end === NOWHERE || bytes[start] !== OPEN_OBJECT)) to = inside.writeNothing(target, to)
      else if (inside) to = inside.write(bytes, target, to)
      else if (end === NOWHERE) to = copyAll(NULL, target, to)
      else to = copyValue(bytes, member, target, to)
    }
    target[to] = CLOSE_OBJECT
    return to + 1
  }

  /** Writes an object of which nothing was found. */
  writeNothing(target: Uint8Array, at: number): number {
    for (const member of this.#inOrder) member.end = NOWHERE
    return this.write(target, target, at)
  }
}

function buildMember(name: string, at: number, paths: readonly (readonly string[])[]): Member {
  const beyond = paths.filter(path => path[0] === name && path.length > 1).map(path => path.slice(1))
  const head = Buffer.from(`${at === 0 ? '{' : ','}"${name}":`)
  return {head, inside: beyond.length > 0 ? new Members(beyond) : undefined, start: 0, end: NOWHERE}
}

/** Where what follows on a word begins. */
function skipWord(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let letter = 0; letter < word.length; letter++) {
    if (bytes[at + letter] !== word[letter]) return NOWHERE
  }
  return at + word.length
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && isOfNumber(bytes[at] as number)) at++
  return at > start ? at : NOWHERE
}

function isOfNumber(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39
  return isDigit || byte === 0x2d || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45
}

/** A loop: what is copied is short, and a call into the engine takes longer. */
function copyAll(from: Uint8Array, target: Uint8Array, to: number): number {
  const {length} = from
  for (let at = 0; at < length; at++) target[to + at] = from[at] as number
  return to + length
}

/** A loop for the same reason. */
function copyValue(from: Uint8Array, {start, end}: Member, target: Uint8Array, to: number): number {
  for (let at = start; at < end; at++) target[to + at - start] = from[at] as number
  return to + end - start
}
