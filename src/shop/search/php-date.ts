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

const two = (number: number) => String(number).padStart(2, '0')
const hour12 = (date: Date) => date.getUTCHours() % 12 || 12
const weekday = (date: Date) => date.getUTCDay() || 7
const dayOfYear = (date: Date) =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS)
const lastOfMonth = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
const isLeap = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), 1, 29)).getUTCMonth() === 1

/** Weeks belong to the year of their Thursday. @see ISO 8601 */
const thursday = (date: Date) => new Date(date.getTime() + (4 - weekday(date)) * DAY_MS)

function ordinal(day: number): string {
  const endings = ['th', 'st', 'nd', 'rd']
  return day > 10 && day < 14 ? 'th' : (endings[day % 10] ?? 'th')
}

const LETTERS: Readonly<Record<string, (date: Date) => string | number>> = {
  d: date => two(date.getUTCDate()),
  D: date => (DAYS[date.getUTCDay()] as string).slice(0, 3),
  j: date => date.getUTCDate(),
  l: date => DAYS[date.getUTCDay()] as string,
  N: weekday,
  S: date => ordinal(date.getUTCDate()),
  w: date => date.getUTCDay(),
  z: dayOfYear,
  W: date => two(Math.floor(dayOfYear(thursday(date)) / 7) + 1),
  F: date => MONTHS[date.getUTCMonth()] as string,
  m: date => two(date.getUTCMonth() + 1),
  M: date => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  n: date => date.getUTCMonth() + 1,
  t: lastOfMonth,
  L: date => (isLeap(date) ? 1 : 0),
  o: date => thursday(date).getUTCFullYear(),
  Y: date => String(date.getUTCFullYear()).padStart(4, '0'),
  y: date => two(date.getUTCFullYear() % 100),
  a: date => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: hour12,
  G: date => date.getUTCHours(),
  h: date => two(hour12(date)),
  H: date => two(date.getUTCHours()),
  i: date => two(date.getUTCMinutes()),
  s: date => two(date.getUTCSeconds()),
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
  c: date => phpDate('Y-m-d\\TH:i:sP', date),
  r: date => phpDate('D, d M Y H:i:s O', date),
}

/**
 * A moment in a format of PHP's `date`; a backslash keeps the letter behind it.
 *
 * @param date shown as UTC
 */
export function phpDate(format: string, date: Date): string {
  return format.replace(/\\(.)|[A-Za-z]|\\$/g, (match, kept?: string) =>
    kept === undefined ? String(LETTERS[match]?.(date) ?? match.replace('\\', '')) : kept,
  )
}
