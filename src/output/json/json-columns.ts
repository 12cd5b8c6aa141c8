import type {UnparsedRows} from '../layout.js'
import {pick} from '../view.js'
import {Members} from './json-members.js'
import {escapeJsonControlBytes, stringifyJson} from './json-text.js'

const COMMA = 0x2c
const LINE_FEED = 0x0a

/**
 * Prints chosen members of rows that came as JSON, without parsing them: as `pick` and `JSON.stringify` would, but that
 * values stand as the sender wrote them, so that long numbers keep all their digits. To parse, choose and print anew took
 * three times as long.
 *
 * The members of the rows of a listing come in one order. That of the first row is learned, and whichever row is not
 * as expected is parsed, and learned from.
 */
export class JsonColumns {
  readonly #members: Members

  /** @param paths as `areColumns` takes them */
  constructor(private readonly paths: readonly string[]) {
    this.#members = new Members(paths.map(path => path.split('.')))
  }

  /** Each row on a line of its own, the last line ended too. */
  formatLines(rows: UnparsedRows): Uint8Array {
    return this.#format(rows, LINE_FEED, true)
  }

  /** The rows with commas between them. */
  list(rows: UnparsedRows): Uint8Array {
    return this.#format(rows, COMMA, false)
  }

  #format(rows: UnparsedRows, between: number, isEnded: boolean): Uint8Array {
    const {bytes, count} = rows
    // Each value is copied once at most.
    const target = Buffer.allocUnsafe(bytes.length + count * (this.#members.ownBytes + 1))
    const pieces: Uint8Array[] = []
    let from = 0
    let to = 0
    for (let row = 0; row < count; row++) {
      const end = rows.endOf(row)
      const start = rows.startOf(row)
      if (this.#members.find(bytes, start) === end) {
        to = this.#members.write(bytes, target, to)
      } else {
        pieces.push(target.subarray(from, to), this.#formatParsed(bytes.subarray(start, end)))
        from = to
      }
      if (isEnded || row < count - 1) target[to++] = between
    }
    pieces.push(target.subarray(from, to))
    return escapeJsonControlBytes(pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces))
  }

  #formatParsed(row: Uint8Array): Uint8Array {
    const value = JSON.parse(Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('utf8'))
    this.#members.learn(value)
    return Buffer.from(stringifyJson(pick(value, this.paths)))
  }
}

/** Whether paths can be looked for so: none is given twice, and none leads into what another one names as a whole. */
export function areColumns(paths: readonly string[]): boolean {
  return paths.every(
    (path, at) =>
      /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/.test(path) &&
      paths.every((other, beside) => beside === at || !`${other}.`.startsWith(`${path}.`)),
  )
}
