import type {Format, Row, View} from './view.js'
import {chosen, rowWriter} from './writer.js'

/** The part of a sink that printing needs. */
export interface Out {
  write(text: string): Promise<void>
  readonly columns: number | undefined
}

export interface PrintOptions {
  readonly view: View
  readonly format: Format
  readonly fields?: readonly string[] | undefined
}

/** Characters gathered before they are handed on, so that a million rows are not a million writes. */
const CHUNK_CHARACTERS = 32_768

/**
 * Prints rows as they come, no faster than the reader takes them; memory does not grow with their number.
 * What has been formatted is handed on whenever the next row is not there yet.
 *
 * @returns how many rows were printed
 */
export async function printRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  out: Out,
  {view, format, fields}: PrintOptions,
): Promise<number> {
  const writer = await rowWriter(format, {view, fields, columns: out.columns})
  let count = 0
  let text = writer.begin()
  const flush = async () => {
    const ready = text
    text = ''
    await out.write(ready)
  }
  for await (const row of eager(rows, () => (text.length > 0 ? flush() : Promise.resolve()))) {
    text += writer.row(row)
    count++
    if (text.length >= CHUNK_CHARACTERS) await flush()
  }
  text += writer.end()
  await flush()
  return count
}

/** Yields the rows; calls `idle` when the next one keeps us waiting. */
async function* eager(
  rows: Iterable<Row> | AsyncIterable<Row>,
  idle: () => Promise<void>,
): AsyncGenerator<Row> {
  if (Symbol.iterator in rows) {
    yield* rows
    return
  }
  const iterator = rows[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = iterator.next()
      const first = await Promise.race([next, nextTurn()])
      if (first === undefined) await idle()
      const {done, value} = first ?? (await next)
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise(resolve => {
    setImmediate(resolve, undefined)
  })
}

/** Prints a single record: an object in JSON and YAML, `name  value` lines in a table, a row elsewhere. */
export async function printRecord(
  record: Row,
  out: Out,
  {view, format, fields}: PrintOptions,
): Promise<void> {
  const layout = {view, fields, columns: out.columns}
  if (format === 'json' || format === 'ndjson')
    return out.write(`${JSON.stringify(chosen(record, layout))}\n`)
  if (format === 'yaml')
    return out.write((await import('yaml')).stringify(chosen(record, layout), {lineWidth: 0}))
  if (format === 'table') return out.write((await import('./record-table.js')).recordTable(record, layout))
  await printRows([record], out, {view, format, fields})
}
