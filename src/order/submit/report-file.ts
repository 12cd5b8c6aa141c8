import type {OrderRow} from '../../contract/order-rows.js'
import type {OutputFormat} from '../../language/output-formats.js'
import type {RowWriter} from '../../output/layout.js'
import {createRowWriter} from '../../output/row-writer.js'
import type {View} from '../../output/view.js'

const REPORT: View = {
  noun: ['order', 'orders'],
  columns: ['reference', 'status', 'id', 'detail', 'attempts', 'httpStatus', 'run'].map(path => ({path})),
  id: 'reference',
}

const FORMATS: Readonly<Record<string, OutputFormat>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  tsv: 'tsv',
}

const CHUNK_CHARACTERS = 32_768

/** A file with a line for every order. */
export class Report {
  #text: string

  private constructor(
    private readonly writer: RowWriter,
    private readonly write: (text: string) => Promise<void>,
  ) {
    this.#text = writer.begin()
  }

  /** @param path its extension sets the format: `.json`, `.ndjson`, `.tsv`, and CSV for any other */
  static async open(path: string, write: (text: string) => Promise<void>): Promise<Report> {
    const format = FORMATS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'csv'
    return new Report(
      await createRowWriter(format, {view: REPORT, fields: undefined, columns: undefined}),
      write,
    )
  }

  async add(row: OrderRow): Promise<void> {
    this.#text += this.writer.formatRow(row)
    if (this.#text.length < CHUNK_CHARACTERS) return
    const text = this.#text
    this.#text = ''
    await this.write(text)
  }

  /** Ends it; called once. */
  async finish(): Promise<void> {
    await this.write(this.#text + this.writer.end())
  }
}
