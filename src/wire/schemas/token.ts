import {type Static, Type} from '@sinclair/typebox'

/** Separated by spaces, or a list. */
const SCOPE = '(write|admin|user-verified)'
const RequestedScopes = Type.Optional(
  Type.Union([
    Type.String({pattern: `^ *(${SCOPE}( +${SCOPE})*)? *$`}),
    Type.Array(Type.String({pattern: `^${SCOPE}$`})),
  ]),
)

/** `POST /api/oauth/token`, one of three grants, as JSON or as a form. @see protocol.md §2.1 */
export const TokenRequest = Type.Union([
  Type.Object({
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.String({
      pattern: '^SW(UA|IA|SC|PE)',
      description: 'The access key of an integration or a user',
    }),
    client_secret: Type.String(),
    scope: RequestedScopes,
  }),
  Type.Object({
    grant_type: Type.Literal('password'),
    client_id: Type.Literal('administration'),
    username: Type.String(),
    password: Type.String(),
    scope: RequestedScopes,
  }),
  Type.Object({
    grant_type: Type.Literal('refresh_token'),
    client_id: Type.Literal('administration'),
    refresh_token: Type.String(),
    scope: RequestedScopes,
  }),
])
export type TokenRequest = Static<typeof TokenRequest>

/** The response to a grant. Members are in the order in which the shop writes them. @see protocol.md §2.2 */
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

/** The claims of an access token, in this order. @see protocol.md §2.3 */
export const AccessTokenClaims = Type.Object({
  /** The client id. */
  aud: Type.String(),
  /** 80 hex digits. */
  jti: Type.String(),
  /** Seconds since 1970 with a fraction; so are the next two. */
  iat: Type.Number(),
  nbf: Type.Number(),
  exp: Type.Number(),
  /** The user's id; empty for `client_credentials`. */
  sub: Type.String(),
  scopes: Type.Array(Type.String()),
})
export type AccessTokenClaims = Static<typeof AccessTokenClaims>
