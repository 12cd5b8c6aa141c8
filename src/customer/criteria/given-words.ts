import {usageError} from '../../errors.js'

/**
 * Refuses flags and words that are there and empty: a script with a variable that is not set would find everybody.
 *
 * @param flags by name, without the dashes; what is not text is passed over
 * @param name of the argument that the words are given as
 * @throws StorectlError `usage.empty_value`
 */
export function nothingEmpty(
  flags: Readonly<Record<string, unknown>>,
  words: readonly string[],
  name: string,
): void {
  for (const [flag, value] of Object.entries(flags)) {
    const values = Array.isArray(value) ? value : [value]
    if (values.some(isBlank)) throw empty(`--${flag}`)
  }
  if (words.some(isBlank)) throw empty(name.toUpperCase())
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function empty(what: string): Error {
  return usageError('empty_value', `${what} is empty, as a variable is that is not set.`)
}
