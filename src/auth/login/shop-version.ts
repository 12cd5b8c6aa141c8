import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import {readErrors} from '../../wire/read-errors.js'

/**
 * Asks the shop for its version: the smallest call that needs a valid token.
 *
 * @param signed adds the token
 * @param signal aborts the call
 * @returns `undefined` if the caller may not know it, or the shop does not report it
 * @throws the refusal for everything that is not the answer of a shop that accepts the token, and what `HttpClient`
 *   throws
 * @see protocol.md §1.7
 */
export async function fetchShopVersion(
  signed: HttpClient,
  refusal: (answer: HttpResponse, doing: string) => StorectlError,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await signed.call({
    method: 'GET',
    path: '/api/_info/version',
    headers: {accept: 'application/json'},
    signal,
  })
  if (!isAShops(answer)) throw refusal(answer, 'the check of the access token')
  const {version} = (parseJson(answer) ?? {}) as {version?: unknown}
  return typeof version === 'string' ? version : undefined
}

/** A shop that accepts the token reports its version, or that this caller may not know it. */
function isAShops(answer: HttpResponse): boolean {
  return answer.status === 200 ? parseJson(answer) !== undefined : answer.status === 403 && hasErrors(answer)
}

function hasErrors({body}: HttpResponse): boolean {
  return readErrors(body).length > 0
}

function parseJson({body}: HttpResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8')) ?? undefined
  } catch {
    return undefined
  }
}
