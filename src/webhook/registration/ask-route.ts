import type {HttpClient} from '../../http/http.js'
import {findProvider} from '../../providers/providers.js'
import {buildTokenParts, EMPTY_CALL, fillTemplate, findTokenLocation} from '../../providers/route.js'
import {readErrors} from '../../wire/read-errors.js'

/** The webhook route's answer to an empty call. */
export interface RouteAnswer {
  /** `undefined` if the answer does not show it. */
  readonly takesToken: boolean | undefined
  /** The status of an answer not from the route itself: from a proxy, or a shop that is away; else `undefined`. */
  readonly foreignStatus: number | undefined
}

/** Headers of a call that reads. */
export const ACCEPT = {accept: 'application/json'}

/** Where a webhook route is. */
export interface RouteProfile {
  readonly provider: string
  readonly tokenPrefix: string
}

/**
 * Asks the webhook route whether it takes a token, with an empty body, which has no effect.
 *
 * @param signal aborts the call
 * @throws StorectlError as `HttpClient` does
 * @see protocol.md §4.1
 */
export async function askRoute(
  token: string,
  {profile, unsigned}: {readonly profile: RouteProfile; readonly unsigned: HttpClient},
  signal?: AbortSignal,
): Promise<RouteAnswer> {
  const provider = findProvider(profile.provider)
  const {answers} = provider
  const {query, headers} = buildTokenParts(findTokenLocation(provider, profile.tokenPrefix), token)
  const path = fillTemplate(provider.route, {...profile, transaction: NO_TRANSACTION})
  const answer = await unsigned.call({
    method: 'POST',
    path: query === '' ? path : `${path}?${query}`,
    headers: {...ACCEPT, 'content-type': 'application/json', ...headers},
    body: EMPTY_CALL,
    ...(signal && {signal}),
  })
  const {status} = answer
  if (status !== 400) {
    const isForeign = status < 200 || status >= 300
    return {takesToken: undefined, foreignStatus: isForeign ? status : undefined}
  }
  // From plugin 10 on, the bare sentence as text.
  const said = readErrors(answer.body)[0]?.detail ?? answer.body.toString('utf8').trim()
  const isRefused = said === answers.wrongToken ? false : undefined
  return {takesToken: said === answers.emptyBody ? true : isRefused, foreignStatus: undefined}
}

/** A transaction that no shop has, for routes that name one. */
const NO_TRANSACTION = '0'.repeat(32)

/** An answer to an empty call, in words: `answered 503`. */
export function judgeRoute(
  {takesToken, foreignStatus}: RouteAnswer,
  {provider}: Pick<RouteProfile, 'provider'>,
): {isGood: boolean; answer: string; refusesToken?: boolean} {
  const isTokenless = findProvider(provider).answers.emptyBody === null
  if (takesToken === true) return {isGood: true, answer: 'takes events'}
  if (takesToken === false) return {isGood: false, answer: 'refused the webhook token', refusesToken: true}
  if (foreignStatus === undefined) return {isGood: isTokenless, answer: 'gave another answer than its own'}
  return {isGood: isTokenless && foreignStatus === 404, answer: `answered ${foreignStatus}`}
}
