import {type ErrorCode, StorectlError} from '../errors.js'
import {visible} from '../output/escape-controls.js'
import type {Answer} from './http.js'
import {providerSaid} from './refusal.js'
import {retryAfterMs} from './retry-after.js'

const LONGEST_SAYING = 300

/**
 * The error for an answer of the payment provider's API other than the one that was wanted.
 *
 * Codes: `auth.provider_refused` 401, `auth.provider_forbidden` 403, `unavailable.provider_throttled` 429,
 * `unavailable.provider_failed` 5xx, `usage.no_provider` what no provider answers, `rejected.by_provider` every other.
 *
 * @param doing what was asked for: `the list of events`
 * @see protocol.md §4.7
 */
export function providerRefusal(answer: Answer, baseUrl: URL, doing: string, now: Date): StorectlError {
  const where = baseUrl.href.replace(/\/$/, '')
  const {name, text, debugId} = providerSaid(answer.body)
  const said = visible(
    [name, text]
      .filter(each => each !== '')
      .join(': ')
      .slice(0, LONGEST_SAYING),
  )
  const id = debugId === null ? '' : ` (debug id ${visible(debugId.slice(0, 40))})`
  const refuse = (code: ErrorCode, what: string, nextSteps: readonly string[] = []) =>
    new StorectlError(code, `${where} ${what}${said === '' ? '' : `: ${said}`}${id}.`, {nextSteps})
  const {status} = answer
  if (status === 401) return refuse('auth.provider_refused', `refused ${doing} (401)`, AGAIN)
  if (status === 403) return refuse('auth.provider_forbidden', `does not allow ${doing} (403)`, ALLOWED)
  if (status === 429) {
    const waitMs = retryAfterMs(answer, now)
    const wait = waitMs === undefined ? 'in a while' : `in ${Math.ceil(waitMs / 1000)} s`
    return refuse('unavailable.provider_throttled', 'was asked too often (429)', [`try again ${wait}`])
  }
  if (status >= 500) return refuse('unavailable.provider_failed', `failed (${status}) at ${doing}`)
  if (name === '') return refuse('usage.no_provider', `is no API of the provider (${status})`, PLACE)
  return refuse('rejected.by_provider', `refused ${doing} (${status})`)
}

const AGAIN = [
  'storectl profile set NAME --provider-client-id ID --provider-client-secret-stdin',
  'storectl profile set NAME --provider-url sandbox   # or live: each has credentials of its own',
]
const ALLOWED = ['let the app have the feature "Webhooks", in the provider’s developer dashboard']
const PLACE = ['storectl profile set NAME --provider-url live']
