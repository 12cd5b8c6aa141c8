import {StorectlError} from '../../errors.js'
import type {Call, HttpClient, HttpResponse} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import {findRefusalReason, readErrors} from '../../wire/read-errors.js'
import type {AccessToken} from '../credentials/secrets.js'
import type {Tokens} from './token-source.js'

/**
 * A client that adds the access token, and retries once with a new one after a 401. A call refused for its token has
 * changed nothing, so writes are repeated as well.
 *
 * Throws what `HttpClient` and `Tokens` do; `unavailable.no_token` where the token's own call got no response, so that
 * this one was never sent.
 *
 * @see protocol.md §2.6
 */
export function createAuthenticatedCaller(
  caller: HttpClient,
  tokens: Tokens,
  clock?: Pick<Clock, 'sleep'>,
): HttpClient {
  return {
    baseUrl: caller.baseUrl,
    call: async call => {
      const token = await tokens.obtain(call.signal).catch(throwUnsent)
      const answer = await caller.call(addToken(call, token))
      if (answer.status !== 401) return answer
      const renewed = await tokens
        .renew(token, call.signal)
        .catch(throwUnsent)
        .catch(error => findBetterReason(answer, error))
      if (!renewed) return answer
      const again = await caller.call(addToken(call, renewed))
      return clock && isOfPasswordChange(again) ? callLater(call, {caller, tokens, clock}, renewed) : again
    },
  }
}

/**
 * A token issued in the second of a password change stays refused until it ends; a later one does not.
 *
 * @see shop-6.5.md D7
 */
async function callLater(
  call: Call,
  {
    caller,
    tokens,
    clock,
  }: {readonly caller: HttpClient; readonly tokens: Tokens; readonly clock: Pick<Clock, 'sleep'>},
  refused: AccessToken,
): Promise<HttpResponse> {
  await clock.sleep(SECOND_MS, call.signal ?? new AbortController().signal)
  const later = await tokens.renew(refused, call.signal).catch(throwUnsent)
  return caller.call(addToken(call, later ?? refused))
}

const SECOND_MS = 1000

function isOfPasswordChange({status, body}: HttpResponse): boolean {
  return status === 401 && findRefusalReason(readErrors(body)[0]) === 'password-changed'
}

/** A token request without a response differs from a call without one: the call was never sent, or changed nothing. */
function throwUnsent(error: unknown): never {
  if (!(error instanceof StorectlError) || error.code !== 'unavailable.no_answer') throw error
  const {message, nextSteps, cause} = error
  const why = message.replace('; the call may have been received.', ' at the token route. Nothing was sent.')
  throw new StorectlError('unavailable.no_token', why, {nextSteps, cause})
}

/**
 * A session that cannot be renewed has ended for one of several reasons; the shop's error about the access token may
 * name it, and is then used.
 */
function findBetterReason({body}: HttpResponse, error: {readonly code?: unknown}): undefined {
  if (error.code === 'auth.session_ended' && findRefusalReason(readErrors(body)[0])) return undefined
  throw error
}

/** A client that adds a profile's own headers; those of the call take precedence. */
export function addCallerHeaders(caller: HttpClient, headers: Readonly<Record<string, string>>): HttpClient {
  return {
    baseUrl: caller.baseUrl,
    call: call => caller.call({...call, headers: {...removeHeaders(headers, call.headers), ...call.headers}}),
  }
}

function addToken(call: Call, {value}: AccessToken): Call {
  const authorization = {authorization: `Bearer ${value}`}
  return {...call, headers: {...removeHeaders(call.headers ?? {}, authorization), ...authorization}}
}

/** The headers whose names, ignoring case, are not among `taken`. */
function removeHeaders<Value>(
  headers: Readonly<Record<string, Value>>,
  taken: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, Value>> {
  const names = new Set(Object.keys(taken).map(name => name.toLowerCase()))
  // Called for every call, and nearly always nothing is removed.
  if (!Object.keys(headers).some(name => names.has(name.toLowerCase()))) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}
