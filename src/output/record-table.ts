import {tableCell} from './cell.js'
import {aligned} from './labelled.js'
import {columnFor, type Row, valueAt} from './view.js'
import {visible} from './visible.js'
import type {Layout} from './writer.js'

/** One record as `path  value` lines, the values aligned where the terminal is wide enough. */
export function recordTable(record: Row, {view, fields, columns: width}: Layout): string {
  const columns = fields?.map(path => columnFor(view, path)) ?? view.columns
  return aligned(
    columns.map(column => [visible(column.path), tableCell(valueAt(record, column.path), column)] as const),
    width,
  )
}
