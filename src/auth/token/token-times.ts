import type {AccessToken} from '../credentials/secrets.js'

const LONGEST_MARGIN_MS = 60_000

/**
 * Whether the access token ends within `marginMs`, so that a request started now could outlive it.
 *
 * @param token `expiresAt` is by this machine's clock; a token without one never ends
 * @param now the context's clock
 * @param marginMs milliseconds, 0 or more
 * @see RFC 6749 §5.1: `expires_in` arrives in seconds and becomes a Date in `auth/api.ts`
 */
export function endsWithin(
  {expiresAt}: Pick<AccessToken, 'expiresAt'>,
  now: Date,
  marginMs: number,
): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() <= marginMs
}

/**
 * How long before its end a token is renewed: a tenth of its life, at most a minute.
 *
 * @returns milliseconds
 */
export function renewalMarginMs({expiresAt, obtainedAt}: AccessToken): number {
  if (!expiresAt || !obtainedAt) return 0
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, expiresAt.getTime() - obtainedAt.getTime()) / 10)
}
