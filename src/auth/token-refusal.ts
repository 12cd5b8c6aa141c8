import {type ErrorCode, StorectlError} from '../errors.js'
import type {Answer} from '../http/caller.js'
import {visible} from '../output/visible.js'
import {readErrors, type SaidError} from '../wire/read-errors.js'
import type {TokenWish} from './api.js'
import {urlText} from './base-url.js'

/**
 * The error for a token that was not granted. Its text names the shop and who asked, never a secret.
 *
 * Codes: `auth.client_refused`, `auth.client_id_unknown`, `auth.wrong_password`, `auth.session_ended`,
 * `auth.grant_refused`, `auth.request_incomplete`, `auth.scope_refused`, `auth.gate`; `unavailable.throttled`,
 * `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`.
 *
 * @see protocol.md §2.5, §2.7
 */
export function tokenRefusal(answer: Answer, wish: TokenWish, baseUrl: URL): StorectlError {
  const {status} = answer
  const where = urlText(baseUrl)
  const [said] = readErrors(answer.body)
  if (status >= 300 && status < 400) return redirected(answer, where)
  if (!said) return fromAnotherServer(answer, baseUrl)
  if (status === 429 || said.code === 'FRAMEWORK__AUTH_THROTTLED') return throttled(said, where)
  if (said.code === 'FRAMEWORK__API_INVALID_ACCESS_KEY') return unknownClientId(wish, where)
  if (status === 404 || status === 405) return notAShop(answer, baseUrl)
  const explain = status < 500 ? BY_CODE[said.code] : undefined
  if (explain) return explain(where, wish, said)
  return refused(
    status >= 500 ? 'unavailable.shop_failed' : 'auth.grant_refused',
    `${where} did not sign in ${who(wish)} (${status}): ${words(said)}.`,
    status >= 500 ? ['run the command again in a while'] : LOGIN,
  )
}

/** The error for a token request that something other than a shop has answered. */
export function notAShop({status, headers}: Answer, baseUrl: URL): StorectlError {
  const {origin, pathname} = baseUrl
  const type = visible(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  const trimmed = pathname.replace(/\/(api|admin|store-api)(\/.*)?$/, '')
  const hint = trimmed === pathname ? [] : [`try ${origin}${trimmed}: the URL is the part before /api`]
  return refused(
    'usage.not_a_shop',
    `${urlText(baseUrl)} is not a shop: it answered ${status} with ${type} instead of a token.`,
    [...hint, 'storectl auth status   # which URL is used, and where it comes from'],
  )
}

const LOGIN = ['storectl login', 'storectl auth status']

type Explain = (where: string, wish: TokenWish, said: SaidError) => StorectlError

/** By the authorisation server's number. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  '2': (where, wish) =>
    refused('auth.grant_refused', `${where} does not let ${who(wish)} sign in in this way.`, LOGIN),
  '3': (where, wish, said) =>
    refused('auth.request_incomplete', `${where} misses something of ${who(wish)}: ${words(said)}.`, LOGIN),
  '4': (where, wish) =>
    refused('auth.client_refused', `${where} refused ${who(wish)}: the id or its secret is wrong.`, [
      'storectl login   # with the id and secret of an integration',
      'look under Settings > System > Integrations in the shop',
    ]),
  '5': (where, wish, said) =>
    refused('auth.scope_refused', `${where} refused a scope for ${who(wish)}: ${words(said)}.`, LOGIN),
  '6': (where, wish) =>
    refused('auth.wrong_password', `${where} refused ${who(wish)}: the user name or the password is wrong.`, [
      'storectl login',
    ]),
  '8': (where, _wish, said) =>
    refused('auth.session_ended', `The session at ${where} has ended: ${ended(said)}.`, LOGIN),
}

function ended({detail}: SaidError): string {
  if (detail === 'Token has expired') return 'its refresh token is older than a week'
  if (detail === 'Token has been revoked')
    return 'its refresh token was used already, or the password was changed'
  return visible(detail || 'its refresh token is not accepted')
}

function unknownClientId(wish: TokenWish, where: string): StorectlError {
  return refused(
    'auth.client_id_unknown',
    `${where} does not know what ${who(wish)} is: the id of an integration begins with SWIA, that of a user with SWUA.`,
    ['storectl login --client-id SWIA…'],
  )
}

function throttled({parameters, detail}: SaidError, where: string): StorectlError {
  const seconds = Number(parameters.seconds)
  const wait = Number.isFinite(seconds) ? `${seconds} s` : visible(detail || 'a minute')
  return refused(
    'unavailable.throttled',
    `${where} takes no sign-in for now, after too many that failed. Wait ${wait}; even a right secret is refused until then.`,
    ['run the command again with --wait'],
  )
}

function redirected({status, headers}: Answer, where: string): StorectlError {
  const location = String(headers.location ?? '')
  const to = URL.canParse(location, where) ? new URL(location, where) : undefined
  const base = to ? `${to.origin}${to.pathname.replace(/\/api\/oauth\/token\/?$/, '')}` : 'nowhere'
  return refused(
    'usage.redirected',
    `${where} answered with a redirect (${status}) to ${visible(base)}. It was not followed: secrets stay with the URL that they are for.`,
    [`storectl login --url ${visible(base)}   # if that is your shop`],
  )
}

function fromAnotherServer(answer: Answer, baseUrl: URL): StorectlError {
  const {status} = answer
  const where = urlText(baseUrl)
  if (status === 401 || status === 403 || status === 407) {
    return refused('auth.gate', `Something in front of ${where} wants credentials of its own (${status}).`, [
      'printf "Authorization: Basic …" | storectl profile set NAME --header-stdin',
    ])
  }
  if (status === 429)
    return refused('unavailable.throttled', `${where} has had too many calls (429).`, [
      'run the command again later',
    ])
  if (status >= 500) {
    return refused('unavailable.shop_failed', `${where} is out of order (${status}); nobody was signed in.`, [
      'run the command again in a while',
    ])
  }
  return notAShop(answer, baseUrl)
}

/** Who asks, as a person knows it. */
function who(wish: TokenWish): string {
  if (wish.kind === 'client') return `client ${visible(wish.clientId)}`
  return wish.kind === 'password' ? `user ${visible(wish.username)}` : 'the kept session'
}

function words({title, detail}: SaidError): string {
  return visible((detail || title).slice(0, 300)).replace(/\.$/, '')
}

function refused(code: ErrorCode, message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError(code, message, {nextSteps})
}
