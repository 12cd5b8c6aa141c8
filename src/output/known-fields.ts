import {createUsageError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'
import type {Row, View} from './view.js'

/** Names shown of a long list. */
const MOST_NAMED = 30

/**
 * Refuses a path of `--fields` whose first name is not known, with all names that are.
 *
 * @throws StorectlError `usage.fields`
 */
export function requireKnownFields(fields: readonly string[] = [], known: readonly string[]): void {
  const unknown = fields.find(field => !known.includes(field) && !known.includes(firstName(field)))
  if (unknown === undefined) return
  const names = known.slice(0, MOST_NAMED).join(', ')
  const hint = suggestNearest(unknown, known)
  throw createUsageError('fields', `--fields: unknown field "${unknown}".${hint} Fields: ${names}.`)
}

/** The same for the rows of a list or a record, by its first row: every row of a view has the same members. */
export function requireFieldsOfRow(fields: readonly string[] | undefined, view: View, row: Row): void {
  if (!fields || view.hasAnyField) return
  const columns = view.columns.map(({path}) => firstName(path))
  requireKnownFields(fields, [...new Set([...columns, ...Object.keys(row)])])
}

function firstName(path: string): string {
  return path.split('.')[0] ?? path
}
