import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import type {AccessToken} from '../credentials/secrets.js'
import type {ProviderAccess} from './provider-access.js'
import type {Tokens} from './token-source.js'
import {computeRenewalMarginMs, endsWithin} from './token-times.js'

export interface ProviderTokensDeps {
  /** Calls the provider's base URL without a token. */
  readonly caller: HttpClient
  readonly clock: Clock
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Told of each secret as it becomes known. */
  readonly hide: (secret: string) => void
}

/** Access tokens for the provider's API; they live as long as the command. */
export function createProviderTokenSource(access: ProviderAccess, deps: ProviderTokensDeps): Tokens {
  let held: Promise<AccessToken> | undefined
  const requestAnother = () => {
    held = requestToken(access, deps)
    return held
  }
  return {
    obtain: async () => {
      const token = await held?.catch(() => undefined)
      const isFresh = token && !endsWithin(token, deps.clock.now(), computeRenewalMarginMs(token))
      return isFresh ? token : requestAnother()
    },
    renew: async refused => {
      const token = await held?.catch(() => undefined)
      return token && token.value !== refused.value ? token : requestAnother()
    },
  }
}

/** @see protocol.md §4.7, RFC 6749 §4.4 */
async function requestToken(
  {clientId, clientSecret}: ProviderAccess,
  {caller, clock, refusal, hide}: ProviderTokensDeps,
): Promise<AccessToken> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  hide(basic)
  const obtainedAt = clock.now()
  const answer = await caller.call({
    method: 'POST',
    path: '/v1/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const granted = answer.status === 200 ? parseGrant(answer) : undefined
  if (!granted) throw refusal(answer, 'the sign-in')
  hide(granted.value)
  const expiresAt = new Date(obtainedAt.getTime() + granted.lifeMs)
  return {value: granted.value, expiresAt, obtainedAt, grant: 'client_credentials', skewMs: 0}
}

function parseGrant({body}: HttpResponse): {value: string; lifeMs: number} | undefined {
  try {
    const {access_token: value, expires_in: seconds} = JSON.parse(body.toString('utf8')) as {
      access_token?: unknown
      expires_in?: unknown
    }
    // A line break in it could smuggle a header in; nothing but visible ASCII is a token.
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) return undefined
    return Number(seconds) > 0 ? {value, lifeMs: Number(seconds) * 1000} : undefined
  } catch {
    return undefined
  }
}
