import {StorectlError} from '../errors.js'
import {findUrl} from '../language/find-url.js'
import {escapeControls} from '../output/escape-controls.js'
import {HTTP_CODE, isWrongType, parseMissingPrivileges} from '../shopware/error-texts.js'
import {extractBaseUrl, guessBaseUrl, parseChallenge} from '../wire/intermediaries.js'
import {type ErrorDetail, findRefusalReason, readErrors} from '../wire/read-errors.js'
import type {HttpResponse, SignInFixes} from './http.js'
import {readRetryAfterMs} from './retry.js'

/** Longest part of a shop's message that is repeated, in characters: it may contain the whole request. */
const LONGEST_SAYING = 500
const MOST_ERRORS = 5

/** The call that the response is for. */
interface AnsweredCall {
  readonly baseUrl: URL
  /** The purpose of the call: `the search`. */
  readonly doing: string
  /** The host's time, for a `Retry-After` that is a date. */
  readonly now: Date
  /** How to sign in to the shop again. */
  readonly fixes: SignInFixes
}

/**
 * The error for an unexpected response.
 *
 * Codes: `auth.token_refused`, `auth.password_changed`, `auth.user_deleted`, `auth.missing_privilege`, `auth.gate`;
 * `unavailable.throttled`, `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`, `usage.no_such_route`;
 * `rejected.by_shop`.
 *
 * @see protocol.md §1.4, §2.6, §3.4
 */
export function createResponseError(
  answer: HttpResponse,
  {baseUrl, doing, now, fixes}: AnsweredCall,
): StorectlError {
  const {status} = answer
  const errors = readErrors(answer.body)
  const where = nameShop(baseUrl)
  if (status >= 300 && status < 400) return createRedirectError(answer, where, fixes)
  if ((status === 401 || status === 403 || status === 407) && errors.length === 0) {
    return createGateError(answer, where, fixes)
  }
  if (status === 401) return createUnauthorizedError(errors, where, fixes)
  if (status === 403) return createForbiddenError(errors, where, doing)
  if (status === 429) return createThrottledError(answer, where, doing, now)
  if (status >= 500) {
    return createFailureError(answer, errors, where, doing)
  }
  if (errors.length === 0) return createNotAShopError(answer, where, fixes)
  if (status === 404 && errors[0]?.code === HTTP_CODE) return createNoRouteError(answer, where, doing, fixes)
  return new StorectlError(
    'rejected.by_shop',
    `${where} refused ${doing} (${status}): ${describeErrors(errors)}.`,
  )
}

const NOT_THE_API = ', not the API: wrong base path, or maintenance'

/** The sentence about a response that is an HTML page; empty for any other. */
export function describeHtml({headers, body}: Pick<HttpResponse, 'headers' | 'body'>): string {
  const type = String(headers['content-type'] ?? '')
  const isPage =
    /^\s*(text\/html|application\/xhtml)/i.test(type) && /^\s*</.test(body.toString('latin1', 0, 64))
  return isPage ? NOT_THE_API : ''
}

/** A 500 without a code of its own may mean wrong input, which stays wrong. @see shop-6.5.md D4 */
function createFailureError(
  answer: HttpResponse,
  errors: readonly ErrorDetail[],
  where: string,
  doing: string,
): StorectlError {
  const {status} = answer
  const [first] = errors
  if (!first) {
    const what = describeHtml(answer)
    return new StorectlError('unavailable.shop_failed', `${where} failed (${status}) at ${doing}${what}.`, {
      nextSteps: ['run the command again in a while', 'storectl auth status   # which URL is used'],
    })
  }
  const what = describeErrors(errors)
  const isInput = status === 500 && first.code === HTTP_CODE
  if (isInput && isWrongType(first.detail)) {
    return new StorectlError('rejected.by_shop', `${where} refused ${doing} (${status}): ${what}.`, {
      nextSteps: ['correct what was sent: Shopware 6.5 answers wrong input with 500'],
    })
  }
  return new StorectlError('unavailable.shop_failed', `${where} failed (${status}) at ${doing}: ${what}.`, {
    nextSteps: isInput
      ? ['check what was sent: Shopware 6.5 answers wrong input with 500', 'look at the log of the shop']
      : ['run the command again in a while'],
  })
}

/** The errors in a shop's response, in one line for a person; empty where there are none. */
export function describeErrorsOf({body}: Pick<HttpResponse, 'body'>): string {
  return describeErrors(readErrors(body))
}

/** The same for parsed errors. */
function describeErrors(errors: readonly ErrorDetail[]): string {
  const shown = errors.slice(0, MOST_ERRORS).map(describeError)
  if (errors.length > MOST_ERRORS) shown.push(`and ${errors.length - MOST_ERRORS} more`)
  return shown.join('; ').replace(/\.$/, '')
}

function describeError({code, title, detail, pointer}: ErrorDetail): string {
  const words = escapeControls((detail || title).slice(0, LONGEST_SAYING)).trim()
  const name = code && code !== HTTP_CODE ? `${escapeControls(code.slice(0, 100))} ` : ''
  return `${name}${words}${pointer ? ` (at ${escapeControls(pointer.slice(0, 100))})` : ''}`.trim()
}

function nameShop({origin, pathname}: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function createRedirectError(
  {status, headers}: HttpResponse,
  where: string,
  fixes: SignInFixes,
): StorectlError {
  const to = escapeControls(removeQuery(String(headers.location ?? ''), where))
  return new StorectlError(
    'usage.redirected',
    `${where} answered with a redirect (${status}) to ${to}. It was not followed: the call would carry secrets there.`,
    {nextSteps: [`${fixes.atUrl(extractBaseUrl(to))}   # if that is your shop`]},
  )
}

function removeQuery(location: string, base: string): string {
  const url = findUrl(location, base)
  return url ? `${url.origin}${url.pathname}` : 'nowhere'
}

function createUnauthorizedError(
  [error]: readonly ErrorDetail[],
  where: string,
  fixes: SignInFixes,
): StorectlError {
  const nextSteps = [fixes.signIn, 'storectl auth status --check']
  const refuseToken = (code: string, why: string) =>
    new StorectlError(`auth.${code}`, `${where} refused the access token: ${why}.`, {nextSteps})
  switch (findRefusalReason(error)) {
    case 'password-changed':
      return refuseToken('password_changed', 'the password was changed after it was issued')
    case 'user-deleted':
      return refuseToken('user_deleted', 'its user or integration was deleted')
    default:
      return refuseToken('token_refused', error ? describeErrors([error]) : 'no reason given')
  }
}

function createForbiddenError(errors: readonly ErrorDetail[], where: string, doing: string): StorectlError {
  const missing = parseMissingPrivileges(errors[0]?.detail ?? '')
  const what =
    missing.length > 0
      ? `missing ${escapeControls(missing.join(', '))}`
      : describeErrors(errors) || 'forbidden'
  return new StorectlError('auth.missing_privilege', `${where} does not allow ${doing} (403): ${what}.`, {
    nextSteps: ['add the privileges to the role of the integration or user, then run it again'],
  })
}

function createThrottledError(answer: HttpResponse, where: string, doing: string, now: Date): StorectlError {
  const waitMs = readRetryAfterMs(answer, now)
  const seconds = waitMs === undefined ? '' : ` Wait ${Math.ceil(waitMs / 1000)} s.`
  return new StorectlError(
    'unavailable.throttled',
    `${where} limits the request rate (429) at ${doing}.${seconds}`,
    {
      nextSteps: ['run the command again later'],
    },
  )
}

function createNoRouteError(
  {status, body}: HttpResponse,
  where: string,
  doing: string,
  fixes: SignInFixes,
): StorectlError {
  return new StorectlError('usage.no_such_route', `The shop at ${where} has no route for ${doing} (404).`, {
    nextSteps: [
      ...suggestBaseUrl(where, status, body, fixes),
      'check that the extension is installed there',
      'storectl auth status   # which URL is used',
    ],
  })
}

function suggestBaseUrl(where: string, status: number, body: Uint8Array, fixes: SignInFixes): string[] {
  const likelier = guessBaseUrl(where, status, body)
  return likelier === undefined ? [] : [`${fixes.atUrl(likelier)}   # the base URL is probably this one`]
}

function createNotAShopError(
  {status, headers, body}: HttpResponse,
  where: string,
  fixes: SignInFixes,
): StorectlError {
  const type = escapeControls(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  return new StorectlError(
    'usage.not_a_shop',
    `${where} is not a shop: it answered ${status} with ${type}${describeHtml({headers, body})}.`,
    {
      nextSteps: [
        ...suggestBaseUrl(where, status, body, fixes),
        'storectl auth status   # shows the URL, and where it is set',
      ],
    },
  )
}

/**
 * The error for a 401, 403 or 407 from a proxy or gate in front of the shop, to a call with an access token.
 *
 * @param where base URL of the shop
 */
function createGateError({status, headers}: HttpResponse, where: string, fixes: SignInFixes): StorectlError {
  const {isBasic, realm} = parseChallenge(headers)
  const gate = `The reverse proxy in front of ${where}${realm === '' ? '' : ` ("${escapeControls(realm)}")`}`
  if (isBasic) {
    return refuseAtGate(
      `${gate} requires Basic credentials (${status}) in the one header that holds the access token. The shop was not reached.`,
      [
        'let requests below /api pass: the shop checks the access token',
        `${fixes.header}   # if it takes another header as well`,
      ],
    )
  }
  const what = status === 403 ? 'does not let this call through' : 'requires its own credentials'
  return refuseAtGate(`${gate} ${what} (${status}). The shop was not reached.`, [
    `${fixes.header}   # if it requires a header`,
    'ask its operator to allow this machine',
  ])
}

function refuseAtGate(message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError('auth.gate', message, {nextSteps})
}
