import {visible} from './escape-controls.js'
import {areColumns, JsonColumns} from './json/json-columns.js'
import type {JsonRows} from './json/json-rows.js'
import {jsonText} from './json/json-text.js'
import {chosen, type Layout, type RowWriter} from './layout.js'
import {type Format, type Row, valueAt} from './view.js'

/**
 * The writer for a format. Table, CSV, TSV and YAML load their library here and nowhere else.
 */
export async function rowWriter(format: Format, layout: Layout): Promise<RowWriter> {
  switch (format) {
    case 'json':
      return jsonWriter(layout)
    case 'ndjson':
      return ndjsonWriter(layout)
    case 'id':
      return plainWriter(row => `${oneLine(valueAt(row, layout.view.id))}\n`)
    case 'csv':
      return (await import('./csv.js')).csvWriter(layout)
    case 'tsv':
      return (await import('./tsv.js')).tsvWriter(layout)
    case 'yaml':
      return (await import('./yaml.js')).yamlWriter(layout)
    case 'table':
      return (await import('./table.js')).createTableWriter(layout)
  }
}

function plainWriter(row: (row: Row) => string): RowWriter {
  return {begin: () => '', row, end: () => ''}
}

function ndjsonWriter(layout: Layout): RowWriter {
  const writer = plainWriter(row => `${jsonText(chosen(row, layout))}\n`)
  const columns = columnsOf(layout)
  if (columns) return {...writer, json: rows => [columns.lines(rows)]}
  return layout.fields ? writer : {...writer, json: rows => rows.lines()}
}

/** What finds the fields in rows that were not parsed; `undefined` where there are none, or such as need a parser. */
function columnsOf({fields}: Layout): JsonColumns | undefined {
  return fields && areColumns(fields) ? new JsonColumns(fields) : undefined
}

function jsonWriter(layout: Layout): RowWriter {
  let count = 0
  const gap = () => (count === 0 ? '\n' : ',\n')
  const row = (row: Row) => {
    const text = gap() + jsonText(chosen(row, layout))
    count++
    return text
  }
  const columns = columnsOf(layout)
  const json = (rows: JsonRows) => {
    const pieces = [gap(), columns ? columns.list(rows) : rows.list()]
    count += rows.count
    return pieces
  }
  return {
    begin: () => '[',
    row,
    ...(layout.fields && !columns ? {} : {json}),
    end: () => (count === 0 ? ']\n' : '\n]\n'),
  }
}

/** An id on a line of its own, even where a shop lets one hold a line break. */
function oneLine(value: unknown): string {
  return visible(String(value ?? '').replace(/[\r\n]+/g, ' '))
}
