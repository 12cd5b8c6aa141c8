import type {Call, HttpClient, HttpResponse, SignInFixes} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import {SIGN_IN_CODES} from '../../shopware/error-texts.js'
import {readErrors} from '../../wire/read-errors.js'
import type {TokenRequest, TokenResponse} from '../../wire/schemas/token.js'
import type {AccessToken} from '../credentials/secrets.js'
import type {Grant} from '../profile/profile.js'
import {createNotAShopError, createTokenError, knowsClient, type TokenQuery} from './token-errors.js'

/** Where a token is requested. */
export interface TokenDeps {
  /** Calls the base URL without a token. */
  readonly caller: HttpClient
  readonly clock: Clock
  readonly hints: SignInFixes
}

/** Skew below this may be the duration of the call. */
const NOTABLE_SKEW_MS = 2000

/**
 * Requests an access token. If a client is refused, a second request finds out whether the shop knows the id at all.
 *
 * @param hadWorked whether the same credentials were accepted before
 * @param signal aborts the call, unless a refresh token would be lost with its answer
 * @throws StorectlError as `createTokenError` lists them, and what `HttpClient` throws
 * @see protocol.md §2.1, §2.2
 */
export async function requestToken(
  query: TokenQuery,
  deps: TokenDeps,
  hadWorked = false,
  signal?: AbortSignal,
): Promise<AccessToken> {
  const {caller, clock, hints} = deps
  const askedAt = clock.now()
  const cut = signal && query.kind !== 'refresh' ? {signal} : {}
  const answer = await caller.call({...requestOf(buildBody(query)), ...cut, answer: 'short'})
  if (answer.status !== 200) throw await createRefusal(answer, query, deps, hadWorked)
  const granted = decodeTokenResponse(answer)
  if (!granted) throw createNotAShopError(answer, caller.baseUrl, hints)
  return {
    value: granted.access_token,
    obtainedAt: askedAt,
    expiresAt: new Date(askedAt.getTime() + granted.expires_in * 1000),
    grant: grantOf(query),
    ...(granted.refresh_token === undefined ? {} : {refreshToken: granted.refresh_token}),
    skewMs: computeSkewMs(answer, clock.now()),
  }
}

async function createRefusal(
  answer: HttpResponse,
  query: TokenQuery,
  {caller, hints}: TokenDeps,
  hadWorked: boolean,
) {
  const isAboutClient = query.kind === 'client' && readErrors(answer.body)[0]?.code === SIGN_IN_CODES.client
  const isKnown = isAboutClient ? await knowsClient(removeSecret(query), caller) : undefined
  return createTokenError(answer, {query, baseUrl: caller.baseUrl, hints, hadWorked, isKnown})
}

function removeSecret({clientId}: Extract<TokenQuery, {kind: 'client'}>): Call {
  return requestOf({grant_type: 'client_credentials', client_id: clientId})
}

function requestOf(request: object): Call {
  return {
    method: 'POST',
    path: '/api/oauth/token',
    headers: {'content-type': 'application/json', accept: 'application/json'},
    body: JSON.stringify(request),
  }
}

function buildBody(query: TokenQuery): TokenRequest {
  switch (query.kind) {
    case 'client':
      return {
        grant_type: 'client_credentials',
        client_id: query.clientId,
        client_secret: query.clientSecret,
      }
    case 'password':
      return {
        grant_type: 'password',
        client_id: 'administration',
        username: query.username,
        password: query.password,
        ...(query.otp === undefined ? {} : {[query.otp.field]: query.otp.value}),
      }
    case 'refresh':
      return {grant_type: 'refresh_token', client_id: 'administration', refresh_token: query.refreshToken}
  }
}

function grantOf({kind}: TokenQuery): Grant {
  return kind === 'client' ? 'client_credentials' : 'password'
}

function decodeTokenResponse({body: bytes}: HttpResponse): TokenResponse | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Partial<TokenResponse> | null
    const isToken = typeof value?.access_token === 'string' && Number(value.expires_in) > 0
    // A line break in it could smuggle a header in; nothing but visible ASCII is a token.
    if (!isToken || !/^[\x21-\x7e]+$/.test(value.access_token ?? '')) return undefined
    return {...value, expires_in: Number(value.expires_in)} as TokenResponse
  } catch {
    return undefined
  }
}

/** The `Date` header has whole seconds, so half of one is added. */
function computeSkewMs({headers}: HttpResponse, now: Date): number {
  const said = Date.parse(String(headers.date ?? ''))
  const skew = said + 500 - now.getTime()
  return Number.isFinite(skew) && Math.abs(skew) >= NOTABLE_SKEW_MS ? skew : 0
}
