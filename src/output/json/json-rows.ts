import type {Row} from '../view.js'
import {escapeJsonControlBytes, parseExactJson} from './json-text.js'

const COMMA = 0x2c
const LINE_FEED = 0x0a

/**
 * Rows that came as JSON and can be printed as JSON without having been parsed.
 *
 * The bytes are spent by the first call that takes them: `toLines` writes into them.
 */
export class JsonRows {
  /**
   * @param bytes UTF-8 JSON objects with one comma between two, and no line feed anywhere
   * @param commas where in `bytes` those commas stand, ascending; one fewer than there are rows
   */
  constructor(
    readonly bytes: Uint8Array,
    private readonly commas: readonly number[],
  ) {}

  get count(): number {
    return this.commas.length + 1
  }

  /** Where a row begins in `bytes`. @param row from 0 */
  startOf(row: number): number {
    return row === 0 ? 0 : (this.commas[row - 1] as number) + 1
  }

  endOf(row: number): number {
    return this.commas[row] ?? this.bytes.length
  }

  /** Each row on a line of its own, the last line ended too. */
  toLines(): Uint8Array[] {
    for (const at of this.commas) this.bytes[at] = LINE_FEED
    return [escapeJsonControlBytes(this.bytes), Uint8Array.of(LINE_FEED)]
  }

  /** The rows with commas between them. */
  list(): Uint8Array {
    return escapeJsonControlBytes(this.bytes)
  }

  /** The rows, parsed: whole numbers that a JavaScript number cannot hold are text, digit by digit. */
  parseRows(): Row[] {
    const {buffer, byteOffset, byteLength} = this.bytes
    return parseExactJson(`[${Buffer.from(buffer, byteOffset, byteLength).toString('utf8')}]`) as Row[]
  }

  /** One row alone. @param row from 0 */
  pick(row: number): JsonRows {
    return new JsonRows(this.bytes.subarray(this.startOf(row), this.endOf(row)), [])
  }

  /** The first `head` rows and the others; the others are `undefined` when there are none. */
  split(head: number): [JsonRows, JsonRows | undefined] {
    const at = this.commas[head - 1]
    if (at === undefined || this.bytes[at] !== COMMA) return [this, undefined]
    const rest = this.commas.slice(head).map(comma => comma - at - 1)
    return [
      new JsonRows(this.bytes.subarray(0, at), this.commas.slice(0, head - 1)),
      new JsonRows(this.bytes.subarray(at + 1), rest),
    ]
  }

  /** The last row, parsed alone. */
  last(): Row {
    const from = (this.commas.at(-1) ?? -1) + 1
    const {buffer, byteOffset, byteLength} = this.bytes
    return JSON.parse(Buffer.from(buffer, byteOffset + from, byteLength - from).toString('utf8'))
  }
}
