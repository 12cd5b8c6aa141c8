import {StorectlError} from '../errors.js'
import {visible} from '../output/escape-controls.js'
import {extractBaseUrl, guessBaseUrl, parseChallenge} from '../wire/intermediaries.js'
import {type ErrorDetail, findRefusalReason, parseMissingPrivileges, readErrors} from '../wire/read-errors.js'
import type {Answer, Mend} from './http.js'
import {retryAfterMs} from './retry.js'

/** Characters of what a shop says that are repeated; it may say the whole of a request. */
const LONGEST_SAYING = 500
const MOST_ERRORS = 5

/** The call that was answered. */
interface AnsweredCall {
  readonly baseUrl: URL
  /** What was asked for: `the search`. */
  readonly doing: string
  /** By the host's clock, for a `Retry-After` that is a date. */
  readonly now: Date
  /** How to sign in to the shop again. */
  readonly mend: Mend
}

/**
 * The error for an answer other than the one that was wanted.
 *
 * Codes: `auth.token_refused`, `auth.password_changed`, `auth.user_deleted`, `auth.missing_privilege`, `auth.gate`;
 * `unavailable.throttled`, `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`, `usage.no_such_route`;
 * `rejected.by_shop`.
 *
 * @see protocol.md §1.4, §2.6, §3.4
 */
export function refusalOf(answer: Answer, {baseUrl, doing, now, mend}: AnsweredCall): StorectlError {
  const {status} = answer
  const errors = readErrors(answer.body)
  const where = shopAt(baseUrl)
  if (status >= 300 && status < 400) return redirected(answer, where, mend)
  if ((status === 401 || status === 403 || status === 407) && errors.length === 0) {
    return gateRefusal(answer, where, mend)
  }
  if (status === 401) return unauthorised(errors, where, mend)
  if (status === 403) return forbidden(errors, where, doing)
  if (status === 429) return throttled(answer, where, doing, now)
  if (status >= 500) {
    const what = errors.length > 0 ? `: ${sayings(errors)}` : ''
    return new StorectlError('unavailable.shop_failed', `${where} failed (${status}) at ${doing}${what}.`, {
      nextSteps: ['run the command again in a while'],
    })
  }
  if (errors.length === 0) return notAShop(answer, where, mend)
  if (status === 404 && errors[0]?.code === '0') return noSuchRoute(answer, where, doing, mend)
  return new StorectlError('rejected.by_shop', `${where} refused ${doing} (${status}): ${sayings(errors)}.`)
}

/**
 * What a shop says about its errors, in one line that can be shown to a person.
 */
export function sayings(errors: readonly ErrorDetail[]): string {
  const shown = errors.slice(0, MOST_ERRORS).map(saying)
  if (errors.length > MOST_ERRORS) shown.push(`and ${errors.length - MOST_ERRORS} more`)
  return shown.join('; ').replace(/\.$/, '')
}

function saying({code, title, detail, pointer}: ErrorDetail): string {
  const words = visible((detail || title).slice(0, LONGEST_SAYING)).trim()
  const name = code && code !== '0' ? `${visible(code.slice(0, 100))} ` : ''
  return `${name}${words}${pointer ? ` (at ${visible(pointer.slice(0, 100))})` : ''}`.trim()
}

function shopAt({origin, pathname}: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function redirected({status, headers}: Answer, where: string, mend: Mend): StorectlError {
  const to = visible(withoutQuery(String(headers.location ?? ''), where))
  return new StorectlError(
    'usage.redirected',
    `${where} answered with a redirect (${status}) to ${to}. It was not followed: the call would carry secrets there.`,
    {nextSteps: [`${mend.atUrl(extractBaseUrl(to))}   # if that is your shop`]},
  )
}

function withoutQuery(location: string, base: string): string {
  if (!URL.canParse(location, base)) return 'nowhere'
  const {origin, pathname} = new URL(location, base)
  return `${origin}${pathname}`
}

function unauthorised([error]: readonly ErrorDetail[], where: string, mend: Mend): StorectlError {
  const nextSteps = [mend.signIn, 'storectl auth status --check']
  const refused = (code: string, why: string) =>
    new StorectlError(`auth.${code}`, `${where} refused the access token: ${why}.`, {nextSteps})
  switch (findRefusalReason(error)) {
    case 'password-changed':
      return refused('password_changed', 'the password was changed since it was given')
    case 'user-deleted':
      return refused('user_deleted', 'the user or integration that it was given to is gone')
    default:
      return refused('token_refused', error ? sayings([error]) : 'it did not say why')
  }
}

function forbidden(errors: readonly ErrorDetail[], where: string, doing: string): StorectlError {
  const missing = parseMissingPrivileges(errors)
  const what = missing.length > 0 ? `missing ${visible(missing.join(', '))}` : sayings(errors) || 'forbidden'
  return new StorectlError('auth.missing_privilege', `${where} does not allow ${doing} (403): ${what}.`, {
    nextSteps: ['add the privileges to the role of the integration or user, then run it again'],
  })
}

function throttled(answer: Answer, where: string, doing: string, now: Date): StorectlError {
  const waitMs = retryAfterMs(answer, now)
  const seconds = waitMs === undefined ? '' : ` Wait ${Math.ceil(waitMs / 1000)} s.`
  return new StorectlError(
    'unavailable.throttled',
    `${where} has had too many calls (429) at ${doing}.${seconds}`,
    {
      nextSteps: ['run the command again later'],
    },
  )
}

function noSuchRoute({status, body}: Answer, where: string, doing: string, mend: Mend): StorectlError {
  return new StorectlError('usage.no_such_route', `The shop at ${where} has no route for ${doing} (404).`, {
    nextSteps: [
      ...likelierStep(where, status, body, mend),
      'check that the extension is installed there',
      'storectl auth status   # which URL is used',
    ],
  })
}

function likelierStep(where: string, status: number, body: Uint8Array, mend: Mend): string[] {
  const likelier = guessBaseUrl(where, status, body)
  return likelier === undefined ? [] : [`${mend.atUrl(likelier)}   # the base URL is probably this one`]
}

function notAShop({status, headers, body}: Answer, where: string, mend: Mend): StorectlError {
  const type = visible(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  return new StorectlError(
    'usage.not_a_shop',
    `${where} is not a shop: it answered ${status} with ${type}.`,
    {
      nextSteps: [
        ...likelierStep(where, status, body, mend),
        'storectl auth status   # which URL is used, and where it comes from',
      ],
    },
  )
}

/**
 * The error for a call with an access token that something in front of the shop has answered with 401, 403 or 407.
 *
 * @param where base URL of the shop
 */
function gateRefusal({status, headers}: Answer, where: string, mend: Mend): StorectlError {
  const {isBasic, realm} = parseChallenge(headers)
  const gate = `The gate in front of ${where}${realm === '' ? '' : ` ("${visible(realm)}")`}`
  if (isBasic) {
    return refused(
      `${gate} wants Basic credentials of its own (${status}) in the one header that holds the access token. The shop was not reached.`,
      [
        'have it let everything under /api pass: the shop asks for a token there',
        `${mend.header}   # if it takes another header as well`,
      ],
    )
  }
  const what = status === 403 ? 'does not let this call through' : 'wants credentials of its own'
  return refused(`${gate} ${what} (${status}). The shop was not reached.`, [
    `${mend.header}   # if it wants a header`,
    'ask whoever runs it to let this machine in',
  ])
}

function refused(message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError('auth.gate', message, {nextSteps})
}
