/** What something in front of the shop asks for. */
interface Challenge {
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
export function parseChallenge(headers: Readonly<Record<string, string | string[] | undefined>>): Challenge {
  const asked = [headers['www-authenticate'] ?? []].flat().join(', ')
  return {
    isBasic: /(^|, *)basic\b/i.test(asked),
    realm: (/realm="([^"]*)"/i.exec(asked)?.[1] ?? '').slice(0, 80),
  }
}

/** What nginx and Apache say to plain HTTP where TLS is spoken. */
const WANTS_TLS = /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled/i

/**
 * The base URL that was probably meant by one that answers like no shop.
 *
 * @param url base URL without a slash at its end
 * @returns `undefined` when nothing speaks for another
 */
export function guessBaseUrl(url: string, status: number, body: Uint8Array): string | undefined {
  if (status === 400 && WANTS_TLS.test(Buffer.from(body.subarray(0, 2000)).toString('latin1'))) {
    return url.replace(/^http:/, 'https:')
  }
  const base = extractBaseUrl(url)
  return base === url ? undefined : base
}

/** The base URL that an address of the shop's API or administration belongs to. */
export function extractBaseUrl(address: string): string {
  return address.replace(/\/(api|admin|store-api)(\/.*)?$/s, '').replace(/\/$/, '')
}

/**
 * The name and value of a header written as `Name: value`, without the blanks around the value.
 *
 * @returns `undefined` for what is no header in ASCII
 * @see RFC 9110 §5.5, §5.6.2
 */
export function parseHeaderField(line: string): {readonly name: string; readonly value: string} | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\t]*)$/.exec(line) ?? []
  return name === undefined || value === undefined ? undefined : {name, value: value.trim()}
}
