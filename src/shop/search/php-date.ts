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
 * A moment in a format of PHP's `date`; a backslash keeps the letter behind it.
 *
 * @param date shown as UTC
 */
export function formatPhpDate(format: string, date: Date): string {
  return format.replace(/\\(.)|[A-Za-z]|\\$/g, (match, kept?: string) =>
    kept === undefined ? String(LETTERS[match]?.(date) ?? match.replace('\\', '')) : kept,
  )
}
