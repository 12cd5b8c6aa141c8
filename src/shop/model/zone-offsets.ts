/** How far a zone's clocks are from UTC, from one moment to the next. */
export interface ZoneOffset {
  /** The first moment that it no longer holds; absent with the last one. */
  until?: Date
  seconds: number
}

/** Clocks stay as they are for longer than this between two changes. */
const STEP_MS = 14 * 24 * 3600 * 1000

/** Moments beyond these count with the offset of the nearest that is looked at. */
const EARLIEST_MS = Date.UTC(1970, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

const FIXED_OFFSET = /^([+-])(\d{1,2}):(\d{2})$/

/**
 * The offsets that a zone has between two moments, the earliest first.
 *
 * @param zone a name such as `Europe/Berlin`, or an offset such as `+02:00`
 * @returns `undefined` when there is no such zone
 */
export function listZoneOffsets(zone: string, from: Date, to: Date): ZoneOffset[] | undefined {
  const fixed = FIXED_OFFSET.exec(zone)
  if (fixed) {
    const seconds = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60
    return [{seconds: fixed[1] === '-' ? -seconds : seconds}]
  }
  const offsetAt = createOffsetReader(zone)
  if (!offsetAt) return undefined
  const offsets: ZoneOffset[] = []
  const end = clampMs(to.getTime())
  let at = clampMs(from.getTime())
  let seconds = offsetAt(at)
  while (at < end) {
    const next = Math.min(at + STEP_MS, end)
    const later = offsetAt(next)
    if (later !== seconds) {
      offsets.push({seconds, until: new Date(findOffsetChange(at, next, offsetAt))})
      seconds = later
    }
    at = next
  }
  return [...offsets, {seconds}]
}

function clampMs(ms: number): number {
  return Math.min(Math.max(Number.isNaN(ms) ? EARLIEST_MS : ms, EARLIEST_MS), LATEST_MS)
}

/** The first second of the later offset. */
function findOffsetChange(from: number, to: number, offsetAt: (ms: number) => number): number {
  const before = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (middle <= low) break
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return Math.floor(high / 1000) * 1000
}

function createOffsetReader(timeZone: string): ((ms: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return ms => {
      const [month = 1, day, year = 0, hour, minute, second] = (format.format(ms).match(/\d+/g) ?? []).map(
        Number,
      )
      const local = Date.UTC(year, month - 1, day, hour, minute, second)
      return Math.round((local - Math.floor(ms / 1000) * 1000) / 1000)
    }
  } catch {
    return undefined
  }
}
