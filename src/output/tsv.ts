import {asText} from './cell.js'
import {valueAt} from './view.js'
import {visible} from './visible.js'
import type {Layout, RowWriter} from './writer.js'

/** Tab-separated values with a header line; backslash and control characters in values are escaped. */
export function tsvWriter({view, fields}: Layout): RowWriter {
  const paths = fields ?? view.columns.map(column => column.path)
  return {
    begin: () => `${paths.map(escaped).join('\t')}\n`,
    row: row => `${paths.map(path => escaped(asText(valueAt(row, path)))).join('\t')}\n`,
    end: () => '',
  }
}

function escaped(text: string): string {
  return visible(text.replaceAll('\\', '\\\\'))
}
