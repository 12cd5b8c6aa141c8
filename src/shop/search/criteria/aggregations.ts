import {
  type Buckets,
  type CriteriaAggregation,
  INTERVALS,
  type Interval,
  type RangeAggregation,
  type Sorting,
} from '../../../shopware/criteria.js'
import {NO_OFFSET} from '../../../shopware/error-texts.js'
import {
  convertToInteger,
  convertToText,
  isArray,
  isEmpty,
  isIntegerKey,
  isNumeric,
} from '../../../shopware/php-values.js'
import {CRITERIA} from '../../runtime/limits.js'
import {createHttpError, createShopError, type ShopError} from '../../runtime/shop-error.js'
import {createInvalidAggregationError, createTypeError} from './errors.js'
import {type FilterReading, readFilter} from './filters.js'

type Written = Record<string, unknown>

/**
 * Reads `aggregations`.
 *
 * @throws ShopError 400 at once when it is not a list, 500 for an unknown interval and where the shop's own code would
 * fail; everything else is collected as errors
 * @see protocol.md §6.5, §6.8
 */
export function readAggregations(aggregations: unknown, reading: FilterReading): CriteriaAggregation[] {
  if (aggregations === undefined || aggregations === null) return []
  if (!isArray(aggregations))
    throw createInvalidAggregationError('The aggregations parameter has to be a list of aggregations.')
  return Object.entries(aggregations).flatMap(([key, one]) => {
    if (!isIntegerKey(key)) throw createTypeError('aggregationIndex', key)
    return readAggregation(one, {path: `/aggregations/${key}`, depth: 0}, reading) ?? []
  })
}

/** The position of an aggregation. */
interface Position {
  /** Path of the outermost one, to which errors of nested ones point as well. */
  readonly path: string
  readonly depth: number
}

function readAggregation(
  written: unknown,
  at: Position,
  reading: FilterReading,
): CriteriaAggregation | undefined {
  if (!isArray(written)) throw createTypeError('aggregation', written)
  const {errors} = reading
  const {path, depth} = at
  const sent = written as Written
  const {type} = sent
  const name = convertToText(sent.name)
  if (depth > CRITERIA.aggregationDepth)
    return void errors.addAggregationError('The aggregation is nested too deep.', path)
  if (isEmpty(name) || isNumeric(name))
    return void errors.addAggregationError('The aggregation name should be a non-empty string.', path)
  if (/[?:]/.test(name))
    return void errors.addAggregationError(
      'The aggregation name should not contain a question mark or colon.',
      path,
    )
  if (typeof type !== 'string' || isEmpty(type) || isNumeric(type))
    return void errors.addAggregationError('The aggregations of "%s" should be a non-empty string.', path)
  if (isEmpty(sent.field) && type !== 'filter')
    return void errors.addAggregationError(
      'The aggregation should contain a "field".',
      `${path}/${type}/field`,
    )
  const named = {name, field: type === 'filter' ? '' : readAggregatedField(sent.field)}
  if (Object.hasOwn(READERS, type)) {
    return READERS[type as keyof typeof READERS](named, sent, at, reading)
  }
  return void errors.addAggregationError(`The aggregation type "${type}" used as key does not exist.`, path)
}

/** @throws ShopError 500 for a name that is not text */
function readAggregatedField(name: unknown): string {
  if (typeof name !== 'string') throw createTypeError('aggregatedField', name)
  return name
}

type Named = {name: string; field: string}
type Reader = (
  named: Named,
  sent: Written,
  at: Position,
  reading: FilterReading,
) => CriteriaAggregation | undefined

const READERS = {
  count: named => ({type: 'count', ...named}),
  avg: named => ({type: 'avg', ...named}),
  sum: named => ({type: 'sum', ...named}),
  min: named => ({type: 'min', ...named}),
  max: named => ({type: 'max', ...named}),
  stats: named => ({type: 'stats', ...named}),
  range: (named, {ranges}, {path}, {errors}) => {
    if (ranges !== undefined && ranges !== null) return {type: 'range', ...named, ranges: readRanges(ranges)}
    return void errors.addAggregationError('The aggregation should contain "ranges".', `${path}/range/field`)
  },
  entity: (named, {definition}, {path}, {errors}) => {
    if (typeof definition === 'string') return {type: 'entity', ...named, definition}
    if (definition !== undefined && definition !== null) throw createTypeError('definition', definition)
    return void errors.addAggregationError(
      'The aggregation should contain a "definition".',
      `${path}/entity/field`,
    )
  },
  filter: readFiltered,
  terms: (named, sent, at, reading) => {
    const rest = readBucketRest(sent, at, reading)
    const limit = convertToInteger(sent.limit)
    if (limit < 0) throw createSyntaxError(String(limit))
    return rest && {type: 'terms', ...named, ...(limit > 0 ? {limit} : {}), ...rest}
  },
  histogram: (named, sent, at, reading) => {
    const {interval, format, timeZone} = sent
    if (interval === undefined || interval === null) {
      const pointer = `${at.path}/histogram/interval`
      return void reading.errors.addAggregationError(
        'The aggregation should contain an date interval.',
        pointer,
      )
    }
    const rest = readBucketRest(sent, at, reading)
    const lower = readInterval(interval)
    if (!isTextOrNull(format)) throw createTypeError('format', format)
    if (!isTextOrNull(timeZone)) throw createTypeError('timeZone', timeZone)
    const known = requireInterval(lower)
    if (typeof timeZone === 'string') requireTimeZone(timeZone)
    const formatted = isEmpty(format) || format === null || format === undefined ? {} : {format}
    return rest && {type: 'histogram', ...named, interval: known, ...formatted, ...rest}
  },
} satisfies Record<string, Reader>

function readFiltered(
  {name}: Named,
  {filter, aggregation}: Written,
  at: Position,
  reading: FilterReading,
): CriteriaAggregation | undefined {
  if (isEmpty(filter) || filter === undefined || isEmpty(aggregation)) {
    const detail = 'The aggregation should contain an array of filters in property "filter".'
    return void reading.errors.addAggregationError(detail, `${at.path}/filter/field`)
  }
  const filters = Object.entries(isArray(filter) ? filter : {}).flatMap(([key, one]) => {
    if (!isArray(one)) throw createTypeError('filter', one)
    return readFilter(one as Written, `/filter/${key}`, {...reading, isAlone: true}) ?? []
  })
  const nested = readAggregation(aggregation, enterAggregation(at), reading)
  return nested && {type: 'filter', name, filters, aggregation: nested}
}

function enterAggregation({path, depth}: Position): Position {
  return {path, depth: depth + 1}
}

/** @returns `undefined` when the nested aggregation is invalid */
function readBucketRest(
  {sort, aggregation}: Written,
  at: Position,
  reading: FilterReading,
): Pick<Buckets, 'sorting' | 'aggregation'> | undefined {
  const isNested = aggregation !== undefined && aggregation !== null
  const nested = isNested ? readAggregation(aggregation, enterAggregation(at), reading) : undefined
  const sorting = sort === undefined || sort === null ? undefined : readSort(sort)
  const rest = sorting ? {sorting} : {}
  if (!isNested) return rest
  return nested && {...rest, aggregation: nested}
}

function readSort(sort: unknown): Sorting {
  if (typeof sort === 'string') throw createHttpError(500, NO_OFFSET)
  const {field, order, naturalSorting} = (isArray(sort) ? sort : {}) as Written
  if (typeof field !== 'string') throw createTypeError('bucketSortField', field)
  const descending = convertToText(order).toLowerCase() === 'desc'
  return {field, descending, natural: !isEmpty(naturalSorting), count: false}
}

/** The database's error for a value that the shop passes on unchecked. */
function createSyntaxError(near: string): ShopError {
  const reason = `SQLSTATE[42000]: Syntax error or access violation: 1064 near '${near}'`
  return createHttpError(500, `An exception occurred while executing a query: ${reason}`, '1064')
}

function isTextOrNull(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}

/**
 * Shops come without time zones in their database: an existing zone has no effect.
 *
 * @throws ShopError 500 for an unknown zone
 */
function requireTimeZone(timeZone: string): void {
  try {
    const known = new Intl.DateTimeFormat('en-US', {timeZone}).resolvedOptions().timeZone
    const isMisspelt = known !== timeZone && known.toLowerCase() === timeZone.toLowerCase()
    if (/^[A-Z]/.test(timeZone) && !isMisspelt) return
  } catch {
    // Reported below: Intl has no way to check.
  }
  const detail = `Given "${timeZone}" is not a valid timezone`
  throw createShopError(500, 'FRAMEWORK__INVALID_TIMEZONE', detail, {parameters: {timeZone}})
}

function readInterval(written: unknown): string {
  if (typeof written !== 'string') throw createTypeError('interval', written)
  return written.toLowerCase()
}

/** @throws ShopError 500 for an unknown interval */
function requireInterval(interval: string): Interval {
  const known = INTERVALS.find(one => one === interval)
  if (known) return known
  const allowedIntervals = INTERVALS.join(', ')
  const detail = `Provided date histogram interval "${interval}" is not supported. Supported intervals: ${allowedIntervals}.`
  throw createShopError(500, 'FRAMEWORK__INVALID_DATE_HISTOGRAM_INTERVAL', detail, {
    parameters: {interval, allowedIntervals},
  })
}

/**
 * Reads the ranges of an aggregation; the default key of a range is its bounds, with `*` for an open one.
 *
 * @throws ShopError 500 where the shop's own code would fail
 * @see protocol.md §6.5, `range`
 */
function readRanges(ranges: unknown): RangeAggregation['ranges'] {
  if (!isArray(ranges)) throw createTypeError('ranges', ranges)
  if (isEmpty(ranges)) throw createSyntaxError('FROM')
  return Object.values(ranges).map(range => {
    const {from, to, key} = (isArray(range) ? range : {}) as Record<string, unknown>
    const bounds = {...readBound('from', from), ...readBound('to', to)}
    const named =
      key === undefined || key === null ? `${bounds.from ?? '*'}-${bounds.to ?? '*'}` : convertToText(key)
    return {key: named, ...bounds}
  })
}

function readBound(name: 'from' | 'to', value: unknown): {from?: number; to?: number} {
  if (value === undefined || value === null) return {}
  return {[name]: isNumeric(value) ? Number(value) : 0}
}
