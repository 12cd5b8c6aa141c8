import {
  BUCKET_COUNT,
  type Buckets,
  type HistogramAggregation,
  type Interval,
} from '../../shopware/criteria.js'
import {createHttpError} from '../runtime/shop-error.js'

type Rows = readonly (readonly unknown[])[]

/**
 * Folds grouped rows into nested buckets.
 *
 * @param rows keys from the outermost in, the count, then the leaf's values; rows of one bucket are consecutive
 * @param leafOf builds the result of the innermost rows, without their keys
 * @param now the time that a histogram uses for null
 */
export function buildBuckets(
  levels: readonly Buckets[],
  rows: Rows,
  leafOf: (rows: Rows) => AggregationResult | undefined,
  now: Date,
): AggregationResult | undefined {
  const [level, ...inner] = levels
  if (!level) return leafOf(rows)
  const buckets = groupEqualKeys(rows).map((run): Bucket => {
    const rest = run.map(row => row.slice(1))
    return {
      key: formatBucketKey(level, run[0]?.[0], now),
      count: run.reduce((sum, row) => sum + Number(row[levels.length]), 0),
      nested: buildBuckets(inner, rest, leafOf, now),
    }
  })
  const sorted = sortBuckets(level, buckets)
  const limit = level.type === 'terms' ? level.limit : undefined
  return {kind: 'buckets', name: level.name, buckets: limit === undefined ? sorted : sorted.slice(0, limit)}
}

function groupEqualKeys(rows: Rows): (readonly unknown[])[][] {
  const runs: (readonly unknown[])[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && run[0]?.[0] === row[0]) run.push(row)
    else runs.push([row])
  }
  return runs
}

function formatBucketKey(level: Buckets, key: unknown, now: Date): string {
  if (level.type === 'histogram') return formatHistogramKey(level, key, now)
  return key === null || key === undefined ? '' : String(key)
}

function sortBuckets({sorting}: Buckets, buckets: readonly Bucket[]): readonly Bucket[] {
  if (sorting?.field !== BUCKET_COUNT) return buckets
  const sign = sorting.descending ? -1 : 1
  return [...buckets].sort((one, other) => sign * (one.count - other.count))
}

/** Default formats of keys. @see protocol.md §6.5, `histogram` */
const FORMATS: Readonly<Record<Exclude<Interval, 'quarter'>, string>> = {
  minute: 'Y-m-d H:i:00',
  hour: 'Y-m-d H:00:00',
  day: 'Y-m-d 00:00:00',
  week: 'Y W',
  month: 'Y-m-01 00:00:00',
  year: 'Y-01-01 00:00:00',
}

const MONTHS_A_QUARTER = 3

/**
 * The key of a bucket, from its earliest time.
 *
 * @param moment as stored; null stands for now
 * @throws ShopError 500 when it is invalid
 */
function formatHistogramKey(
  {interval, format}: Pick<HistogramAggregation, 'interval' | 'format'>,
  moment: unknown,
  now: Date,
): string {
  const date =
    moment === null || moment === undefined || moment === '' ? now : parseStoredDate(String(moment))
  if (format !== undefined) return formatPhpDate(format, date)
  if (interval !== 'quarter') return formatPhpDate(FORMATS[interval], date)
  return `${formatPhpDate('Y', date)} ${Math.ceil((date.getUTCMonth() + 1) / MONTHS_A_QUARTER)}`
}

function parseStoredDate(stored: string): Date {
  const date = new Date(`${stored.replace(' ', 'T')}Z`)
  if (!Number.isNaN(date.getTime())) return date
  throw createHttpError(500, `Failed to parse time string (${stored}) at position 0 (${[...stored][0]})`)
}

/** The result of an aggregation. Inside filter aggregations, the name is that of the innermost one. */
export type AggregationResult =
  | {kind: 'values'; name: string; values: readonly AggregatedValue[]}
  | {kind: 'ranges'; name: string; ranges: readonly (readonly [key: string, count: number])[]}
  | {kind: 'entities'; name: string; definition: string; ids: readonly string[]}
  | {kind: 'buckets'; name: string; buckets: readonly Bucket[]}

/** One member of a result: integers, numbers with a possible fraction, and texts are written differently. */
export type AggregatedValue = readonly [
  member: string,
  kind: 'int' | 'float' | 'text',
  value: string | number | null,
]

export interface Bucket {
  key: string
  count: number
  nested: AggregationResult | undefined
}

const DAY_MS = 24 * 3600 * 1000
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const formatTwoDigits = (number: number) => String(number).padStart(2, '0')
const getHour12 = (date: Date) => date.getUTCHours() % 12 || 12
const getWeekday = (date: Date) => date.getUTCDay() || 7
const getDayOfYear = (date: Date) =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS)
const getLastDayOfMonth = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
const isLeap = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), 1, 29)).getUTCMonth() === 1

/** Weeks belong to the year of their Thursday. @see ISO 8601 */
const findThursday = (date: Date) => new Date(date.getTime() + (4 - getWeekday(date)) * DAY_MS)

function getOrdinalSuffix(day: number): string {
  const endings = ['th', 'st', 'nd', 'rd']
  return day > 10 && day < 14 ? 'th' : (endings[day % 10] ?? 'th')
}

const LETTERS: Readonly<Record<string, (date: Date) => string | number>> = {
  d: date => formatTwoDigits(date.getUTCDate()),
  D: date => (DAYS[date.getUTCDay()] as string).slice(0, 3),
  j: date => date.getUTCDate(),
  l: date => DAYS[date.getUTCDay()] as string,
  N: getWeekday,
  S: date => getOrdinalSuffix(date.getUTCDate()),
  w: date => date.getUTCDay(),
  z: getDayOfYear,
  W: date => formatTwoDigits(Math.floor(getDayOfYear(findThursday(date)) / 7) + 1),
  F: date => MONTHS[date.getUTCMonth()] as string,
  m: date => formatTwoDigits(date.getUTCMonth() + 1),
  M: date => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  n: date => date.getUTCMonth() + 1,
  t: getLastDayOfMonth,
  L: date => (isLeap(date) ? 1 : 0),
  o: date => findThursday(date).getUTCFullYear(),
  Y: date => String(date.getUTCFullYear()).padStart(4, '0'),
  y: date => formatTwoDigits(date.getUTCFullYear() % 100),
  a: date => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: getHour12,
  G: date => date.getUTCHours(),
  h: date => formatTwoDigits(getHour12(date)),
  H: date => formatTwoDigits(date.getUTCHours()),
  i: date => formatTwoDigits(date.getUTCMinutes()),
  s: date => formatTwoDigits(date.getUTCSeconds()),
  v: date => String(date.getUTCMilliseconds()).padStart(3, '0'),
  u: date => String(date.getUTCMilliseconds() * 1000).padStart(6, '0'),
  e: () => 'UTC',
  T: () => 'UTC',
  P: () => '+00:00',
  p: () => 'Z',
  O: () => '+0000',
  Z: () => 0,
  I: () => 0,
  U: date => Math.floor(date.getTime() / 1000),
  c: date => formatPhpDate('Y-m-d\\TH:i:sP', date),
  r: date => formatPhpDate('D, d M Y H:i:s O', date),
}

/**
 * Formats a time like PHP's `date`; a backslash escapes the next letter.
 *
 * @param date shown as UTC
 */
function formatPhpDate(format: string, date: Date): string {
  return format.replace(/\\(.)|[A-Za-z]|\\$/g, (match, kept?: string) =>
    kept === undefined ? String(LETTERS[match]?.(date) ?? match.replace('\\', '')) : kept,
  )
}
