import {createUsageError} from '../errors.js'

/** A longer row is refused: memory must not grow with what a command prints. Characters. */
const LONGEST_ROW = 16 * 1024 * 1024

/** Collects the first rows of NDJSON, and counts all. */
export class RowCollector {
  readonly rows: unknown[] = []
  count = 0
  #begun = ''
  readonly #decoder = new TextDecoder()

  /** @param most rows that are collected */
  constructor(private readonly most: number) {}

  /** @throws StorectlError `usage.row_too_long` */
  add(chunk: string | Uint8Array): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, {stream: true})
    const lines = (this.#begun + text).split('\n')
    this.#begun = lines.pop() ?? ''
    if (this.#begun.length > LONGEST_ROW) throw createUsageError('row_too_long', 'A row exceeds 16 MiB.')
    for (const line of lines) if (this.count++ < this.most) this.rows.push(JSON.parse(line))
  }
}
