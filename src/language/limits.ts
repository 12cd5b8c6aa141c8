import {usageError} from '../errors.js'

/**
 * Reads a limit: a whole number; `none` is 0, which turns a limit off.
 *
 * @throws StorectlError `usage.limit`
 */
export function limitOf(text: string): number {
  if (text === 'none') return 0
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError('limit', `"${text}" is no limit: write a whole number, or none for no limit.`)
}

/**
 * Reads a share of a hundred: `20%`; `0` and `none` turn a limit off.
 *
 * @returns 0 to 1
 * @throws StorectlError `usage.share`
 */
export function shareOf(text: string): number {
  if (text === 'none' || text === '0') return 0
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100
  throw usageError('share', `"${text}" is no share: write a percentage like 20%, or none for no limit.`)
}
