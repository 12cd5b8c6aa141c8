import {createHash} from 'node:crypto'
import type {Entity} from '../../../shopware/entity.js'
import type {PageRow} from './row-template.js'

/**
 * Writes a hash of some fields: SHA-256, in hex. What the shop itself puts into it was not measured, so the value is ours.
 *
 * @param names of the fields
 * @param columns of the rows, in their order
 */
export function createHashWriter(
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
