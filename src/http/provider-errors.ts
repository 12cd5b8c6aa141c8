import {type ErrorCode, StorectlError} from '../errors.js'
import {escapeControls} from '../output/escape-controls.js'
import type {HttpResponse} from './http.js'
import {readRetryAfterMs} from './retry.js'

const LONGEST_SAYING = 300

/**
 * The error for an unexpected response of the payment provider's API.
 *
 * Codes: `auth.provider_refused` 401, `auth.provider_forbidden` 403, `unavailable.provider_throttled` 429,
 * `unavailable.provider_failed` 5xx, `usage.no_provider` for a response unlike a provider's, else
 * `rejected.by_provider`.
 *
 * @param doing the request: `the list of events`
 * @see protocol.md §4.7
 */
export function createProviderError(
  answer: HttpResponse,
  baseUrl: URL,
  doing: string,
  now: Date,
): StorectlError {
  const where = baseUrl.href.replace(/\/$/, '')
  const {name, text, debugId} = parseProviderError(answer.body)
  const said = escapeControls(
    [name, text]
      .filter(each => each !== '')
      .join(': ')
      .slice(0, LONGEST_SAYING),
  )
  const id = debugId === null ? '' : ` (debug id ${escapeControls(debugId.slice(0, 40))})`
  const refuse = (code: ErrorCode, what: string, nextSteps: readonly string[] = []) =>
    new StorectlError(code, `${where} ${what}${said === '' ? '' : `: ${said}`}${id}.`, {nextSteps})
  const {status} = answer
  if (status === 401) return refuse('auth.provider_refused', `refused ${doing} (401)`, AGAIN)
  if (status === 403)
    return refuse('auth.provider_forbidden', `does not allow ${doing} (403)`, listFeatures(doing))
  if (status === 429) {
    const waitMs = readRetryAfterMs(answer, now)
    const wait = waitMs === undefined ? 'in a while' : `in ${Math.ceil(waitMs / 1000)} s`
    return refuse('unavailable.provider_throttled', 'limits the request rate (429)', [`try again ${wait}`])
  }
  if (status >= 500) return refuse('unavailable.provider_failed', `failed (${status}) at ${doing}`)
  if (name === '')
    return refuse('usage.no_provider', `is not the provider's API (${status})`, CHOOSE_PROVIDER)
  return refuse('rejected.by_provider', `refused ${doing} (${status})`)
}

const AGAIN = [
  'storectl profile set NAME --provider-client-id ID --provider-client-secret-stdin',
  'storectl profile set NAME --provider-url sandbox   # or live: each has credentials of its own',
]
/** The features that an app needs, by request. @see provider.md */
function listFeatures(doing: string): string[] {
  const where = 'in the provider’s developer dashboard'
  if (/\breport\b/.test(doing)) {
    return [
      `let the app have the feature "Transaction Search" (scope …/services/reporting/search/read), ${where}`,
      'try again up to 9 hours after it was switched on',
    ]
  }
  return /\bevents?\b/.test(doing)
    ? [`let the app have the feature "Webhooks", ${where}`]
    : [`let the app have the feature that this needs, ${where}`]
}
const CHOOSE_PROVIDER = ['storectl profile set NAME --provider-url live']

/** An error of the payment provider. */
interface ProviderErrorDetails {
  /** `VALIDATION_ERROR`, `invalid_client`; empty where the body cannot be read. */
  readonly name: string
  /** Its message, and those about single members; empty where there are none. */
  readonly text: string
  /** Id by which the provider's support finds the call. */
  readonly debugId: string | null
}

/**
 * Parses an error in either of the provider's layouts: that of its API, and that of its authorization server.
 *
 * @see protocol.md §4.7, RFC 6749 §5.2
 */
function parseProviderError(body: Uint8Array): ProviderErrorDetails {
  const {name, message, debug_id, details, error, error_description} = parseFields(body)
  const issues = Array.isArray(details) ? details.flatMap(issueIn) : []
  const words = [toText(message) || toText(error_description), ...issues].filter(each => each !== '')
  return {name: toText(name) || toText(error), text: words.join('; '), debugId: toText(debug_id) || null}
}

function issueIn(detail: {issue?: unknown; description?: unknown; field?: unknown} | null): string[] {
  const words = [toText(detail?.field), toText(detail?.description) || toText(detail?.issue)]
  const said = words.filter(each => each !== '').join(': ')
  return said === '' ? [] : [said]
}

function parseFields(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
