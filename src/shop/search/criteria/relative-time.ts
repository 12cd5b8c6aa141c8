import type {EntityFilter} from '../../../shopware/criteria.js'
import {convertToText, describeType, isArray, isEmpty} from '../../../shopware/php-values.js'
import {createHttpError} from '../../runtime/shop-error.js'
import {type CriteriaErrors, createNoPointerError, createRangeKeyError, createTypeError} from './errors.js'

/** ISO 8601 durations in PHP: `P1Y2M3DT4H5M6S`, `P2W`. */
const DURATION =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** Swapped for `since`: the longer the duration, the earlier the date. */
const SWAPPED: Readonly<Record<string, string>> = {gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte'}

/**
 * `since` and `until`: compares the field with now minus or plus a duration, by date only, and on that side of now.
 *
 * @throws ShopError 500 for an invalid duration
 * @see protocol.md §6.3
 */
export function buildRelativeTimeFilter(
  type: 'since' | 'until',
  written: Record<string, unknown>,
  path: string,
  {errors, now, isAlone}: {errors: CriteriaErrors; now: Date; isAlone?: boolean},
): EntityFilter | undefined {
  const {field, value, parameters} = written
  if (typeof field !== 'string') throw createTypeError('filterField', field)
  if (isEmpty(field))
    return void errors.filter(`Parameter "field" for ${type} filter is missing.`, `${path}/field`)
  if (isEmpty(value))
    return void errors.filter(`Parameter "value" for ${type} filter is missing.`, `${path}/value`)
  const operator = isArray(parameters) ? (parameters as Record<string, unknown>).operator : undefined
  if (isEmpty(operator)) {
    return void errors.filter(
      `Parameter "parameter.operator" for ${type} filter is missing.`,
      `${path}/parameter`,
    )
  }
  const threshold = shiftDate(now, readDuration(value), type === 'since' ? -1 : 1)
    .toISOString()
    .slice(0, 10)
  if (type === 'since' && typeof operator !== 'string') throw createTypeError('relativeOperator', operator)
  if (isArray(operator)) throw createHttpError(500, 'Illegal offset type')
  const primary = compareWithDay(field, convertToText(operator), threshold, type)
  // The error has no pointer, on which the shop's own code fails when it collects errors.
  if (!primary)
    throw isAlone || errors.edition.name === '6.5'
      ? createRangeKeyError(convertToText(operator))
      : createNoPointerError()
  const side: EntityFilter = {
    type: 'range',
    field,
    bounds: type === 'until' ? {gt: formatAtom(now)} : {lt: formatAtom(now)},
  }
  return {type: 'and', filters: [primary, side]}
}

function compareWithDay(
  field: string,
  operator: string,
  day: string,
  type: 'since' | 'until',
): EntityFilter | undefined {
  const wholeDay: EntityFilter = {
    type: 'range',
    field,
    bounds: {gte: `${day} 00:00:00`, lte: `${day} 23:59:59`},
  }
  if (operator === 'eq') return wholeDay
  if (operator === 'neq') return {type: 'not', operator: 'and', filters: [wholeDay]}
  if (!(operator in SWAPPED)) return undefined
  const bound = type === 'since' ? (SWAPPED[operator] as string) : operator
  return {type: 'range', field, bounds: {[bound]: day}}
}

function readDuration(value: unknown): string {
  if (typeof value === 'string') return value
  const detail = `DateInterval::__construct(): Argument #1 ($duration) must be of type string, ${describeType(value)} given`
  throw createHttpError(500, detail)
}

function shiftDate(now: Date, duration: string, direction: 1 | -1): Date {
  const match = DURATION.exec(duration)
  if (!match) throw createHttpError(500, `Unknown or bad format (${duration})`)
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map(part => direction * Number(part ?? 0)) as [number, number, number, number, number, number, number]
  return new Date(
    Date.UTC(
      now.getUTCFullYear() + years,
      now.getUTCMonth() + months,
      now.getUTCDate() + weeks * 7 + days,
      now.getUTCHours() + hours,
      now.getUTCMinutes() + minutes,
      now.getUTCSeconds() + seconds,
    ),
  )
}

function formatAtom(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`
}
