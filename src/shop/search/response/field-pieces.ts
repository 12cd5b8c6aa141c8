import {createHash} from 'node:crypto'
import type {Entity, Field} from '../../../shopware/entity.js'
import {getEncoder, type JsonForm} from './encoders.js'
import type {PageRow, TemplatePiece} from './row-template.js'

/** The value of a field of a row. @param options columns of the rows in their order, and how values are escaped */
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
 * Writes a hash of some fields: SHA-256, in hex. What the shop itself puts into it was not measured, so the value is ours.
 *
 * @param names of the fields
 * @param columns of the rows, in their order
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
