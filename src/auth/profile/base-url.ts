import {createUsageError} from '../../errors.js'
import {findUrl} from '../../language/find-url.js'

/**
 * The base URL that a person typed: `http` or `https`, no query, no fragment, no user and password in it.
 *
 * @throws StorectlError `usage.url`; its text never repeats a password
 */
export function parseBaseUrl(text: string): URL {
  const url = parseUrl(text)
  if (url.username || url.password) {
    throw createUsageError(
      'url_with_password',
      'The URL contains a user or a password. Store secrets elsewhere.',
      ['storectl profile set NAME --url URL --basic-auth-stdin   # reads user:password, for a reverse proxy'],
    )
  }
  if (url.search || url.hash) {
    throw createUsageError('url', `A base URL has no "?" or "#": ${url.origin}${url.pathname}`)
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url
}

/** The normal form in which a base URL is stored and compared. */
export function formatBaseUrl(url: URL): string {
  return url.href.replace(/\/$/, '')
}

function parseUrl(text: string): URL {
  const typed = text.trim()
  const url = findUrl(typed)
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url
  const bare = /^[\w.-]+(:\d+)?(\/[^\s@?#]*)?$/.test(typed)
  const hint = bare ? ` Did you mean "https://${typed}"?` : ''
  throw createUsageError('url', `Invalid base URL: it must begin with https:// or http://.${hint}`)
}

/**
 * A word that goes into an address unchanged: a provider's name, a token's prefix.
 *
 * @throws StorectlError `usage.path_segment`
 */
export function parsePathSegment(text: string, what: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw createUsageError(
    'path_segment',
    `"${text}" cannot be a ${what}: letters, digits, "-" and "_", up to 64.`,
  )
}
