const LOCAL_TIME = /(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2})(?:\.\d+)? ([+-]\d{2}:?\d{2})/
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(Z|[+-]\d{2}:?\d{2})?$/

/** Milliseconds of the years 2001 to 2286, of which seconds, microseconds and nanoseconds are told by their size. */
const [EARLIEST_MS, LATEST_MS] = [1e12, 1e13]
const UNITS = [1, 1000, 1e-3, 1e-6]

/** `21/Nov/2026:17:53:36 +0000`, ISO 8601 (without a zone: UTC), or a time of Unix; `undefined` for anything else. */
export function parseLogTime(value: unknown): Date | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,19}(\.\d+)?$/.test(value)))
    return parseUnixTime(Number(value))
  if (typeof value !== 'string') return undefined
  const [, day, month, year, time, zone] = LOCAL_TIME.exec(value) ?? []
  if (day) return toDate(`${day} ${month} ${year} ${time} ${zone}`)
  const [text, isZoned] = ISO_TIME.exec(value) ?? []
  return text === undefined ? undefined : toDate(`${text.replace(',', '.')}${isZoned ? '' : 'Z'}`)
}

function parseUnixTime(value: number): Date | undefined {
  const unit = UNITS.find(each => value * each >= EARLIEST_MS && value * each < LATEST_MS)
  return unit === undefined ? undefined : new Date(Math.round(value * unit))
}

function toDate(text: string): Date | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}
