import {tableCell} from './cell.js'
import {type Row, valueAt} from './view.js'
import {visible} from './visible.js'
import {isolated, padded, widthOf} from './width.js'
import type {Layout} from './writer.js'

/** One record as `path  value` lines, the values aligned. */
export function recordTable(record: Row, {view, fields}: Layout): string {
  const paths = fields ?? view.columns.map(column => column.path)
  const width = Math.max(...paths.map(path => widthOf(visible(path))))
  return paths
    .map(path => {
      const column = view.columns.find(each => each.path === path) ?? {path}
      return `${padded(visible(path), width, false)}  ${isolated(tableCell(valueAt(record, path), column))}`.trimEnd()
    })
    .map(line => `${line}\n`)
    .join('')
}
