import {SIGN_IN_CODES} from '../../shopware/error-texts.js'
import {ShopError} from '../runtime/shop-error.js'

/** Titles of the authorisation server by their number. @see protocol.md §2.5 */
const TITLES = {
  [SIGN_IN_CODES.grant]: 'The authorization grant type is not supported by the authorization server.',
  [SIGN_IN_CODES.parameter]:
    'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  [SIGN_IN_CODES.client]: 'Client authentication failed',
  [SIGN_IN_CODES.scope]: 'The requested scope is invalid, unknown, or malformed',
  [SIGN_IN_CODES.password]: 'The user credentials were incorrect.',
  [SIGN_IN_CODES.refreshToken]: 'The refresh token is invalid.',
  [SIGN_IN_CODES.accessToken]: 'The resource owner or authorization server denied the request.',
} as const

function createOauthError(
  status: number,
  code: keyof typeof TITLES,
  detail: string | null,
  headers: Record<string, string> = {},
): ShopError {
  return new ShopError(
    status,
    [{code, status: String(status), title: TITLES[code], detail}],
    headers,
    'Content-type',
  )
}

export const createUnsupportedGrantError = () =>
  createOauthError(400, SIGN_IN_CODES.grant, 'Check that all required parameters have been provided')

export const createInvalidParameterError = (name: string) =>
  createOauthError(400, SIGN_IN_CODES.parameter, `Check the \`${name}\` parameter`)

/** @param authorization the request's header, whose scheme the challenge repeats */
export function createInvalidClientError(authorization: string | undefined): ShopError {
  if (authorization === undefined) return createOauthError(401, SIGN_IN_CODES.client, null)
  const scheme = authorization.startsWith('Bearer') ? 'Bearer' : 'Basic'
  return createOauthError(401, SIGN_IN_CODES.client, null, {'www-authenticate': `${scheme} realm="OAuth"`})
}

export const createInvalidScopeError = (scope: string) =>
  createOauthError(
    400,
    SIGN_IN_CODES.scope,
    scope === ''
      ? 'Specify a scope in the request or set a default scope'
      : `Check the \`${escapeHtml(scope)}\` scope`,
  )

export const createInvalidCredentialsError = () => createOauthError(400, SIGN_IN_CODES.password, null)

export const createInvalidRefreshTokenError = (detail: string) =>
  createOauthError(401, SIGN_IN_CODES.refreshToken, detail)

/** The error for every refused bearer token. @see protocol.md §2.6 */
export const createAccessDeniedError = (detail: string) =>
  createOauthError(401, SIGN_IN_CODES.accessToken, detail)

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '"': '&quot;',
    "'": '&#039;',
    '<': '&lt;',
    '>': '&gt;',
  }
  return text.replace(/[&"'<>]/g, character => entities[character] as string)
}
