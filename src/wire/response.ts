import {type Static, Type} from '@sinclair/typebox'

/** The answer to a grant. Members stand in the order in which the shop writes them. @see protocol.md §2.2 */
export const TokenResponse = Type.Object({
  token_type: Type.Literal('Bearer'),
  /** Seconds from now: 600, or 599 by rounding. */
  expires_in: Type.Integer(),
  /** A JWT. */
  access_token: Type.String(),
  /** Never with `client_credentials`. Single use. */
  refresh_token: Type.Optional(Type.String()),
})
export type TokenResponse = Static<typeof TokenResponse>

/** What an access token says, in this order. @see protocol.md §2.3 */
export const AccessTokenClaims = Type.Object({
  /** The client id. */
  aud: Type.String(),
  /** 80 hex digits. */
  jti: Type.String(),
  /** Seconds since 1970 with a fraction, as the next two. */
  iat: Type.Number(),
  nbf: Type.Number(),
  exp: Type.Number(),
  /** The user's id; empty for `client_credentials`. */
  sub: Type.String(),
  scopes: Type.Array(Type.String()),
})
export type AccessTokenClaims = Static<typeof AccessTokenClaims>
