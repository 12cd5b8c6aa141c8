/** What something in front of the shop asks for. */
export interface Challenge {
  /** Whether a user and a password, in the header that an access token stands in as well. */
  readonly isBasic: boolean
  /** What it calls itself, as it came; empty when it does not say. */
  readonly realm: string
}

/**
 * What the headers of a 401 ask for.
 *
 * @see RFC 9110 §11.6.1, RFC 7617 §2
 */
export function challengeOf(headers: Readonly<Record<string, string | string[] | undefined>>): Challenge {
  const asked = [headers['www-authenticate'] ?? []].flat().join(', ')
  return {
    isBasic: /(^|, *)basic\b/i.test(asked),
    realm: (/realm="([^"]*)"/i.exec(asked)?.[1] ?? '').slice(0, 80),
  }
}
