/**
 * Codes and details of a shop's errors that both the command line and the bundled shop use. Those that only one of them
 * uses are there.
 */

/** Code of errors of the HTTP layer, before the shop's own error handling. @see protocol.md §1.3 */
export const HTTP_CODE = '0'

/** Error numbers of the authorisation server. @see protocol.md §2.5, §2.6 */
export const SIGN_IN_CODES = {
  grant: '2',
  parameter: '3',
  client: '4',
  scope: '5',
  password: '6',
  refreshToken: '8',
  accessToken: '9',
} as const

/** For a client id that does not begin like an access key. @see protocol.md §2.5 */
export const UNKNOWN_KEY_KIND = 'FRAMEWORK__API_INVALID_ACCESS_KEY'

/** For throttled sign-ins, with the parameter `seconds`: up to Shopware 6.6, and since 6.7. @see protocol.md §2.7 */
export const THROTTLED = ['FRAMEWORK__AUTH_THROTTLED', 'FRAMEWORK__NOTIFICATION_THROTTLED'] as const

/** For a search with a limit that is too high, with the parameter `maxLimit`. @see protocol.md §6.8 */
export const LIMIT_EXCEEDED = 'FRAMEWORK__QUERY_LIMIT_EXCEEDED'

/** Details for a refused refresh token. @see protocol.md §2.5 */
export const REFRESH_TOKEN_ENDED = 'Token has expired'
export const REFRESH_TOKEN_REVOKED = 'Token has been revoked'

/** Details for an access token after a password change, or of a deleted user. @see protocol.md §2.6 */
export const PASSWORD_CHANGED = 'Access token is expired'
export const USER_GONE = 'Access token is invalid'

/** Detail for a body that is not JSON. @see protocol.md §1.2 */
export const MALFORMED_BODY = 'The JSON payload is malformed.'

/** Details for a refused webhook call: its token, its body, any failure in a handler. @see protocol.md §4.2 */
export const WRONG_WEBHOOK_TOKEN = 'Shopware token is invalid'
export const NO_WEBHOOK_BODY = 'No webhook data sent'
export const WEBHOOK_NOT_EXECUTED = 'An error occurred during execution of webhook'

/** PHP's detail for a text in place of a list or object. Shopware 6.5 responds 500. */
export const NO_OFFSET = 'Cannot access offset of type string on string'

/** Whether a detail is one of PHP's for a value of the wrong type. @see shop-6.5.md D4 */
export function isWrongType(detail: string): boolean {
  return /must be of type|Argument #\d|Cannot access offset|Undefined (array key|index)|Unsupported operand/.test(
    detail,
  )
}

/**
 * The detail of an error for missing privileges: JSON inside a string.
 *
 * @param missingPrivileges a list or, where it has gaps, an object by index
 * @see protocol.md §3.4
 */
export function formatMissingPrivileges(missingPrivileges: object): string {
  return JSON.stringify({message: 'Missing privilege', missingPrivileges})
}

/** The privileges in such a detail; none in any other text. */
export function parseMissingPrivileges(detail: string): string[] {
  try {
    const {missingPrivileges} = JSON.parse(detail) as {missingPrivileges?: object}
    return Object.values(missingPrivileges ?? {}).map(String)
  } catch {
    return []
  }
}

/** The text before the installed version in the error about an unfulfilled expectation. @see protocol.md §1.7 */
export const INSTALLED_IS = 'Installed is: '
