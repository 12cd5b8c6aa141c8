import {stringify} from 'yaml'
import {harmless} from './json/json-text.js'
import {chosen, type Layout, type RowWriter} from './layout.js'

/** A YAML list, one item a row. */
export function yamlWriter(layout: Layout): RowWriter {
  let count = 0
  return {
    begin: () => '',
    row: row => {
      count++
      return yamlText([chosen(row, layout)])
    },
    end: () => (count === 0 ? '[]\n' : ''),
  }
}

/** Text that YAML 1.1 readers would take for something else, such as the country `NO` or a time, is quoted for them. */
const PLAIN = {lineWidth: 0, compat: 'yaml-1.1'} as const

/** A value as YAML, with no character that a terminal would obey: only quoted text can hold them escaped. */
export function yamlText(value: unknown): string {
  const text = stringify(value, PLAIN)
  if (harmless(text) === text) return text
  return harmless(stringify(value, {...PLAIN, defaultStringType: 'QUOTE_DOUBLE', doubleQuotedAsJSON: true}))
}
