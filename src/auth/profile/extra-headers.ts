import {usageError} from '../../errors.js'
import {headerField} from '../../wire/header-field.js'

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
    const {name = '', value = ''} = headerField(line) ?? {}
    if (value === '') {
      throw usageError('header', `Line ${at + 1} is not a header: write "Name: value", in ASCII.`)
    }
    if (TAKEN.has(name.toLowerCase())) {
      throw usageError('header', `Line ${at + 1}: the header "${name}" belongs to the call itself.`)
    }
    headers[name] = value
  }
  return headers
}
