import {createUsageError} from '../../errors.js'
import {parseHeaderField} from '../../wire/intermediaries.js'

/** Headers that make the call what it is; a profile's own would break it. */
const TAKEN = new Set(['host', 'content-length', 'content-type', 'connection', 'transfer-encoding', 'accept'])

/**
 * Reads extra headers, one `Name: value` a line; empty lines are passed over.
 *
 * @throws StorectlError `usage.header`, which names the line and never repeats a value
 * @see RFC 9110 §5.5, §5.6.2
 */
export function parseHeaderLines(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const {name = '', value = ''} = parseHeaderField(line) ?? {}
    if (value === '') {
      throw createUsageError('header', `Line ${at + 1} is not a header: write "Name: value", in ASCII.`)
    }
    if (TAKEN.has(name.toLowerCase())) {
      throw createUsageError('header', `Line ${at + 1}: the header "${name}" belongs to the call itself.`)
    }
    headers[name] = value
  }
  return headers
}

/**
 * The header that gives a gate a user and a password.
 *
 * @param text `user:password`; the password may hold colons
 * @throws StorectlError `usage.basic_auth`, which never repeats what was given
 * @see RFC 7617 §2
 */
export function buildBasicAuthorization(text: string): string {
  const line = text.trim()
  const hasUser = /^[^:]+:/.test(line)
  if (hasUser && ![...line].some(isControl)) return `Basic ${Buffer.from(line).toString('base64')}`
  throw createUsageError(
    'basic_auth',
    'This is not a user and a password: write "user:password", in one line.',
  )
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code < 0x20 || code === 0x7f
}

/**
 * Extra headers with the one for a gate in place of any other `Authorization`.
 *
 * @param authorization as `buildBasicAuthorization` gives it; `undefined` leaves all as it is, `''` takes it away
 */
export function setAuthorization(
  headers: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Record<string, string> {
  if (authorization === undefined) return {...headers}
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization')
  return {...Object.fromEntries(others), ...(authorization === '' ? {} : {Authorization: authorization})}
}
