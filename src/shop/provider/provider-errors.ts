import {randomBytes} from 'node:crypto'
import type {RouteResponse} from '../http/route.js'

/** How the provider refuses, in its own layout. @see protocol.md §4.7 */
export function createProviderErrorAnswer(
  status: number,
  name: string,
  message: string,
  issue?: Issue,
): RouteResponse {
  const debugId = randomBytes(7).toString('hex').slice(0, 13)
  const details = issue ? [{location: 'query', ...issue}] : []
  return createJsonAnswer(
    {name, message, debug_id: debugId, details, links: []},
    {status, headers: {'paypal-debug-id': debugId}},
  )
}

/** What is wrong with one member of a request. */
interface Issue {
  readonly field: string
  readonly value: string
  readonly issue: string
  readonly description: string
}

/** How its authorization server refuses. @see RFC 6749 §5.2 */
export function createAuthorizationErrorAnswer(
  status: number,
  error: string,
  description: string,
): RouteResponse {
  return createJsonAnswer({error, error_description: description}, {status})
}

/** An answer of the provider's. */
export function createJsonAnswer(value: unknown, answer: Omit<RouteResponse, 'body'> = {}): RouteResponse {
  return {...answer, contentType: 'application/json', body: JSON.stringify(value)}
}

/** Where the bundled server plays the payment provider. */
export function buildProviderPath(provider: string): string {
  return `/provider/${provider}`
}
