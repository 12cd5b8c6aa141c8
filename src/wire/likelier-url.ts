/** What nginx and Apache say to plain HTTP where TLS is spoken. */
const WANTS_TLS = /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled/i

/**
 * The base URL that was probably meant by one that answers like no shop.
 *
 * @param url base URL without a slash at its end
 * @returns `undefined` when nothing speaks for another
 */
export function likelierUrl(url: string, status: number, body: Uint8Array): string | undefined {
  if (status === 400 && WANTS_TLS.test(Buffer.from(body.subarray(0, 2000)).toString('latin1'))) {
    return url.replace(/^http:/, 'https:')
  }
  const base = baseOf(url)
  return base === url ? undefined : base
}

/** The base URL that an address of the shop's API or administration belongs to. */
export function baseOf(address: string): string {
  return address.replace(/\/(api|admin|store-api)(\/.*)?$/, '').replace(/\/$/, '')
}
