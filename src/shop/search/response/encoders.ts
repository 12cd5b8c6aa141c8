import type {FieldKind} from '../../../shopware/entity.js'
import {escapeJsonApi, escapePlain, writeHtmlEscape} from '../../../shopware/json-escape.js'

/** Writes one stored value as JSON. */
type Encoder = (value: unknown) => string

/** The two response formats differ in escaping and in whether a float keeps its `.0`. @see protocol.md §1.3 */
export type JsonForm = 'plain' | 'json-api'

/** Text that needs no escaping in either format. */
const NEEDS_NO_ESCAPE = /^[ !#-%(-.0-;=?-[\]-~]*$/

const encodeId: Encoder = value => (value === null ? 'null' : `"${value}"`)
const encodeInt: Encoder = value => (value === null ? 'null' : String(value))
const encodeBool: Encoder = value => (value === null ? 'null' : value === 1 ? 'true' : 'false')

/** `2024-10-24 21:30:46.123` → `2024-10-24T21:30:46.123+00:00` */
const encodeMoment: Encoder = value => {
  if (value === null) return 'null'
  const text = value as string
  return `"${text.slice(0, 10)}T${text.slice(11)}+00:00"`
}

const encodeJsonApiFloat: Encoder = value => {
  if (value === null) return 'null'
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Character by character: a piece of a text beyond Latin-1 takes two bytes a character, and so does what it is added to. */
function encodeText(rewrite: (json: string) => string): Encoder {
  const ascii = Array.from({length: 0x80}, (_, code) =>
    rewrite(JSON.stringify(String.fromCharCode(code))).slice(1, -1),
  )
  return value => {
    if (value === null) return 'null'
    const plain = value as string
    if (NEEDS_NO_ESCAPE.test(plain)) return `"${plain}"`
    let json = '"'
    for (const character of plain.split(''))
      json += ascii[character.charCodeAt(0)] ?? writeHtmlEscape(character)
    return `${json}"`
  }
}

/** Stored JSON was written by us, so only the escaping differs. */
function createJsonEncoder(rewrite: (json: string) => string): Encoder {
  return value => (value === null ? 'null' : rewrite(value as string))
}

const PLAIN = createEncoders(escapePlain, encodeInt)
const JSON_API = createEncoders(escapeJsonApi, encodeJsonApiFloat)

function createEncoders(
  rewrite: (json: string) => string,
  float: Encoder,
): Readonly<Record<FieldKind, Encoder>> {
  return {
    id: encodeId,
    int: encodeInt,
    bool: encodeBool,
    float,
    text: encodeText(rewrite),
    'date-time': encodeMoment,
    date: encodeMoment,
    'custom-fields': createJsonEncoder(rewrite),
    json: createJsonEncoder(rewrite),
    list: createJsonEncoder(rewrite),
  }
}

/** The encoder of a field kind in a format. */
export function getEncoder(kind: FieldKind, form: JsonForm): Encoder {
  return form === 'plain' ? PLAIN[kind] : JSON_API[kind]
}

/** The encoder of texts in a format. */
export function getTextEncoder(form: JsonForm): Encoder {
  return getEncoder('text', form)
}

/** Length at which pending text is written: short enough for the processor's cache. */
const LONGEST_PENDING = 32 * 1024

/** Collects ASCII text as bytes: far cheaper than encoding one long text at the end. */
export class AsciiBytes {
  #bytes: Buffer | undefined
  #length = 0
  #pending = ''

  /** @param expectedBytes expected size; exceeding it costs a copy, staying below costs only address space */
  constructor(private readonly expectedBytes = 4096) {}

  /** @param text ASCII only, because the shop's JSON is escaped */
  add(text: string): this {
    this.#pending += text
    if (this.#pending.length > LONGEST_PENDING) this.#write()
    return this
  }

  /** The content, as text while it is short; nothing may be added afterwards. */
  get content(): string | Buffer {
    if (!this.#bytes) return this.#pending
    this.#write()
    return this.#bytes.subarray(0, this.#length)
  }

  #write(): void {
    const end = this.#length + this.#pending.length
    this.#bytes ??= Buffer.allocUnsafe(Math.max(end, this.expectedBytes))
    if (end > this.#bytes.length) this.#bytes = this.#enlarge(this.#bytes, end)
    this.#bytes.write(this.#pending, this.#length, 'latin1')
    this.#length = end
    this.#pending = ''
  }

  #enlarge(bytes: Buffer, least: number): Buffer {
    const larger = Buffer.allocUnsafe(Math.max(least, 2 * bytes.length))
    bytes.copy(larger, 0, 0, this.#length)
    return larger
  }
}
