import {type Static, Type} from '@sinclair/typebox'

/** Scopes that the shop knows. @see protocol.md §2.1 */
export const SCOPES = ['write', 'admin', 'user-verified'] as const
export type Scope = (typeof SCOPES)[number]

/** The one client that may use passwords and refresh tokens. */
export const ADMINISTRATION_CLIENT = 'administration'

/** Separated by spaces, or a list. */
const RequestedScopes = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))

/** `POST /api/oauth/token`, one of three grants, as JSON or as a form. @see protocol.md §2.1 */
export const TokenRequest = Type.Union([
  Type.Object({
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.String(),
    client_secret: Type.String(),
    scope: RequestedScopes,
  }),
  Type.Object({
    grant_type: Type.Literal('password'),
    client_id: Type.Literal(ADMINISTRATION_CLIENT),
    username: Type.String(),
    password: Type.String(),
    scope: RequestedScopes,
  }),
  Type.Object({
    grant_type: Type.Literal('refresh_token'),
    client_id: Type.Literal(ADMINISTRATION_CLIENT),
    refresh_token: Type.String(),
    scope: RequestedScopes,
  }),
])
export type TokenRequest = Static<typeof TokenRequest>
