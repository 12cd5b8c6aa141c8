import {type ErrorCode, StorectlError} from '../../errors.js'
import type {Answer, Mend} from '../../http/http.js'
import {visible} from '../../output/escape-controls.js'
import {baseOf, challengeOf, likelierUrl} from '../../wire/intermediaries.js'
import {readErrors, type SaidError} from '../../wire/read-errors.js'
import {urlText} from '../profile/base-url.js'
import {clientRefusal} from './client-errors.js'
import type {TokenWish} from './token-client.js'

/** A token request that was refused, with what is known besides the answer. */
export interface Refused {
  readonly wish: TokenWish
  readonly baseUrl: URL
  readonly mend: Mend
  /** Whether the same credentials were accepted before. */
  readonly hadWorked: boolean
  /** Whether the shop knows the client's id; `undefined` when it was not asked, or did not say. */
  readonly isKnown: boolean | undefined
}

/**
 * The error for a token that was not granted. Its text names the shop and who asked, never a secret.
 *
 * Codes: `auth.client_unknown`, `auth.secret_refused`, `auth.client_refused`, `auth.client_id_unknown`,
 * `auth.wrong_password`, `auth.session_ended`, `auth.grant_refused`, `auth.request_incomplete`, `auth.scope_refused`,
 * `auth.gate`; `unavailable.throttled`, `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`.
 *
 * @see protocol.md §2.5, §2.7
 */
export function tokenRefusal(answer: Answer, asked: Refused): StorectlError {
  const {status} = answer
  const {wish, baseUrl, mend} = asked
  const where = urlText(baseUrl)
  const [said] = readErrors(answer.body)
  if (status >= 300 && status < 400) return redirected(answer, where, mend)
  if (!said) return fromAnotherServer(answer, baseUrl, mend)
  if (status === 429 || said.code === 'FRAMEWORK__AUTH_THROTTLED') return throttled(said, where)
  if (said.code === 'FRAMEWORK__API_INVALID_ACCESS_KEY') return unknownClientId(asked, where)
  if (status === 404 || status === 405) return notAShop(answer, baseUrl, mend)
  const explain = status < 500 ? BY_CODE[said.code] : undefined
  if (explain) return explain(where, asked, said)
  return refused(
    status >= 500 ? 'unavailable.shop_failed' : 'auth.grant_refused',
    `${where} did not sign in ${who(wish)} (${status}): ${words(said)}.`,
    status >= 500 ? ['run the command again in a while'] : [mend.signIn],
  )
}

/** The error for a token request that something other than a shop has answered. */
export function notAShop({status, headers, body}: Answer, baseUrl: URL, mend: Mend): StorectlError {
  const where = urlText(baseUrl)
  const likelier = likelierUrl(where, status, body)
  const type = visible(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  return refused(
    'usage.not_a_shop',
    `${where} is not a shop: it answered ${status} with ${type} instead of a token.`,
    [
      ...(likelier === undefined ? [] : [`${mend.atUrl(likelier)}   # the base URL is probably this one`]),
      'storectl auth status   # which URL is used, and where it comes from',
    ],
  )
}

type Explain = (where: string, asked: Refused, said: SaidError) => StorectlError

/** By the authorisation server's number. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  '2': (where, {wish, mend}) =>
    refused('auth.grant_refused', `${where} does not let ${who(wish)} sign in in this way.`, [mend.signIn]),
  '3': (where, {wish, mend}, said) =>
    refused('auth.request_incomplete', `${where} misses something of ${who(wish)}: ${words(said)}.`, [
      mend.signIn,
    ]),
  '4': (where, asked) =>
    clientRefusal({...asked, clientId: asked.wish.kind === 'client' ? asked.wish.clientId : '', where}),
  '5': (where, {wish, mend}, said) =>
    refused('auth.scope_refused', `${where} refused a scope for ${who(wish)}: ${words(said)}.`, [
      mend.signIn,
    ]),
  '6': (where, {wish, mend, hadWorked}) =>
    refused(
      'auth.wrong_password',
      hadWorked
        ? `${where} does not accept the password of ${who(wish)} any more: it was changed there.`
        : `${where} refused ${who(wish)}: the user name or the password is wrong; it does not say which.`,
      [mend.signIn],
    ),
  '8': (where, {mend}, said) =>
    refused('auth.session_ended', `The session at ${where} has ended: ${ended(said)}.`, [mend.signIn]),
}

function ended({detail}: SaidError): string {
  if (detail === 'Token has expired') return 'its refresh token has expired, a week after the last renewal'
  if (detail === 'Token has been revoked')
    return 'its refresh token was used already, or the password was changed'
  return visible(detail || 'its refresh token is not accepted')
}

function unknownClientId({wish, mend}: Refused, where: string): StorectlError {
  return refused(
    'auth.client_id_unknown',
    `${where} does not know what ${who(wish)} is: the id of an integration begins with SWIA, that of a user with SWUA.`,
    [mend.signIn.startsWith('export') ? mend.signIn : `${mend.signIn} --client-id SWIA…`],
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

function redirected({status, headers}: Answer, where: string, mend: Mend): StorectlError {
  const location = String(headers.location ?? '')
  const to = URL.canParse(location, where) ? new URL(location, where) : undefined
  const base = visible(to ? baseOf(`${to.origin}${to.pathname}`) : 'nowhere')
  return refused(
    'usage.redirected',
    `${where} answered with a redirect (${status}) to ${base}. It was not followed: secrets stay with the URL that they are for.`,
    [`${mend.atUrl(base)}   # if that is your shop`],
  )
}

function fromAnotherServer(answer: Answer, baseUrl: URL, mend: Mend): StorectlError {
  const {status} = answer
  const where = urlText(baseUrl)
  if (status === 401 || status === 403 || status === 407) return gate(answer, where, mend)
  if (status === 429)
    return refused('unavailable.throttled', `${where} has had too many calls (429).`, [
      'run the command again later',
    ])
  if (status >= 500) {
    return refused('unavailable.shop_failed', `${where} is out of order (${status}); nobody was signed in.`, [
      'run the command again in a while',
    ])
  }
  return notAShop(answer, baseUrl, mend)
}

/** The token request is the one call that can carry Basic credentials for a gate. */
function gate({status, headers}: Answer, where: string, mend: Mend): StorectlError {
  const {isBasic, realm} = challengeOf(headers)
  const name = `The gate in front of ${where}${realm === '' ? '' : ` ("${visible(realm)}")`}`
  const what = isBasic
    ? 'wants a user and a password, as Basic credentials of its own'
    : status === 403
      ? 'does not let this call through'
      : 'wants credentials of its own'
  return refused('auth.gate', `${name} ${what} (${status}). Nobody was signed in.`, [
    isBasic ? mend.basicAuth : mend.header,
    ...(isBasic ? [] : ['ask whoever runs it to let this machine in']),
  ])
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
