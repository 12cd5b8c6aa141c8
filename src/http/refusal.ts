import {StorectlError} from '../errors.js'
import {visible} from '../output/visible.js'
import {missingPrivileges, readErrors, type SaidError} from '../wire/read-errors.js'
import type {Answer} from './caller.js'
import {retryAfterMs} from './retry-after.js'

/** Characters of what a shop says that are repeated; it may say the whole of a request. */
const LONGEST_SAYING = 500
const MOST_ERRORS = 5

/**
 * The error for an answer other than the one that was wanted.
 *
 * Codes: `auth.token_refused`, `auth.password_changed`, `auth.user_deleted`, `auth.missing_privilege`, `auth.gate`;
 * `unavailable.throttled`, `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`, `usage.no_such_route`;
 * `rejected.by_shop`.
 *
 * @param doing what was asked for: `the search`
 * @param now the context's clock, for a `Retry-After` that is a date
 * @see protocol.md §1.4, §2.6, §3.4
 */
export function refusalOf(answer: Answer, baseUrl: URL, doing: string, now: Date): StorectlError {
  const {status} = answer
  const errors = readErrors(answer.body)
  const where = shopAt(baseUrl)
  if (status >= 300 && status < 400) return redirected(answer, where)
  if (status === 401) return unauthorised(errors, where)
  if (status === 403) return forbidden(errors, where, doing)
  if (status === 429) return throttled(answer, where, doing, now)
  if (status >= 500) {
    const what = errors.length > 0 ? `: ${sayings(errors)}` : ''
    return new StorectlError('unavailable.shop_failed', `${where} failed (${status}) at ${doing}${what}.`, {
      nextSteps: ['run the command again in a while'],
    })
  }
  if (errors.length === 0) return notAShop(answer, where)
  if (status === 404 && errors[0]?.code === '0') return noSuchRoute(where, doing)
  return new StorectlError('rejected.by_shop', `${where} refused ${doing} (${status}): ${sayings(errors)}.`)
}

/**
 * What a shop says about its errors, in one line that can be shown to a person.
 */
export function sayings(errors: readonly SaidError[]): string {
  const shown = errors.slice(0, MOST_ERRORS).map(saying)
  if (errors.length > MOST_ERRORS) shown.push(`and ${errors.length - MOST_ERRORS} more`)
  return shown.join('; ').replace(/\.$/, '')
}

function saying({code, title, detail, pointer}: SaidError): string {
  const words = visible((detail || title).slice(0, LONGEST_SAYING)).trim()
  const name = code && code !== '0' ? `${visible(code.slice(0, 100))} ` : ''
  return `${name}${words}${pointer ? ` (at ${visible(pointer.slice(0, 100))})` : ''}`.trim()
}

function shopAt({origin, pathname}: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function redirected({status, headers}: Answer, where: string): StorectlError {
  const to = withoutQuery(String(headers.location ?? ''), where)
  return new StorectlError(
    'usage.redirected',
    `${where} answered with a redirect (${status}) to ${visible(to)}. It was not followed: the call would carry secrets there.`,
    {nextSteps: ['give the address that it points to as the URL, if it is yours']},
  )
}

function withoutQuery(location: string, base: string): string {
  if (!URL.canParse(location, base)) return 'nowhere'
  const {origin, pathname} = new URL(location, base)
  return `${origin}${pathname}`
}

function unauthorised(errors: readonly SaidError[], where: string): StorectlError {
  const detail = errors[0]?.detail ?? ''
  const again = ['storectl login', 'storectl auth status']
  if (errors.length === 0) {
    return new StorectlError(
      'auth.gate',
      `Something in front of ${where} wants credentials of its own (401).`,
      {
        nextSteps: ['printf "Authorization: Basic …" | storectl profile set NAME --header-stdin'],
      },
    )
  }
  if (detail === 'Access token is expired') {
    return new StorectlError(
      'auth.password_changed',
      `${where} refused the access token: the password was changed.`,
      {
        nextSteps: again,
      },
    )
  }
  if (detail === 'Access token is invalid') {
    return new StorectlError('auth.user_deleted', `${where} refused the access token: its user is gone.`, {
      nextSteps: again,
    })
  }
  return new StorectlError('auth.token_refused', `${where} refused the access token: ${sayings(errors)}.`, {
    nextSteps: again,
  })
}

function forbidden(errors: readonly SaidError[], where: string, doing: string): StorectlError {
  const missing = missingPrivileges(errors)
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

function noSuchRoute(where: string, doing: string): StorectlError {
  return new StorectlError('usage.no_such_route', `The shop at ${where} has no route for ${doing} (404).`, {
    nextSteps: ['check that the extension is installed there', 'storectl auth status   # which URL is used'],
  })
}

function notAShop({status, headers}: Answer, where: string): StorectlError {
  const type = visible(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  return new StorectlError(
    'usage.not_a_shop',
    `${where} is not a shop: it answered ${status} with ${type}.`,
    {
      nextSteps: ['check the URL: it is the part before /api', 'storectl auth status   # which URL is used'],
    },
  )
}
