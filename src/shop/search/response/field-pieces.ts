import {createHash} from 'node:crypto'
import type {Entity, Field} from '../../../shopware/entity.js'
import {getEncoder, type JsonForm} from './encoders.js'
import type {PageRow, TemplatePiece} from './row-template.js'

/** The template piece for a field's value. @param options columns of the rows in order, and the escaping */
export function buildFieldPiece(
  entity: Entity,
  field: Field,
  {columns, form = 'plain'}: {readonly columns: readonly string[]; readonly form?: JsonForm},
): TemplatePiece {
  if (field.constant !== undefined) return `"${field.constant}"`
  if (field.madeOf) return createHashWriter(entity, field.madeOf, columns)
  return {column: columns.indexOf(field.column), encode: getEncoder(field.kind, form)}
}

/**
 * Writes a SHA-256 hash of some fields, in hex. The shop's own input was not measured, so the values differ.
 *
 * @param names field names
 * @param columns columns of the rows, in order
 */
function createHashWriter(
  {fields}: Entity,
  names: readonly string[],
  columns: readonly string[],
): (row: PageRow) => string {
  const at = names.map(name => columns.indexOf(fields.find(one => one.name === name)?.column ?? ''))
  return row => {
    const values = at.map(column => row[column] ?? null)
    return `"${createHash('sha256').update(JSON.stringify(values)).digest('hex')}"`
  }
}
