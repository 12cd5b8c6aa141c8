import {type Parameters, parameter} from '../runtime/parameters.js'

/** What a token request says, from its body and, for the client, from HTTP Basic. */
export interface TokenFields {
  grantType: unknown
  clientId: unknown
  /** `undefined` when there is none at all. */
  clientSecret: unknown
  username: unknown
  password: unknown
  refreshToken: unknown
  scope: unknown
  /** The header as it came. */
  authorization: string | undefined
}

/** The body wins over HTTP Basic; the query string never counts. @see protocol.md §2.1 */
export function tokenFields(body: Parameters, authorization: string | undefined): TokenFields {
  const basic = basicCredentials(authorization)
  const field = (name: string) => parameter(body, name) ?? undefined
  return {
    grantType: field('grant_type'),
    clientId: field('client_id') ?? basic?.id,
    clientSecret: field('client_secret') ?? basic?.secret,
    username: field('username'),
    password: field('password'),
    refreshToken: field('refresh_token'),
    scope: field('scope'),
    authorization,
  }
}

function basicCredentials(authorization: string | undefined): {id: string; secret: string} | undefined {
  if (!authorization?.startsWith('Basic ')) return undefined
  const text = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : {id: text.slice(0, colon), secret: text.slice(colon + 1)}
}
