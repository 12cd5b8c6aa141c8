/**
 * What a shop says when it refuses, as far as the command line reads it and the bundled shop says it. A text that only one
 * of them names stays there.
 */

/** Code of what the HTTP layer refuses, before the shop's own errors. @see protocol.md §1.3 */
export const HTTP_CODE = '0'

/** Numbers of the authorisation server, as its errors have them. @see protocol.md §2.5, §2.6 */
export const SIGN_IN_CODES = {
  grant: '2',
  parameter: '3',
  client: '4',
  scope: '5',
  password: '6',
  refreshToken: '8',
  accessToken: '9',
} as const

/** Of a client's id that begins like no access key. @see protocol.md §2.5 */
export const UNKNOWN_KEY_KIND = 'FRAMEWORK__API_INVALID_ACCESS_KEY'

/** Of sign-ins that are throttled, with `seconds` as a parameter: up to Shopware 6.6, and since 6.7. @see protocol.md §2.7 */
export const THROTTLED = ['FRAMEWORK__AUTH_THROTTLED', 'FRAMEWORK__NOTIFICATION_THROTTLED'] as const

/** Of a search that asks for too many rows, with `maxLimit` as a parameter. @see protocol.md §6.8 */
export const LIMIT_EXCEEDED = 'FRAMEWORK__QUERY_LIMIT_EXCEEDED'

/** Details of a refresh token that is not taken. @see protocol.md §2.5 */
export const REFRESH_TOKEN_ENDED = 'Token has expired'
export const REFRESH_TOKEN_REVOKED = 'Token has been revoked'

/** Details of an access token that is not taken: its user's password was changed since, or the user is gone. @see protocol.md §2.6 */
export const PASSWORD_CHANGED = 'Access token is expired'
export const USER_GONE = 'Access token is invalid'

/** Detail of a body that is no JSON. @see protocol.md §1.2 */
export const MALFORMED_BODY = 'The JSON payload is malformed.'

/** Details of a webhook call that is refused: its token, its body, all that goes wrong in a handler. @see protocol.md §4.2 */
export const WRONG_WEBHOOK_TOKEN = 'Shopware token is invalid'
export const NO_WEBHOOK_BODY = 'No webhook data sent'
export const WEBHOOK_NOT_EXECUTED = 'An error occurred during execution of webhook'

/** PHP's detail for a list or an object that is a text instead. Shopware 6.5 answers it with 500. */
export const NO_OFFSET = 'Cannot access offset of type string on string'

/** Whether a detail is one of PHP's for a value of the wrong type. @see shop-6.5.md D4 */
export function isWrongType(detail: string): boolean {
  return /must be of type|Argument #\d|Cannot access offset|Undefined (array key|index)|Unsupported operand/.test(
    detail,
  )
}

/**
 * The detail of a refusal for lack of privileges: JSON inside a string.
 *
 * @param missingPrivileges a list or, where it has gaps, an object by number
 * @see protocol.md §3.4
 */
export function formatMissingPrivileges(missingPrivileges: object): string {
  return JSON.stringify({message: 'Missing privilege', missingPrivileges})
}

/** The privileges that such a detail names; none in any other text. */
export function parseMissingPrivileges(detail: string): string[] {
  try {
    const {missingPrivileges} = JSON.parse(detail) as {missingPrivileges?: object}
    return Object.values(missingPrivileges ?? {}).map(String)
  } catch {
    return []
  }
}

/** What an unfulfilled expectation says before the version that a package has. @see protocol.md §1.7 */
export const INSTALLED_IS = 'Installed is: '
