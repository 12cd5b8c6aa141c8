import {usageError} from '../../errors.js'
import type {FieldFinder} from '../fields/fields.js'
import type {Sort} from './criteria.js'

/**
 * Reads `-createdAt,lastName`: fields with commas between, each with `-` for the highest first.
 *
 * @throws StorectlError `usage.sort` for a field that is not there, twice there, or nothing at all
 */
export function parseSort(text: string, fields: FieldFinder): Sort[] {
  const sorts = text.split(',').map(part => one(part.trim(), fields))
  const twice = sorts.find(({field}, at) => sorts.findIndex(each => each.field === field) < at)
  if (twice) throw usageError('sort', `--sort names ${twice.field} twice.`)
  return sorts
}

function one(part: string, fields: FieldFinder): Sort {
  const [, sign, field] = /^([+-]?)(.+)$/.exec(part) ?? []
  if (field === undefined)
    throw usageError('sort', '--sort names no field; write --sort -createdAt,lastName.')
  const found = fields.find(field)
  if ('problem' in found) throw usageError('sort', `--sort ${field}: ${found.problem}`)
  if (found.type === 'list') throw usageError('sort', `--sort ${field}: a list has no order.`)
  return {field, order: sign === '-' ? 'DESC' : 'ASC'}
}
