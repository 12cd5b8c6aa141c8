import type {EntityFilter, FieldBounds, FieldScalar, Operator} from '../../model/criteria.js'
import {CRITERIA} from '../../runtime/limits.js'
import {createHttpError} from '../../runtime/shop-error.js'
import type {CriteriaErrors} from './errors.js'
import {createTypeError} from './errors.js'
import {convertToText, isArray, isEmpty, isList, isNumeric, isScalar} from './php-values.js'
import {buildRelativeTimeFilter} from './relative-time.js'

/** What reading a filter needs besides the filter. */
export interface FilterReading {
  errors: CriteriaErrors
  now: Date
}

type Written = Record<string, unknown>

/**
 * Reads one filter.
 *
 * @param path where it stands, `/filter/0`
 * @returns `undefined` when it is wrong, which `errors` then says
 * @throws ShopError 500 where the shop's own code would have failed
 * @see protocol.md §6.3, §6.8
 */
export function readFilter(
  written: Written,
  path: string,
  reading: FilterReading,
  depth = 0,
): EntityFilter | undefined {
  const {errors} = reading
  const {type} = written
  if (depth > CRITERIA.filterDepth) return void errors.filter('The filter is nested too deep.', path)
  if (type === undefined || type === null || type === '')
    return void errors.filter('Value for filter type is required.', '')
  if (typeof type === 'string' && Object.hasOwn(READERS, type)) {
    return READERS[type as keyof typeof READERS](written, path, reading, depth)
  }
  return void errors.filter(`Unsupported filter type: ${convertToText(type)}`, `${path}/type`)
}

type Reader = (
  written: Written,
  path: string,
  reading: FilterReading,
  depth: number,
) => EntityFilter | undefined

const READERS = {
  equals: readEquals,
  equalsAny: (written, path, {errors}) => {
    const values = readValues(written, path, errors)
    return values && {type: 'equalsAny', field: readFieldName(written.field), values}
  },
  equalsAll: (written, path, {errors}) => {
    const values = readValues(written, path, errors)
    return (
      values && {
        type: 'and',
        filters: values.map(value => buildSeparateFilter(readFieldName(written.field), value)),
      }
    )
  },
  contains: readPart('contains'),
  prefix: readPart('prefix'),
  suffix: readPart('suffix'),
  range: readRange,
  since: (written, path, reading) => buildRelativeTimeFilter('since', written, path, reading),
  until: (written, path, reading) => buildRelativeTimeFilter('until', written, path, reading),
  not: (written, path, reading, depth) => ({
    type: 'not',
    operator: parseNotOperator(written.operator),
    filters: readMembers(written, path, reading, depth),
  }),
  nand: (written, path, reading, depth) => ({
    type: 'not',
    operator: 'and',
    filters: readMembers(written, path, reading, depth),
  }),
  nor: (written, path, reading, depth) => ({
    type: 'not',
    operator: 'or',
    filters: readMembers(written, path, reading, depth),
  }),
  and: (written, path, reading, depth) => ({
    type: 'and',
    filters: readMembers(written, path, reading, depth),
  }),
  or: (written, path, reading, depth) => ({type: 'or', filters: readMembers(written, path, reading, depth)}),
  multi: (written, path, reading, depth) => ({
    type: convertToText(written.operator).toLowerCase() === 'or' ? 'or' : 'and',
    filters: readMembers(written, path, reading, depth),
  }),
} satisfies Record<string, Reader>

function readEquals(written: Written, path: string, {errors}: FilterReading): EntityFilter | undefined {
  if (!hasField('equals', written, path, errors)) return undefined
  const {field, value} = written
  if (value === undefined || value === '') {
    return void errors.filter('Parameter "value" for equals filter is missing.', `${path}/value`)
  }
  if (value !== null && !isScalar(value)) {
    return void errors.filter('Parameter "value" for equals filter must be scalar or null.', `${path}/value`)
  }
  return {type: 'equals', field: readFieldName(field), value}
}

function readPart(type: 'contains' | 'prefix' | 'suffix'): Reader {
  return (written, path, {errors}) => {
    if (!hasField(type, written, path, errors)) return undefined
    const {field, value} = written
    if (value === undefined || value === null || value === '') {
      return void errors.filter(`Parameter "value" for ${type} filter is missing.`, `${path}/value`)
    }
    return {type, field: readFieldName(field), value: isScalar(value) ? value : convertToText(value)}
  }
}

/** A group of its own, so that of many things each value may belong to another. */
function buildSeparateFilter(field: string, value: FieldScalar): EntityFilter {
  return {type: 'and', filters: [{type: 'equals', field, value}]}
}

/** The shop calls `equalsAll` `equalsAny` where the field is missing, and no further. */
function readValues(written: Written, path: string, errors: CriteriaErrors): FieldScalar[] | undefined {
  const type = convertToText(written.type)
  if (!hasField('equalsAny', written, path, errors)) return undefined
  const {value} = written
  if (isEmpty(value)) {
    return void errors.filter(`Parameter "value" for ${type} filter is missing.`, `${path}/value`)
  }
  const parts = typeof value === 'string' ? value.split('|').filter(part => !isEmpty(part)) : value
  const values = (isArray(parts) ? Object.values(parts) : [parts]).map(one =>
    isScalar(one) ? one : convertToText(one),
  )
  if (values.length > 0) return values
  return void errors.filter(
    `Parameter "value" for ${type} filter does not contain any value.`,
    `${path}/value`,
  )
}

function readRange(written: Written, path: string, {errors}: FilterReading): EntityFilter | undefined {
  const {field, parameters} = written
  const pointer = `${path}/parameters`
  if (parameters === undefined || parameters === null) {
    return void errors.filter('Parameter "parameters" for range filter is missing.', pointer)
  }
  if (!isArray(parameters)) throw createTypeError('rangeParameters', parameters)
  if (isEmpty(parameters))
    return void errors.filter('Parameter "parameters" for range filter is missing.', pointer)
  for (const [key, value] of Object.entries(parameters)) {
    if (!['gt', 'gte', 'lt', 'lte'].includes(key))
      return void errors.filter(`Invalid range filter key ${key}`, pointer)
    if (value !== null && !isNumeric(value) && (typeof value !== 'string' || value === '')) {
      return void errors.filter(`Invalid range filter value ${convertToText(value)}`, pointer)
    }
  }
  return {
    type: 'range',
    field: readFieldName(field),
    bounds: selectStrongestBounds(parameters as FieldBounds),
  }
}

/** `gt` wins over `gte`, `lt` over `lte`. */
function selectStrongestBounds({gt, gte, lt, lte}: FieldBounds): FieldBounds {
  return {
    ...(gt !== undefined ? {gt} : gte !== undefined ? {gte} : {}),
    ...(lt !== undefined ? {lt} : lte !== undefined ? {lte} : {}),
  }
}

function readMembers(written: Written, path: string, reading: FilterReading, depth: number): EntityFilter[] {
  const {queries} = written
  if (queries === undefined || queries === null) return []
  if (!isArray(queries)) throw createTypeError('queries', queries)
  return Object.entries(queries).flatMap(([key, member]) => {
    if (!isArray(member)) throw createTypeError('filter', member)
    const filter = readFilter(member as Written, `${path}/queries/${key}`, reading, depth + 1)
    return filter ? [filter] : []
  })
}

function parseNotOperator(operator: unknown): Operator {
  if (operator === undefined || operator === null) return 'and'
  const name = convertToText(operator)
  const lower = name.toLowerCase()
  if (lower === 'and' || lower === 'or' || lower === 'xor') return lower
  throw createHttpError(500, `Operator ${name.toUpperCase()} not allowed`)
}

/** @throws ShopError 500 for a name that is no text */
export function readFieldName(name: unknown): string {
  if (typeof name !== 'string') throw createTypeError('filterField', name)
  return name
}

export function hasField(type: string, {field}: Written, path: string, errors: CriteriaErrors): boolean {
  if (!isEmpty(field)) return true
  errors.filter(`Parameter "field" for ${type} filter is missing.`, `${path}/field`)
  return false
}

/**
 * Reads what stands under `filter` or `post-filter`: a list of filters, or a map of fields and values.
 *
 * @param name `filter` or `post-filter`
 */
export function readFilters(written: unknown, name: string, reading: FilterReading): EntityFilter[] {
  if (written === undefined || written === null) return []
  const {errors} = reading
  if (!isArray(written)) {
    const path = name === 'filter' ? '/filter' : ''
    errors.filter('The filter parameter has to be a list of filters.', `/${name}`, path)
    return []
  }
  return isList(written) ? readList(Object.values(written), name, reading) : readMap(written, name, errors)
}

function readList(written: unknown[], name: string, reading: FilterReading): EntityFilter[] {
  return written.flatMap((one, index) => {
    const path = `/${name}/${index}`
    if (!isArray(one)) {
      if (name === 'post-filter' || reading.errors.edition.name === '6.5')
        throw createTypeError('filter', one)
      reading.errors.filter('The filter parameter has to be an array.', path)
      return []
    }
    const filter = readFilter(one as Written, path, reading)
    return filter ? [filter] : []
  })
}

function readMap(written: Written, name: string, errors: CriteriaErrors): EntityFilter[] {
  return Object.entries(written).flatMap(([field, value], position): EntityFilter[] => {
    if (field === '') {
      errors.filter(`The key for filter at position "${position}" must not be blank.`, `/${name}/${position}`)
    } else if (value === '') {
      errors.filter(`The value for filter "${field}" must not be blank.`, `/${name}/${field}`)
    } else if (!isScalar(value)) {
      errors.filter(`The value for filter "${field}" must be scalar.`, `/${name}/${field}`)
    } else {
      return [{type: 'equals', field, value}]
    }
    return []
  })
}
