/** The authentication that a proxy or gate in front of the shop asks for. */
interface Challenge {
  /** Whether it is Basic authentication, which needs the same header as the access token. */
  readonly isBasic: boolean
  /** Its realm, unchanged; empty where it gives none. */
  readonly realm: string
}

/**
 * Parses the challenge in the headers of a 401.
 *
 * @see RFC 9110 §11.6.1, RFC 7617 §2
 */
export function parseChallenge(headers: Readonly<Record<string, string | string[] | undefined>>): Challenge {
  const asked = [headers['www-authenticate'] ?? []].flat().join(', ')
  return {
    isBasic: /(^|, *)basic\b/i.test(asked),
    realm: (/realm="([^"]*)"/i.exec(asked)?.[1] ?? '').slice(0, 80),
  }
}

/** The message of nginx and Apache for plain HTTP on a TLS port. */
const WANTS_TLS = /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled/i

/**
 * Guesses the intended base URL from one that does not respond like a shop.
 *
 * @param url base URL without a slash at its end
 * @returns `undefined` when nothing suggests another one
 */
export function guessBaseUrl(url: string, status: number, body: Uint8Array): string | undefined {
  if (status === 400 && WANTS_TLS.test(Buffer.from(body.subarray(0, 2000)).toString('latin1'))) {
    return url.replace(/^http:/, 'https:')
  }
  const base = extractBaseUrl(url)
  return base === url ? undefined : base
}

/** The base URL in an address of the shop's API or administration. */
export function extractBaseUrl(address: string): string {
  return address.replace(/\/(api|admin|store-api)(\/.*)?$/s, '').replace(/\/$/, '')
}

/**
 * The name and value of a header written as `Name: value`, without the blanks around the value.
 *
 * @returns `undefined` for anything but an ASCII header
 * @see RFC 9110 §5.5, §5.6.2
 */
export function parseHeaderField(line: string): {readonly name: string; readonly value: string} | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\t]*)$/.exec(line) ?? []
  return name === undefined || value === undefined ? undefined : {name, value: value.trim()}
}
