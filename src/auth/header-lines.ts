import {usageError} from '../errors.js'

/** Headers that make the call what it is; a profile's own would break it. */
const TAKEN = new Set(['host', 'content-length', 'content-type', 'connection', 'transfer-encoding', 'accept'])

/**
 * Reads extra headers, one `Name: value` a line; empty lines are passed over.
 *
 * @throws StorectlError `usage.header`, which names the line and never repeats a value
 * @see RFC 9110 §5.5, §5.6.2
 */
export function headerLines(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === '' || !/^[\x20-\x7e\t]+$/.test(value)) {
      throw usageError('header', `Line ${at + 1} is not a header: write "Name: value", in ASCII.`)
    }
    if (TAKEN.has(name.toLowerCase())) {
      throw usageError('header', `Line ${at + 1}: the header "${name}" belongs to the call itself.`)
    }
    headers[name] = value.trim()
  }
  return headers
}
