import {usageError} from '../../errors.js'

/**
 * A word that stands in an address as it is: a provider's name, a token's prefix.
 *
 * @throws StorectlError `usage.path_segment`
 */
export function segment(text: string, what: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw usageError('path_segment', `"${text}" cannot be a ${what}: letters, digits, "-" and "_", up to 64.`)
}
