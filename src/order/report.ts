import type {Format, View} from '../output/view.js'
import {type RowWriter, rowWriter} from '../output/writer.js'
import {draftsOf} from './read/drafts.js'
import type {OrderSource} from './read/reading.js'
import {type OrderRow, unsentRow} from './result-row.js'

const REPORT: View = {
  noun: ['order', 'orders'],
  columns: ['reference', 'status', 'id', 'detail', 'attempts', 'httpStatus', 'run'].map(path => ({path})),
  id: 'reference',
}

const FORMATS: Readonly<Record<string, Format>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  tsv: 'tsv',
}

const CHUNK_CHARACTERS = 32_768

/** A file with a line for every order, also for those that were not sent. */
export class Report {
  readonly #told = new Bits()
  #text: string

  private constructor(
    private readonly writer: RowWriter,
    private readonly write: (text: string) => Promise<void>,
  ) {
    this.#text = writer.begin()
  }

  /** @param path its ending says what it is: `.json`, `.ndjson`, `.tsv`, and CSV for any other */
  static async open(path: string, write: (text: string) => Promise<void>): Promise<Report> {
    const format = FORMATS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'csv'
    return new Report(await rowWriter(format, {view: REPORT, fields: undefined, columns: undefined}), write)
  }

  /** @param index of the order in the inputs, from 0 */
  async add(index: number, row: OrderRow): Promise<void> {
    this.#told.set(index)
    await this.#add(row)
  }

  /** Adds the orders that nothing was said of, and ends it; called once. @param total orders of the inputs */
  async finish({inputs, reading}: OrderSource, total: number, run: string | null): Promise<void> {
    let index = 0
    const isWhole = this.#told.count === total
    for (const input of isWhole ? [] : inputs) {
      for await (const drafts of draftsOf(input, reading)) {
        for (const {order} of drafts) {
          if (!this.#told.has(index++)) await this.#add(unsentRow((order as OrderRow).reference, run))
        }
      }
    }
    await this.write(this.#text + this.writer.end())
  }

  async #add(row: OrderRow): Promise<void> {
    this.#text += this.writer.row(row)
    if (this.#text.length < CHUNK_CHARACTERS) return
    const text = this.#text
    this.#text = ''
    await this.write(text)
  }
}

/** A set of small whole numbers: a million take 128 KiB. */
class Bits {
  count = 0
  #words = new Uint32Array(1024)

  set(at: number): void {
    const word = at >>> 5
    if (word >= this.#words.length) {
      const more = new Uint32Array(Math.max(word + 1, this.#words.length * 2))
      more.set(this.#words)
      this.#words = more
    }
    if (!this.has(at)) this.count++
    this.#words[word] = (this.#words[word] as number) | (1 << (at & 31))
  }

  has(at: number): boolean {
    return (((this.#words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1
  }
}
