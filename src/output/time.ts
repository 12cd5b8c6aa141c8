/**
 * A time for people: `2026-11-21 13:05:09 +01:00`, in the machine's time zone.
 *
 * @returns `undefined` for an invalid date
 */
export function localTime(time: Date): string | undefined {
  if (Number.isNaN(time.getTime())) return undefined
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  const offset = -time.getTimezoneOffset()
  const year = String(time.getFullYear()).padStart(4, '0')
  const day = `${year}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  return `${day} ${clock} ${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`
}

/** A length of time for people, to two parts: `1 h 05 min`, `12 s`, `340 ms`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
