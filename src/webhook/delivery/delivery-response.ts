import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {cutTags} from '../../language/cut-tags.js'
import type {ProviderAnswers} from '../../providers/provider.js'
import type {Result} from '../../runs/journal/item.js'
import {WEBHOOK_NOT_EXECUTED} from '../../shopware/error-texts.js'
import {findDoubt} from '../../wire/find-doubt.js'
import {readErrors} from '../../wire/read-errors.js'

/** Where an event was sent, for messages. */
export interface Receiver {
  readonly profile: string
  /** Without the token. */
  readonly url: string
  /** The answers of the plugin there. */
  readonly answers: ProviderAnswers
  /** The wait that an answer asks for, milliseconds. */
  readonly retryAfterMs: (answer: HttpResponse) => number | undefined
  /** How long the answer took, milliseconds. */
  readonly tookMs: number
}

/**
 * What the shop's answer to a webhook call means. `accepted` and `refused` say little by themselves: only the
 * transaction shows the effect.
 */
export type DeliveryResponse =
  | {readonly kind: 'accepted'}
  | {readonly kind: 'refused'; readonly said: string}
  | {readonly kind: 'final'; readonly result: Result}

const GATE = new Set([401, 403, 412])
const WRONG_ADDRESS = new Set([404, 405])

/**
 * Reads an answer.
 *
 * @see protocol.md §1.4, §4.2, §4.6
 */
export function readAnswer(answer: HttpResponse, receiver: Receiver): DeliveryResponse {
  const {status} = answer
  if (status >= 200 && status < 300) return {kind: 'accepted'}
  const said = readMessage(answer)
  if (said === receiver.answers.wrongToken)
    return finishWith(failWith(status, said, describeWrongToken(receiver)))
  if (status === 400) return readBadRequest(answer, said, receiver.answers)
  if (GATE.has(status)) return finishWith(failWith(status, said, describeGate(status, said, receiver)))
  if (WRONG_ADDRESS.has(status) || (status >= 300 && status < 400)) {
    return finishWith(failWith(status, said, describeWrongAddress(answer, receiver)))
  }
  const waiting = {
    status,
    detail: said,
    retryAfterMs: receiver.retryAfterMs(answer),
    exit: 'unavailable',
  } as const
  if (status === 429) return finishWith({...waiting, resultClass: 'later', result: 'failed'})
  const doubt = findDoubt(answer, receiver.tookMs)
  if (doubt) return finishWith({...waiting, resultClass: 'unknown', result: 'unknown', doubt})
  return finishWith({resultClass: 'failed', result: 'rejected', status, detail: said, exit: 'rejected'})
}

/** The meaning of a call without an answer. @param error as `HttpClient` throws it */
export function readNoAnswer(error: StorectlError): Result {
  const detail = error.message
  if (error.code === 'unavailable.not_connected') {
    return {resultClass: 'later', result: 'failed', detail, exit: 'unavailable'}
  }
  if (error.code === 'unavailable.no_tls') {
    return {resultClass: 'failed', result: 'failed', detail, exit: 'unavailable', halt: error}
  }
  return {resultClass: 'unknown', result: 'unknown', detail, exit: 'unavailable'}
}

function readBadRequest(
  {body}: HttpResponse,
  said: string,
  {invalid, final}: ProviderAnswers,
): DeliveryResponse {
  const isFinal = final.includes(said) || readErrors(body).some(({code}) => final.includes(code))
  if (!isFinal && !invalid.includes(said)) return {kind: 'refused', said: said || WEBHOOK_NOT_EXECUTED}
  const result = isFinal ? 'rejected' : 'invalid'
  return finishWith({resultClass: 'failed', result, status: 400, detail: said, exit: 'rejected'})
}

function finishWith(result: Result): DeliveryResponse {
  return {kind: 'final', result}
}

function failWith(status: number, detail: string, halt: StorectlError): Result {
  return {resultClass: 'failed', result: 'failed', status, detail, exit: halt.exitName, halt}
}

/** Characters of an answer that are stored. */
const LONGEST_SAYING = 300

function readMessage({status, body}: HttpResponse): string {
  const [error] = readErrors(body)
  const text = error ? error.detail || error.title : cutTags(body.toString('utf8'), ' ')
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SAYING) || `answered ${status}`
}

function describeWrongToken({profile, url}: Receiver): StorectlError {
  return new StorectlError(
    'auth.webhook_token_refused',
    `${url} refused the webhook token: it was changed, or is another shop's. The run was stopped at the first one.`,
    {
      nextSteps: [
        `storectl profile set ${profile} --webhook-token-stdin`,
        'or export STORECTL_WEBHOOK_TOKEN=…   (for this run alone)',
      ],
    },
  )
}

function describeGate(status: number, said: string, {profile, url}: Receiver): StorectlError {
  return new StorectlError(
    'auth.gate',
    `${url} answered ${status} (${said}): a proxy before the webhook route requires credentials or headers. The run was stopped.`,
    {
      nextSteps: [
        `storectl profile set ${profile} --basic-auth-stdin   # reads user:password`,
        `storectl profile set ${profile} --header-stdin   # reads "Name: value"`,
      ],
    },
  )
}

function describeWrongAddress({status, headers}: HttpResponse, {profile, url}: Receiver): StorectlError {
  const to = status < 400 ? ` to ${String(headers.location ?? 'nowhere').split('?')[0]}` : ''
  return new StorectlError(
    'usage.no_webhook_route',
    `${url} answered ${status}${to}: the base URL or the provider's name is wrong. The run was stopped.`,
    {nextSteps: [`storectl profile show ${profile}`, `storectl profile set ${profile} --provider NAME`]},
  )
}
