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
export function computeRenewalMarginMs({expiresAt, obtainedAt}: AccessToken): number {
  if (!expiresAt || !obtainedAt) return 0
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, expiresAt.getTime() - obtainedAt.getTime()) / 10)
}

/** When an access token was issued and when it ends, by the shop's clock. */
interface TokenTimes {
  readonly issuedAt: Date | undefined
  readonly expiresAt: Date | undefined
}

/**
 * The times in a token. Nothing is verified: it is our own token, and the shop decides.
 *
 * @returns `undefined` for missing times, and for a token that is not a JWT
 * @see protocol.md §2.3; RFC 7519 §4.1.4
 */
export function readTokenTimes(token: string): TokenTimes {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return {issuedAt: parseNumericDate(claims.iat), expiresAt: parseNumericDate(claims.exp)}
  } catch {
    return {issuedAt: undefined, expiresAt: undefined}
  }
}

/** Numeric dates are seconds, here with a fraction. */
function parseNumericDate(claim: unknown): Date | undefined {
  const time = new Date(typeof claim === 'number' ? claim * 1000 : Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Clocks further apart than this get a note. */
const NOTABLE_SKEW_MS = 30_000

/**
 * The note about two clocks that differ.
 *
 * @param skewMs how far the shop's is ahead of ours
 * @param of whose clock: a profile, a URL
 * @returns `undefined` for clocks that agree
 */
export function describeClockSkew(skewMs: number | null, of: string): string | undefined {
  if (skewMs === null || Math.abs(skewMs) < NOTABLE_SKEW_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `warning: the clock of ${of} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's.`
}
