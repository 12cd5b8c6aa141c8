import {randomBytes} from 'node:crypto'
import type {Reply} from './call.js'
import type {Target} from './target.js'

type Fields = Record<string, unknown>

/** A grant of the integration; `undefined` takes a field out. */
export const byClient = ({clientId, clientSecret}: Target, more: Fields = {}): Fields => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
  ...more,
})

/** A grant of a user; without one, of the user that the caller lent. */
export const byPassword = (
  {username, password}: {username?: string; password?: string},
  more: Fields = {},
): Fields => ({grant_type: 'password', client_id: 'administration', username, password, ...more})

export const byRefresh = (refreshToken: unknown, more: Fields = {}): Fields => ({
  grant_type: 'refresh_token',
  client_id: 'administration',
  refresh_token: refreshToken,
  ...more,
})

/** What a grant was answered with. @throws Error where it was refused */
export function granted(reply: Reply): {access_token: string; refresh_token: string} {
  if (reply.status !== 200) throw new Error(`Not granted, but ${reply.status}: ${reply.text}`)
  return reply.json()
}

/** One part of a JWT as the JSON that it is: 0 its header, 1 its claims. */
export function jwtPart(token: string, part: 0 | 1): string {
  return Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()
}

export const scopesOf = (reply: Reply): string[] => JSON.parse(jwtPart(granted(reply).access_token, 1)).scopes

/** An access key of a kind, `SWIA`, that nobody has. */
export const unusedKey = (prefix: string) => prefix + randomBytes(11).toString('hex').toUpperCase()

/** The header of a call with another token than the integration's. */
export const bearer = (token: string) => ({Authorization: `Bearer ${token}`})

/** Titles of the grants' errors. @see protocol.md §2.5 */
export const TITLES = {
  T2: 'The authorization grant type is not supported by the authorization server.',
  T3: 'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  T4: 'Client authentication failed',
  T5: 'The requested scope is invalid, unknown, or malformed',
  T6: 'The user credentials were incorrect.',
  T8: 'The refresh token is invalid.',
} as const
