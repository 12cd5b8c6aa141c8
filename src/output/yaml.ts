import {stringify} from 'yaml'
import {escapeJsonControls} from './json/json-text.js'
import {type Layout, pickFields, type RowWriter} from './layout.js'

/** A YAML list, one item a row. */
export function createYamlWriter(layout: Layout): RowWriter {
  let count = 0
  return {
    begin: () => '',
    formatRow: row => {
      count++
      return stringifyYaml([pickFields(row, layout)])
    },
    end: () => (count === 0 ? '[]\n' : ''),
  }
}

/** Text that YAML 1.1 readers would take for something else, such as the country `NO` or a time, is quoted for them. */
const PLAIN = {lineWidth: 0, compat: 'yaml-1.1'} as const

/** A value as YAML, with no character that a terminal would obey: only quoted text can hold them escaped. */
export function stringifyYaml(value: unknown): string {
  const text = stringify(value, PLAIN)
  if (escapeJsonControls(text) === text) return text
  return escapeJsonControls(
    stringify(value, {...PLAIN, defaultStringType: 'QUOTE_DOUBLE', doubleQuotedAsJSON: true}),
  )
}
