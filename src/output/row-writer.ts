import type {OutputFormat} from '../language/output-formats.js'
import {escapeControls} from './escape-controls.js'
import {areColumns, JsonColumns} from './json/json-columns.js'
import {stringifyJson} from './json/json-text.js'
import {type Layout, pickFields, type RowWriter, type UnparsedRows} from './layout.js'
import {type Row, readValueAt} from './view.js'

/**
 * The writer for a format. Table, CSV, TSV and YAML load their library here and nowhere else.
 */
export async function createRowWriter(format: OutputFormat, layout: Layout): Promise<RowWriter> {
  switch (format) {
    case 'json':
      return createJsonWriter(layout)
    case 'ndjson':
      return createNdjsonWriter(layout)
    case 'id':
      return createPlainWriter(row => `${formatIdLine(readValueAt(row, layout.view.id))}\n`)
    case 'csv':
      return (await import('./csv.js')).createCsvWriter(layout)
    case 'tsv':
      return (await import('./tsv.js')).createTsvWriter(layout)
    case 'yaml':
      return (await import('./yaml.js')).createYamlWriter(layout)
    case 'markdown':
      return (await import('./markdown-table.js')).createMarkdownWriter(layout)
    case 'table':
      return (await import('./table/table.js')).createTableWriter(layout)
  }
}

function createPlainWriter(row: (row: Row) => string): RowWriter {
  return {begin: () => '', formatRow: row, end: () => ''}
}

function createNdjsonWriter(layout: Layout): RowWriter {
  const writer = createPlainWriter(row => `${stringifyJson(pickFields(row, layout))}\n`)
  const columns = createJsonColumns(layout)
  if (columns) return {...writer, formatJson: rows => [columns.formatLines(rows)]}
  return layout.fields ? writer : {...writer, formatJson: rows => rows.toLines()}
}

/** What finds the fields in rows that were not parsed; `undefined` where there are none, or such as need a parser. */
function createJsonColumns({fields}: Layout): JsonColumns | undefined {
  return fields && areColumns(fields) ? new JsonColumns(fields) : undefined
}

function createJsonWriter(layout: Layout): RowWriter {
  let count = 0
  const formatGap = () => (count === 0 ? '\n' : ',\n')
  const formatRow = (row: Row) => {
    const text = formatGap() + stringifyJson(pickFields(row, layout))
    count++
    return text
  }
  const columns = createJsonColumns(layout)
  const formatJson = (rows: UnparsedRows) => {
    const pieces = [formatGap(), columns ? columns.list(rows) : rows.list()]
    count += rows.count
    return pieces
  }
  return {
    begin: () => '[',
    formatRow,
    ...(layout.fields && !columns ? {} : {formatJson}),
    end: () => (count === 0 ? ']\n' : '\n]\n'),
  }
}

/** An id on a line of its own, even where a shop lets one hold a line break. */
function formatIdLine(value: unknown): string {
  return escapeControls(String(value ?? '').replace(/[\r\n]+/g, ' '))
}
