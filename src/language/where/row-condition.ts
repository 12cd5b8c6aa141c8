import {suggestNearest} from '../nearest-word.js'
import {checkCondition} from './comparison.js'
import {type FieldValue, meetsCondition} from './evaluate.js'
import type {FieldType} from './value.js'
import {parseWhere} from './where.js'

/** The fields of a row for `--where` and `--sort`, by name. */
export type RowFields<Row> = Readonly<
  Record<string, {readonly type: FieldType; readonly read: (row: Row) => FieldValue}>
>

/**
 * Parses a condition that is applied to rows one by one.
 *
 * @param row what a row is, for messages: `a payment`
 * @throws StorectlError `usage.where`
 * @see docs/where.md
 */
export function parseRowCondition<Row>(
  text: string,
  fields: RowFields<Row>,
  row: string,
): (each: Row) => boolean {
  const names = Object.keys(fields)
  const condition = checkCondition(parseWhere(text), text, {
    find: path => {
      const field = Object.hasOwn(fields, path) ? fields[path] : undefined
      const hint = `${suggestNearest(path, names)} Fields: ${names.join(', ')}`
      return field ?? {problem: `unknown field "${path}" in ${row}.${hint}`, at: 0}
    },
  })
  return each => meetsCondition(condition, name => fields[name]?.read(each) ?? null)
}

/** Fields of one type that a row of JSON has under these paths: `shipTo.name`. */
export function nameFields<Row extends object>(type: FieldType, paths: readonly string[]): RowFields<Row> {
  return Object.fromEntries(paths.map(path => [path, {type, read: row => readField(row, path, type)}]))
}

function readField(row: object, path: string, type: FieldType): FieldValue {
  let found: unknown = row
  for (const name of path.split('.')) found = (found as Readonly<Record<string, unknown>> | null)?.[name]
  if (typeof found === 'boolean' || typeof found === 'number') return found
  if (typeof found !== 'string') return null
  return type === 'time' ? new Date(found) : found
}
