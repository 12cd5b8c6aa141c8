import {stringify} from 'yaml'
import {chosen, type Layout, type RowWriter} from './writer.js'

/** A YAML list, one item a row. */
export function yamlWriter(layout: Layout): RowWriter {
  let count = 0
  return {
    begin: () => '',
    row: row => {
      count++
      return stringify([chosen(row, layout)], {lineWidth: 0})
    },
    end: () => (count === 0 ? '[]\n' : ''),
  }
}
