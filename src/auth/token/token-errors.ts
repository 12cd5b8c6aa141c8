import {type ErrorCode, StorectlError} from '../../errors.js'
import type {Call, HttpClient, HttpResponse, SignInFixes} from '../../http/http.js'
import {describeHtml} from '../../http/response-errors.js'
import {findUrl} from '../../language/find-url.js'
import {escapeControls} from '../../output/escape-controls.js'
import {
  REFRESH_TOKEN_ENDED,
  REFRESH_TOKEN_REVOKED,
  SIGN_IN_CODES,
  THROTTLED,
  UNKNOWN_KEY_KIND,
} from '../../shopware/error-texts.js'
import {extractBaseUrl, guessBaseUrl, parseChallenge} from '../../wire/intermediaries.js'
import {type ErrorDetail, readErrors} from '../../wire/read-errors.js'
import type {OneTimeCode} from '../credentials/secrets.js'
import {formatBaseUrl} from '../profile/base-url.js'

/** The input of a token request. */
export type TokenQuery =
  | {readonly kind: 'client'; readonly clientId: string; readonly clientSecret: string}
  | {
      readonly kind: 'password'
      readonly username: string
      readonly password: string
      readonly otp?: OneTimeCode | undefined
    }
  | {readonly kind: 'refresh'; readonly refreshToken: string}

/** A refused token request, with what is known besides the answer. */
export interface RefusedTokenRequest {
  readonly query: TokenQuery
  readonly baseUrl: URL
  readonly hints: SignInFixes
  /** Whether the same credentials were accepted before. */
  readonly hadWorked: boolean
  /** Whether the shop knows the client's id; `undefined` if it was not asked, or the answer does not show it. */
  readonly isKnown: boolean | undefined
}

/**
 * The error for a token that was not granted. Its text names the shop and who asked, never a secret.
 *
 * Codes: `auth.client_unknown`, `auth.secret_refused`, `auth.client_refused`, `auth.client_id_unknown`,
 * `auth.wrong_password`, `auth.session_ended`, `auth.grant_refused`, `auth.request_incomplete`, `auth.scope_refused`,
 * `auth.gate`; `unavailable.throttled`, `unavailable.shop_failed`; `usage.redirected`, `usage.not_a_shop`.
 *
 * @see protocol.md §2.5, §2.7
 */
export function createTokenError(answer: HttpResponse, asked: RefusedTokenRequest): StorectlError {
  const {status} = answer
  const {query, baseUrl, hints} = asked
  const where = formatBaseUrl(baseUrl)
  const [said] = readErrors(answer.body)
  if (status >= 300 && status < 400) return createRedirectedError(answer, where, hints)
  if (!said) return createOtherServerError(answer, baseUrl, hints)
  if (status === 429 || THROTTLED.some(code => code === said.code)) return createThrottledError(said, where)
  if (said.code === UNKNOWN_KEY_KIND) return createUnknownClientIdError(asked, where)
  if (status === 404 || status === 405) return createNotAShopError(answer, baseUrl, hints)
  const explain = status < 500 ? BY_CODE[said.code] : undefined
  if (explain) return explain(where, asked, said)
  return createRefusedError(
    status >= 500 ? 'unavailable.shop_failed' : 'auth.grant_refused',
    `${where} did not sign in ${describeRequester(query)} (${status}): ${joinErrorText(said)}.`,
    status >= 500 ? ['run the command again in a while'] : [hints.signIn],
  )
}

/** The error for a token request that something other than a shop has answered. */
export function createNotAShopError(
  {status, headers, body}: HttpResponse,
  baseUrl: URL,
  hints: SignInFixes,
): StorectlError {
  const where = formatBaseUrl(baseUrl)
  const likelier = guessBaseUrl(where, status, body)
  const type = escapeControls(String(headers['content-type'] ?? 'no content type').slice(0, 80))
  return createRefusedError(
    'usage.not_a_shop',
    `${where} is not a shop: it answered ${status} with ${type} instead of a token${describeHtml({headers, body})}.`,
    [
      ...(likelier === undefined ? [] : [`${hints.atUrl(likelier)}   # the base URL is probably this one`]),
      WHICH_URL,
    ],
  )
}

const WHICH_URL = 'storectl auth status   # shows the URL, and where it is set'

type Explain = (where: string, asked: RefusedTokenRequest, said: ErrorDetail) => StorectlError

/** By the authorization server's number. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  [SIGN_IN_CODES.grant]: (where, {query, hints}) =>
    createRefusedError(
      'auth.grant_refused',
      `${where} does not let ${describeRequester(query)} sign in with this grant.`,
      [hints.signIn],
    ),
  [SIGN_IN_CODES.parameter]: (where, {query, hints}, said) =>
    createRefusedError(
      'auth.request_incomplete',
      `${where} requires more from ${describeRequester(query)}: ${joinErrorText(said)}.`,
      [hints.signIn],
    ),
  [SIGN_IN_CODES.client]: (where, asked) =>
    createClientError({...asked, clientId: asked.query.kind === 'client' ? asked.query.clientId : '', where}),
  [SIGN_IN_CODES.scope]: (where, {query, hints}, said) =>
    createRefusedError(
      'auth.scope_refused',
      `${where} refused a scope for ${describeRequester(query)}: ${joinErrorText(said)}.`,
      [hints.signIn],
    ),
  [SIGN_IN_CODES.password]: (where, {query, hints, hadWorked}) =>
    createRefusedError(
      'auth.wrong_password',
      hadWorked
        ? `${where} does not accept the password of ${describeRequester(query)}; it was changed there.`
        : `${where} refused ${describeRequester(query)}: wrong user name or password.`,
      [hints.signIn],
    ),
  [SIGN_IN_CODES.refreshToken]: (where, {hints}, said) =>
    createRefusedError(
      'auth.session_ended',
      `The session at ${where} has ended: ${describeEndedToken(said)}.`,
      [hints.signIn],
    ),
}

function describeEndedToken({detail}: ErrorDetail): string {
  if (detail === REFRESH_TOKEN_ENDED) return 'its refresh token has expired, a week after the last renewal'
  if (detail === REFRESH_TOKEN_REVOKED)
    return 'its refresh token was already used, or the password was changed'
  return escapeControls(detail || 'its refresh token is not accepted')
}

function createUnknownClientIdError({query, hints}: RefusedTokenRequest, where: string): StorectlError {
  return createRefusedError(
    'auth.client_id_unknown',
    `${where} does not know ${describeRequester(query)}: the id of an integration begins with SWIA, that of a user with SWUA.`,
    [hints.signIn.startsWith('export') ? hints.signIn : `${hints.signIn} --client-id SWIA…`],
  )
}

function createThrottledError({parameters, detail}: ErrorDetail, where: string): StorectlError {
  const seconds = Number(parameters.seconds)
  const wait = Number.isFinite(seconds) ? `${seconds} s` : escapeControls(detail || 'a minute')
  return createRefusedError(
    'unavailable.throttled',
    `${where} throttles logins after too many failures. Wait ${wait}; until then it refuses even a correct secret.`,
    ['run the command again with --wait'],
  )
}

function createRedirectedError(
  {status, headers}: HttpResponse,
  where: string,
  hints: SignInFixes,
): StorectlError {
  const location = String(headers.location ?? '')
  const to = location === '' ? undefined : findUrl(location, where)
  const base = to && escapeControls(extractBaseUrl(`${to.origin}${to.pathname}`))
  return createRefusedError(
    'usage.redirected',
    `${where} answered with a redirect (${status}) ${base === undefined ? 'that names no URL' : `to ${base}`}. It was not followed: secrets stay with the URL that they are for.`,
    [base === undefined ? WHICH_URL : `${hints.atUrl(base)}   # if that is your shop`],
  )
}

function createOtherServerError(answer: HttpResponse, baseUrl: URL, hints: SignInFixes): StorectlError {
  const {status} = answer
  const where = formatBaseUrl(baseUrl)
  if (status === 401 || status === 403 || status === 407) return createGateError(answer, where, hints)
  if (status === 429)
    return createRefusedError('unavailable.throttled', `${where} limits the request rate (429).`, [
      'run the command again later',
    ])
  if (status >= 500) {
    return createRefusedError(
      'unavailable.shop_failed',
      `${where} is unavailable (${status}). Not signed in.`,
      ['run the command again in a while'],
    )
  }
  return createNotAShopError(answer, baseUrl, hints)
}

/** The token request is the one call that can carry Basic credentials for a gate: others need `Authorization` for the token. */
function createGateError({status, headers}: HttpResponse, where: string, hints: SignInFixes): StorectlError {
  const {isBasic, realm} = parseChallenge(headers)
  const name = `The reverse proxy in front of ${where}${realm === '' ? '' : ` ("${escapeControls(realm)}")`}`
  const what = isBasic
    ? 'requires Basic credentials'
    : status === 403
      ? 'does not let this call through'
      : 'requires its own credentials'
  return createRefusedError('auth.gate', `${name} ${what} (${status}). Not signed in.`, [
    isBasic ? hints.basicAuth : hints.header,
    ...(isBasic ? [] : ['ask its operator to allow this machine']),
  ])
}

/** The client or user, in words for a person. */
function describeRequester(query: TokenQuery): string {
  if (query.kind === 'client') return `client ${escapeControls(query.clientId)}`
  return query.kind === 'password' ? `user ${escapeControls(query.username)}` : 'the stored session'
}

function joinErrorText({title, detail}: ErrorDetail): string {
  return escapeControls((detail || title).slice(0, 300)).replace(/\.$/, '')
}

function createRefusedError(code: ErrorCode, message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError(code, message, {nextSteps})
}

/** A refused client, and what is known about it. */
export interface RefusedClient {
  readonly clientId: string
  /** Base URL of the shop. */
  readonly where: string
  /** Whether the same id and secret were accepted before. */
  readonly hadWorked: boolean
  /** Whether the shop knows the id; `undefined` if unknown. */
  readonly isKnown: boolean | undefined
  readonly hints: SignInFixes
}

/**
 * Whether the shop knows an access key id: it refuses a known one without a secret for another reason than an unknown.
 * The shop counts it as an attempt: one of the ten that are free, on a path that has failed already.
 *
 * @param call the token request, its secret left out
 * @returns `undefined` if the shop answers neither, or nothing
 * @see protocol.md §2.5, the rows of client_credentials
 */
export async function knowsClient(call: Call, caller: HttpClient): Promise<boolean | undefined> {
  const answer: HttpResponse | undefined = await caller.call(call).catch(() => undefined)
  if (!answer) return undefined
  const [said] = readErrors(answer.body)
  if (answer.status === 400 && said?.code === SIGN_IN_CODES.grant) return true
  return answer.status === 401 && said?.code === SIGN_IN_CODES.client ? false : undefined
}

/**
 * The error for a refused id and secret: which of them is wrong, if known.
 *
 * Codes: `auth.client_unknown`, `auth.secret_refused`; `auth.client_refused` where the shop does not tell them apart.
 */
function createClientError(client: RefusedClient): StorectlError {
  if (client.isKnown === undefined) return createClientRefusedError(client)
  return client.isKnown ? createWrongSecretError(client) : createWrongIdError(client)
}

function createClientRefusedError({clientId, where, hints}: RefusedClient): StorectlError {
  return createRefusedError(
    'auth.client_refused',
    `${where} refused client ${escapeControls(clientId)}: the id or its secret is wrong.`,
    [hints.signIn, LOOK],
  )
}

function createWrongSecretError({clientId, where, hadWorked, hints}: RefusedClient): StorectlError {
  const message = hadWorked
    ? `${where} does not accept the secret of client ${escapeControls(clientId)}; it was replaced there.`
    : `Wrong client secret for ${escapeControls(clientId)} at ${where}.`
  return createRefusedError('auth.secret_refused', message, [hints.signIn, LOOK])
}

function createWrongIdError({clientId, where, hadWorked, hints}: RefusedClient): StorectlError {
  const [, kind] = /^(SWSC|SWPE)/.exec(clientId) ?? []
  if (kind) {
    const whose = kind === 'SWSC' ? 'a sales channel' : 'a product export'
    return createRefusedError(
      'auth.client_unknown',
      `${escapeControls(clientId)} is the key of ${whose}, which cannot sign in: an integration's begins with SWIA, a user's with SWUA.`,
      [hints.signIn, LOOK],
    )
  }
  const message = hadWorked
    ? `${where} does not know client ${escapeControls(clientId)}; the integration or its key was deleted there.`
    : `${where} does not know client ${escapeControls(clientId)}.${describeIdFormat(clientId)}`
  return createRefusedError('auth.client_unknown', message, [hints.signIn, LOOK])
}

/** @see protocol.md §2.1: the access-key format */
function describeIdFormat(clientId: string): string {
  if (/^SW[A-Z]{2}[A-Z0-9]{22}$/.test(clientId)) return ''
  return ` An id has 26 capital letters and digits; this one differs (${clientId.length} characters).`
}

const LOOK = 'look under Settings > System > Integrations in the shop'
