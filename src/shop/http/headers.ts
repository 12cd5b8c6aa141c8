/** On every answer. @see protocol.md §1.5 */
export const CROSS_ORIGIN_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
  'access-control-allow-headers': allowedHeaders(),
  'access-control-expose-headers': allowedHeaders(),
}

/** On answers of 200 to 299 alone. @see protocol.md §1.5 */
export const SUCCESS_HEADERS: Readonly<Record<string, string>> = {
  'x-frame-options': 'deny',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "object-src 'none'; script-src 'none'; base-uri 'self';",
}

/** Sent back as they came, when they came. @see protocol.md §1.5 */
export const ECHOED_HEADERS = ['sw-version-id', 'sw-language-id', 'sw-context-token'] as const

export const DEFAULT_CACHE_CONTROL = 'no-cache, private'

function allowedHeaders(): string {
  return [
    'Content-Type',
    'Authorization',
    'sw-context-token',
    'sw-access-key',
    'sw-language-id',
    'sw-version-id',
    'sw-inheritance',
    'indexing-behavior',
    'sw-include-seo-urls',
  ].join()
}
