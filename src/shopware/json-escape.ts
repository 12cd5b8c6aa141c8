/** A backslash with the next character, or a character that the shop always escapes. */
const ESCAPED_IN_PLAIN = /\\.|['<>&/\u0080-\uffff]/g
const NEEDS_PLAIN = /[\\'<>&/\u0080-\uffff]/
const ESCAPED_IN_JSON_API = /[/\u0080-\uffff]/g
const NEEDS_JSON_API = /[/\u0080-\uffff]/

/**
 * Escapes the result of `JSON.stringify` like the shop's `application/json`: quotes, apostrophes, angle brackets,
 * ampersands and everything beyond ASCII as `\uXXXX`, the slash as `\/`.
 *
 * @see protocol.md §1.3
 */
export function escapePlain(json: string): string {
  return NEEDS_PLAIN.test(json) ? json.replace(ESCAPED_IN_PLAIN, writePlainEscape) : json
}

/** The same for `application/vnd.api+json`, which escapes only the slash and characters beyond ASCII. */
export function escapeJsonApi(json: string): string {
  return NEEDS_JSON_API.test(json) ? json.replace(ESCAPED_IN_JSON_API, writeHtmlEscape) : json
}

function writePlainEscape(match: string): string {
  if (match === '\\"') return '\\u0022'
  return match.length === 2 ? match : writeHtmlEscape(match)
}

/** A character as `\\uXXXX`, below 0x80 with upper-case digits: `\\u003C`; a slash as `\\/`. */
export function writeHtmlEscape(character: string): string {
  if (character === '/') return '\\/'
  const code = character.charCodeAt(0)
  const digits = code.toString(16).padStart(4, '0')
  return `\\u${code < 0x80 ? digits.toUpperCase() : digits}`
}
