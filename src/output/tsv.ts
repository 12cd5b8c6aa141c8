import {plainCell} from './cell.js'
import {visible} from './escape-controls.js'
import type {Layout, RowWriter} from './layout.js'
import {columnFor, valueAt} from './view.js'

/** Tab-separated values with a header line; backslash and control characters in values are escaped. */
export function tsvWriter({view, fields}: Layout): RowWriter {
  const columns = fields?.map(path => columnFor(view, path)) ?? view.columns
  return {
    begin: () => `${columns.map(({path}) => escaped(path)).join('\t')}\n`,
    row: row => `${columns.map(each => escaped(plainCell(valueAt(row, each.path), each))).join('\t')}\n`,
    end: () => '',
  }
}

function escaped(text: string): string {
  return visible(text.replaceAll('\\', '\\\\'))
}
