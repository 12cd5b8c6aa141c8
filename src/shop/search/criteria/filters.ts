import type {EntityFilter, FieldBounds, FieldScalar, Operator} from '../../../shopware/criteria.js'
import {
  convertToText,
  isArray,
  isEmpty,
  isIntegerKey,
  isList,
  isNumeric,
  isScalar,
} from '../../../shopware/php-values.js'
import {CRITERIA} from '../../runtime/limits.js'
import {createHttpError} from '../../runtime/shop-error.js'
import type {CriteriaErrors} from './errors.js'
import {createTypeError} from './errors.js'
import {buildRelativeTimeFilter} from './relative-time.js'

/** Context for reading a filter. */
export interface FilterReading {
  errors: CriteriaErrors
  /** Collector for errors of nested filters, where it differs. */
  nested?: CriteriaErrors
  /** Whether errors other than those of filters are sent alone. */
  isAlone?: boolean
  now: Date
}

type Written = Record<string, unknown>

/**
 * Parses a filter.
 *
 * @param path its position, `/filter/0`
 * @returns `undefined` when it is invalid; the error is in `errors`
 * @throws ShopError 500 where the shop's own code would fail
 * @see protocol.md §6.3, §6.8
 */
export function readFilter(
  written: Written,
  path: string,
  reading: FilterReading,
  depth = 0,
): EntityFilter | undefined {
  const {errors} = reading
  // Types are compared loosely, so that `true` equals the first one.
  const type = written.type === true ? 'equals' : written.type
  if (depth > CRITERIA.filterDepth) return void errors.filter('The filter is nested too deep.', path)
  if (isEmpty(type)) return void errors.filter('Value for filter type is required.', '')
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
    if (!values) return undefined
    const field = readFieldName(written.field)
    if (errors.edition.name !== '6.7' || !values.includes(null))
      return {type: 'equalsAny', field, values: values.map(convertToScalar)}
    // Newer shops also find null values if null is among the values.
    const others = values.filter(value => value !== null).map(convertToScalar)
    const none: EntityFilter = {type: 'equals', field, value: null}
    return others.length === 0
      ? none
      : {type: 'or', filters: [{type: 'equalsAny', field, values: others}, none]}
  },
  equalsAll: (written, path, {errors}) => {
    const values = readValues(written, path, errors)
    if (!values) return undefined
    const field = readFieldName(written.field)
    const wrong = values.find(isArray)
    if (wrong !== undefined) throw createTypeError('equalsValue', wrong)
    return {
      type: 'and',
      filters: values.map(value => buildSeparateFilter(field, isScalar(value) ? value : null)),
    }
  },
  contains: readPart('contains'),
  prefix: readPart('prefix'),
  suffix: readPart('suffix'),
  range: readRange,
  since: (written, path, reading) => buildRelativeTimeFilter('since', written, path, reading),
  until: (written, path, reading) => buildRelativeTimeFilter('until', written, path, reading),
  not: readGroup(({operator}) => ({type: 'not', operator: parseNotOperator(operator)})),
  nand: readGroup(() => ({type: 'not', operator: 'and'})),
  nor: readGroup(() => ({type: 'not', operator: 'or'})),
  and: readGroup(() => ({type: 'and'})),
  or: readGroup(() => ({type: 'or'})),
  multi: readGroup(({operator}) => ({
    type: convertToText(operator).toLowerCase() === 'or' ? 'or' : 'and',
  })),
} satisfies Record<string, Reader>

function readEquals(written: Written, path: string, {errors}: FilterReading): EntityFilter | undefined {
  if (!hasField('equals', written, path, errors)) return undefined
  const {field, value} = written
  // Newer shops compare with an empty text.
  if (value === undefined || (value === '' && errors.edition.name !== '6.7')) {
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
    const name = readFieldName(field)
    if (type !== 'contains' && !isScalar(value)) throw createTypeError(`${type}Value`, value)
    return {type, field: name, value: isScalar(value) ? value : convertToText(value)}
  }
}

function convertToScalar(value: unknown): FieldScalar {
  return isScalar(value) ? value : convertToText(value)
}

/** A separate group, so that with many entities each value may belong to another one. */
function buildSeparateFilter(field: string, value: FieldScalar | null): EntityFilter {
  return {type: 'and', filters: [{type: 'equals', field, value}]}
}

/** Before 6.7 the shop's error for a missing field says `equalsAny` instead of `equalsAll`. */
function readValues(written: Written, path: string, errors: CriteriaErrors): unknown[] | undefined {
  const type = convertToText(written.type)
  const named = errors.edition.name === '6.7' ? type : 'equalsAny'
  if (!hasField(named, written, path, errors)) return undefined
  const {value} = written
  if (isEmpty(value)) {
    return void errors.filter(`Parameter "value" for ${type} filter is missing.`, `${path}/value`)
  }
  const parts = typeof value === 'string' ? value.split('|').filter(part => !isEmpty(part)) : value
  const values = isArray(parts) ? Object.values(parts) : [parts]
  if (values.length > 0) return values
  return void errors.filter(
    `Parameter "value" for ${type} filter does not contain any value.`,
    `${path}/value`,
  )
}

function readRange(written: Written, path: string, {errors}: FilterReading): EntityFilter | undefined {
  const {field, parameters} = written
  const pointer = `${path}/parameters`
  if (parameters === undefined || parameters === null || (isArray(parameters) && isEmpty(parameters)))
    return void errors.filter('Parameter "parameters" for range filter is missing.', pointer)
  const name = readFieldName(field)
  if (!isArray(parameters)) throw createTypeError('rangeParameters', parameters)
  for (const [key, value] of Object.entries(parameters)) {
    if (!['gt', 'gte', 'lt', 'lte'].includes(key))
      return void errors.filter(`Invalid range filter key ${key}`, pointer)
    if (value !== null && !isNumeric(value) && (typeof value !== 'string' || value === '')) {
      return void errors.filter(`Invalid range filter value ${convertToText(value)}`, pointer)
    }
  }
  return {
    type: 'range',
    field: name,
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

/** @param describe builds the group from its parsed filters */
function readGroup(
  describe: (written: Written) => {type: 'and' | 'or'} | {type: 'not'; operator: Operator},
): Reader {
  return (written, path, reading, depth) => {
    const filters = readMembers(written, path, reading, depth)
    return {...describe(written), filters}
  }
}

function readMembers(written: Written, path: string, reading: FilterReading, depth: number): EntityFilter[] {
  const {queries} = written
  if (queries === undefined || queries === null) return []
  if (!isArray(queries)) throw createTypeError('queries', queries)
  return Object.entries(queries).flatMap(([key, member]) => {
    if (!isArray(member)) throw createTypeError('filter', member)
    const inner = {...reading, errors: reading.nested ?? reading.errors}
    const filter = readFilter(member as Written, `${path}/queries/${key}`, inner, depth + 1)
    return filter ? [filter] : []
  })
}

function parseNotOperator(operator: unknown): Operator {
  if (operator === undefined || operator === null) return 'and'
  if (typeof operator !== 'string') throw createTypeError('notOperator', operator)
  const name = operator.trim()
  const lower = name.toLowerCase()
  if (lower === 'and' || lower === 'or' || lower === 'xor') return lower
  throw createHttpError(500, `Operator ${name.toUpperCase()} not allowed`)
}

/** @throws ShopError 500 for a name that is not text */
function readFieldName(name: unknown): string {
  if (typeof name !== 'string') throw createTypeError('filterField', name)
  return name
}

function hasField(type: string, {field}: Written, path: string, errors: CriteriaErrors): boolean {
  if (!isEmpty(field)) return true
  errors.filter(`Parameter "field" for ${type} filter is missing.`, `${path}/field`)
  return false
}

/**
 * Parses `filter` or `post-filter`: a list of filters, or a map of fields to values.
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
  return isList(written) ? readList(Object.values(written), name, reading) : readMap(written, errors)
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

/** Pointers into a map are always those of `filter`. */
function readMap(written: Written, errors: CriteriaErrors): EntityFilter[] {
  return Object.entries(written).flatMap(([field, value], position): EntityFilter[] => {
    if (field === '') {
      errors.filter(`The key for filter at position "${position}" must not be blank.`, `/filter/${position}`)
    } else if (value === '') {
      errors.filter(`The value for filter "${field}" must not be blank.`, `/filter/${field}`)
    } else if (!isScalar(value)) {
      errors.filter(`The value for filter "${field}" must be scalar.`, `/filter/${field}`)
    } else {
      if (isIntegerKey(field)) throw createTypeError('sortField', Number(field))
      return [{type: 'equals', field, value}]
    }
    return []
  })
}
