/** When an access token was given and when it ends, by the shop's clock. */
export interface TokenTimes {
  readonly issuedAt: Date | undefined
  readonly expiresAt: Date | undefined
}

/**
 * What a token says about its own times. Nothing is verified: it is our own token, and the shop has the last word.
 *
 * @returns `undefined` for what is not said, and for a token that is no JWT
 * @see protocol.md §2.3; RFC 7519 §4.1.4
 */
export function timesOf(token: string): TokenTimes {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return {issuedAt: date(claims.iat), expiresAt: date(claims.exp)}
  } catch {
    return {issuedAt: undefined, expiresAt: undefined}
  }
}

/** Numeric dates are seconds, here with a fraction. */
function date(claim: unknown): Date | undefined {
  const time = new Date(typeof claim === 'number' ? claim * 1000 : Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time
}
