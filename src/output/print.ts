import type {OutputFormat} from '../language/output-formats.js'
import {JsonRows} from './json/json-rows.js'
import {stringifyJson} from './json/json-text.js'
import {requireFieldsOfRow} from './known-fields.js'
import {type ForEyes, pickFields, type RowWriter} from './layout.js'
import {createRowWriter} from './row-writer.js'
import type {Row, View} from './view.js'

/** The part of a sink that printing needs. */
export interface Out {
  write(text: string | Uint8Array): Promise<void>
  readonly columns: number | undefined
}

export interface PrintOptions {
  readonly view: View
  readonly format: OutputFormat
  readonly fields?: readonly string[] | undefined
  /** Rows come over a long time: also a table shows each as it comes. */
  readonly live?: boolean | undefined
  /** CSV leaves text that looks like a formula as it is. */
  readonly csvRaw?: boolean | undefined
  /** CSV and TSV begin with the first row. */
  readonly noHeader?: boolean | undefined
  /** CSV begins with a byte order mark. */
  readonly bom?: boolean | undefined
  /** Set where a person reads a table on a terminal. */
  readonly forEyes?: ForEyes | undefined
}

/** Rows that come together, a page of an answer for instance. A batch is handed on before the next is asked for. */
export type Batch = readonly Row[] | JsonRows

/** Rows one by one, or in batches. */
export type Rows = Iterable<Row> | AsyncIterable<Row | Batch>

/** Characters gathered before they are handed on, so that a million rows are not a million writes. */
const CHUNK_CHARACTERS = 32_768

/**
 * Prints rows as they come, no faster than the reader takes them; memory does not grow with their number.
 * What has been formatted is handed on whenever the next row is not there yet.
 *
 * @returns how many rows were printed
 */
export async function printRows(
  rows: Rows,
  out: Out,
  {format, live, ...layout}: PrintOptions,
): Promise<number> {
  const buffer = new PrintBuffer(
    out,
    await createRowWriter(format, {...layout, fields: layout.fields, columns: out.columns}),
    row => requireFieldsOfRow(layout.fields, layout.view, row),
    live,
  )
  try {
    if (Symbol.iterator in rows) await buffer.printAll(rows)
    else await printAsTheyCome(rows, buffer)
  } catch (error) {
    await buffer.breakOff()
    throw error
  }
  return buffer.end()
}

async function printAsTheyCome(rows: AsyncIterable<Row | Batch>, buffer: PrintBuffer): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]()
  let ended = false
  try {
    while (true) {
      const {done, value} = await waitForNext(iterator.next(), () => buffer.pause())
      if (done) {
        ended = true
        return
      }
      if (value instanceof JsonRows) await buffer.printJson(value)
      else if (Array.isArray(value)) await buffer.printBatch(value)
      else await buffer.print(value as Row)
    }
  } finally {
    if (!ended) await iterator.return?.()
  }
}

/** What has been formatted and waits to be written. */
class PrintBuffer {
  #text = ''
  #count = 0
  #begun = false

  constructor(
    private readonly out: Out,
    private readonly writer: RowWriter,
    private readonly checkFirst: (row: Row) => void,
    private readonly live = false,
  ) {}

  /** A promise only when the reader has to be waited for. */
  print(row: Row): Promise<void> | undefined {
    if (!this.#begun) this.checkFirst(row)
    this.#begin()
    this.#text += this.writer.formatRow(row)
    this.#count++
    return this.#text.length >= CHUNK_CHARACTERS ? this.flush() : undefined
  }

  async printAll(rows: Iterable<Row>): Promise<void> {
    for (const row of rows) {
      const full = this.print(row)
      if (full) await full
    }
  }

  async printBatch(rows: readonly Row[]): Promise<void> {
    await this.printAll(rows)
    await this.flush()
  }

  async printJson(rows: JsonRows): Promise<void> {
    if (!this.writer.formatJson) return this.printBatch(rows.parseRows())
    this.#begin()
    const pieces = this.writer.formatJson(rows)
    this.#count += rows.count
    await this.flush()
    for (const piece of pieces) await this.out.write(piece)
  }

  /** The next row is not there yet. */
  pause(): Promise<void> {
    if (this.live) this.#text += this.writer.pause?.() ?? ''
    return this.flush()
  }

  async flush(): Promise<void> {
    if (this.#text.length === 0) return
    const ready = this.#text
    this.#text = ''
    await this.out.write(ready)
  }

  async end(): Promise<number> {
    this.#begin()
    this.#text += this.writer.end()
    await this.flush()
    return this.#count
  }

  /** What was printed stays whole: a JSON list is closed, held rows of a table are shown. Nothing stays nothing. */
  async breakOff(): Promise<void> {
    if (this.#begun) await this.end()
  }

  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#text += this.writer.begin()
  }
}

/** Prints a single record: an object in JSON and YAML, `name  value` lines in a table, a row elsewhere. */
export async function printRecord(
  record: Row,
  out: Out,
  {view, format, fields, ...options}: PrintOptions,
): Promise<void> {
  const layout = {...options, view, fields, columns: out.columns}
  requireFieldsOfRow(fields, view, record)
  if (format === 'json' || format === 'ndjson')
    return out.write(`${stringifyJson(pickFields(record, layout))}\n`)
  if (format === 'yaml')
    return out.write((await import('./yaml.js')).stringifyYaml(pickFields(record, layout)))
  if (format === 'table') return out.write((await import('./table/record.js')).renderRecord(record, layout))
  await printRows([record], out, {...options, view, format, fields})
}

/** Turns of the microtask queue that a value which is already there may need to come through a generator. */
const QUICK_TURNS = 24

/**
 * Waits for what comes next; calls `idle` once when it is not there yet.
 *
 * A value that is ready costs a few microtasks; only one that keeps us waiting costs a turn of the event loop.
 */
export async function waitForNext<T>(next: Promise<T>, idle: () => Promise<void>): Promise<T> {
  let here = false
  const note = () => {
    here = true
  }
  next.then(note, note)
  for (let turn = 0; turn < QUICK_TURNS && !here; turn++) await undefined
  if (!here) {
    await waitOneTurn(next)
    if (!here) await idle()
  }
  return next
}

/** Waits for one turn of the event loop, less where the value comes before its end: a turn may be long in coming. */
async function waitOneTurn(next: Promise<unknown>): Promise<void> {
  let turn: NodeJS.Immediate | undefined
  const turned = new Promise(resolve => {
    turn = setImmediate(resolve)
  })
  try {
    await Promise.race([next, turned])
  } finally {
    clearImmediate(turn)
  }
}
