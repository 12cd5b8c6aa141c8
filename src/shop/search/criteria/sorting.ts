import type {Sorting} from '../../../shopware/criteria.js'
import {convertToText, isArray, isEmpty} from '../../../shopware/php-values.js'
import {type CriteriaErrors, createTypeError} from './errors.js'

/**
 * Parses `sort`: a list of objects, or names separated by commas, with the prefix `-` for descending order. Any order
 * except `desc` is ascending.
 *
 * @see protocol.md §6.2, §6.8
 */
export function readSorting(sort: unknown, errors: CriteriaErrors): Sorting[] {
  if (sort === undefined || sort === null) return []
  if (typeof sort === 'string') return readNames(sort, errors)
  if (!isArray(sort)) throw createTypeError('sort', sort)
  const sorting: Sorting[] = []
  for (const [key, one] of Object.entries(sort)) {
    const field = isArray(one) ? (one as Record<string, unknown>).field : undefined
    if (errors.edition.name === '6.5' && field !== undefined && field !== null && typeof field !== 'string')
      throw createTypeError('sortField', field)
    if (typeof field !== 'string') {
      errors.sort(
        'The "sort" array needs to be an associative array at least containing a field name',
        `/sort/${key}`,
        {sent: one},
      )
      return []
    }
    sorting.push(readOne(field, one as Record<string, unknown>))
  }
  return sorting
}

function readOne(field: string, {order, naturalSorting, type}: Record<string, unknown>): Sorting {
  return {
    field,
    descending: convertToText(order).toLowerCase() === 'desc',
    natural: !isEmpty(naturalSorting),
    count: convertToText(type).toLowerCase() === 'count',
  }
}

function readNames(sort: string, errors: CriteriaErrors): Sorting[] {
  const names = sort.split(',').filter(name => !isEmpty(name))
  if (names.length === 0) {
    errors.sort(
      'The "sort" parameter needs to be a sorting array or a comma separated list of fields',
      '/sort',
    )
  }
  return names.map(name => ({
    field: name.startsWith('-') ? name.slice(1) : name,
    descending: name.startsWith('-'),
    natural: false,
    count: false,
  }))
}
