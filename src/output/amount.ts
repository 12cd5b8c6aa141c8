const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 B`, `12.3 MiB`. */
export function bytesText(bytes: number): string {
  let size = bytes
  let unit: string = 'B'
  for (const larger of UNITS) {
    if (size < 1024) break
    size /= 1024
    unit = larger
  }
  return `${unit === 'B' ? size : size.toFixed(1)} ${unit}`
}

const STRETCHES = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** The two largest stretches of a length of time: `3d 4h`, `5m 0s`, `12s`. */
export function secondsText(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds))
  const first = STRETCHES.findIndex(([, length]) => whole >= length)
  if (first < 0) return '0s'
  return STRETCHES.slice(first, first + 2)
    .map(([unit, length], index) => {
      const rest = index === 0 ? whole : whole % (STRETCHES[first]?.[1] ?? 1)
      return `${Math.trunc(rest / length)}${unit}`
    })
    .join(' ')
}
