import {usageError} from '../errors.js'

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * Milliseconds of a length of time: `500ms`, `30s`, `15m`, `2h`, `3d`, `1w`.
 *
 * @throws StorectlError `usage.duration` for anything else
 */
export function durationMs(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text.trim()) ?? []
  if (amount === undefined || unit === undefined) {
    throw usageError('duration', `"${text}" is not a length of time: write 500ms, 30s, 15m, 2h, 3d or 1w.`)
  }
  return Number(amount) * (UNIT_MS[unit] ?? 1)
}
