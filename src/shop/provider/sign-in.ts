import {randomBytes} from 'node:crypto'
import type {RouteResponse, ShopRequest} from '../http/route.js'
import {areHashesEqual, generateAlphanumeric, hashOfSecret} from '../oauth/secrets.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {readConfig} from '../store/schema/system-config.js'

/** Setting with the hash of the provider's credentials. */
export const PROVIDER_PAIR_KEY = 'storectl.providerCredentials'

/** Credentials for the provider's API. */
interface ProviderPair {
  providerClientId: string
  providerClientSecret: string
}

const LENGTH = 79

/** New credentials, as long as the provider's own. */
export function generateProviderPair(): ProviderPair {
  return {
    providerClientId: `A${generateAlphanumeric(LENGTH)}`,
    providerClientSecret: `E${generateAlphanumeric(LENGTH)}`,
  }
}

/** The stored hash of the credentials. */
export function hashOfPair({providerClientId, providerClientSecret}: ProviderPair): string {
  return hashOfSecret(`${providerClientId}:${providerClientSecret}`)
}

/** Same lifetime as the provider's. */
const TOKEN_LIFE_SECONDS = 32_400
const MOST_TOKENS = 1000

/** Access tokens for the provider's API that this server has issued; every server issues its own. */
export class ProviderTokens {
  readonly #expiresMs = new Map<string, number>()

  constructor(private readonly deps: RuleDeps) {}

  /** `POST /v1/oauth2/token`, client credentials by HTTP Basic. @see protocol.md §4.7, RFC 6749 §4.4 */
  async grant({headers, parameters}: ShopRequest): Promise<RouteResponse> {
    const [, encoded] = /^basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const known = await readConfig(this.deps.db.reads, PROVIDER_PAIR_KEY)
    const given = hashOfSecret(Buffer.from(encoded ?? '', 'base64').toString('utf8'))
    if (encoded === undefined || known === undefined || !areHashesEqual(given, known))
      return createAuthorizationErrorAnswer(401, 'invalid_client', 'Client Authentication failed')
    const {grant_type: grantType} = parameters as {grant_type?: unknown}
    if (grantType !== 'client_credentials')
      return createAuthorizationErrorAnswer(400, 'unsupported_grant_type', 'Grant Type is NOT valid')
    const token = `A21AA${randomBytes(60).toString('base64url')}`
    this.#remember(token)
    return createJsonAnswer({
      scope: 'https://uri.paypal.com/services/applications/webhooks',
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: TOKEN_LIFE_SECONDS,
    })
  }

  /** @returns the error, or `undefined` for a valid token */
  checkToken({headers}: ShopRequest): RouteResponse | undefined {
    const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const expiresMs = this.#expiresMs.get(token) ?? 0
    if (expiresMs > this.deps.now().getTime()) return undefined
    return createAuthorizationErrorAnswer(401, 'invalid_token', 'Token signature verification failed')
  }

  #remember(token: string): void {
    this.#expiresMs.set(token, this.deps.now().getTime() + TOKEN_LIFE_SECONDS * 1000)
    const [oldest] = this.#expiresMs.keys()
    if (this.#expiresMs.size > MOST_TOKENS && oldest !== undefined) this.#expiresMs.delete(oldest)
  }
}

/** An error in the provider's own layout. @see protocol.md §4.7 */
export function createProviderErrorAnswer(
  status: number,
  name: string,
  message: string,
  issue?: Issue,
): RouteResponse {
  const debugId = randomBytes(7).toString('hex').slice(0, 13)
  const details = issue ? [{location: 'query', ...issue}] : []
  return createJsonAnswer(
    {name, message, debug_id: debugId, details, links: []},
    {status, headers: {'paypal-debug-id': debugId}},
  )
}

/** An error about one member of a request. */
interface Issue {
  readonly field: string
  readonly value: string
  readonly issue: string
  readonly description: string
}

/** An error of the provider's authorization server. @see RFC 6749 §5.2 */
function createAuthorizationErrorAnswer(status: number, error: string, description: string): RouteResponse {
  return createJsonAnswer({error, error_description: description}, {status})
}

/** A response of the provider. */
export function createJsonAnswer(value: unknown, answer: Omit<RouteResponse, 'body'> = {}): RouteResponse {
  return {...answer, contentType: 'application/json', body: JSON.stringify(value)}
}
