import {ShopError} from '../runtime/shop-error.js'

/** Titles of the authorisation server by their number. @see protocol.md §2.5 */
const TITLES = {
  2: 'The authorization grant type is not supported by the authorization server.',
  3: 'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  4: 'Client authentication failed',
  5: 'The requested scope is invalid, unknown, or malformed',
  6: 'The user credentials were incorrect.',
  8: 'The refresh token is invalid.',
  9: 'The resource owner or authorization server denied the request.',
} as const

function oauthError(
  status: number,
  code: keyof typeof TITLES,
  detail: string | null,
  headers: Record<string, string> = {},
): ShopError {
  return new ShopError(
    status,
    [{code: String(code), status: String(status), title: TITLES[code], detail}],
    headers,
    'Content-type',
  )
}

export const unsupportedGrant = () =>
  oauthError(400, 2, 'Check that all required parameters have been provided')

export const invalidParameter = (name: string) => oauthError(400, 3, `Check the \`${name}\` parameter`)

/** @param authorization the request's own header, whose scheme the challenge repeats */
export function invalidClient(authorization: string | undefined): ShopError {
  if (authorization === undefined) return oauthError(401, 4, null)
  const scheme = authorization.startsWith('Bearer') ? 'Bearer' : 'Basic'
  return oauthError(401, 4, null, {'www-authenticate': `${scheme} realm="OAuth"`})
}

export const invalidScope = (scope: string) =>
  oauthError(
    400,
    5,
    scope === ''
      ? 'Specify a scope in the request or set a default scope'
      : `Check the \`${htmlEscaped(scope)}\` scope`,
  )

export const invalidCredentials = () => oauthError(400, 6, null)

export const invalidRefreshToken = (detail: string) => oauthError(401, 8, detail)

/** Every refusal of a bearer token. @see protocol.md §2.6 */
export const accessDenied = (detail: string) => oauthError(401, 9, detail)

function htmlEscaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '"': '&quot;',
    "'": '&#039;',
    '<': '&lt;',
    '>': '&gt;',
  }
  return text.replace(/[&"'<>]/g, character => entities[character] as string)
}
