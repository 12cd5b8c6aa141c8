import {type IncomingMessage, type OutgoingHttpHeaders, ServerResponse} from 'node:http'

/** How the shop writes the names of headers; those that are not here stand in lower case. @see protocol.md §1.5 */
const USUAL: Readonly<Record<string, string>> = {
  'access-control-allow-headers': 'Access-Control-Allow-Headers',
  'access-control-allow-methods': 'Access-Control-Allow-Methods',
  'access-control-allow-origin': 'Access-Control-Allow-Origin',
  'access-control-expose-headers': 'Access-Control-Expose-Headers',
  'cache-control': 'Cache-Control',
  'content-length': 'Content-Length',
  'content-security-policy': 'Content-Security-Policy',
  'content-type': 'Content-Type',
  location: 'Location',
  'referrer-policy': 'Referrer-Policy',
  'www-authenticate': 'WWW-Authenticate',
  'x-content-type-options': 'X-Content-Type-Options',
}

/** The name of a header as the shop writes it. @param name in lower case */
export function spelled(name: string): string {
  return USUAL[name] ?? name
}

/** For what the framework writes, which knows names in lower case alone. Names and values in turn stay as they are. */
export class SpelledResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(spelled(name), value)
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const headers = rest.at(-1)
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
      return super.writeHead(status, ...(rest as []))
    const written: OutgoingHttpHeaders = {}
    for (const [name, value] of Object.entries(headers)) written[spelled(name)] = value
    return super.writeHead(status, written)
  }
}
