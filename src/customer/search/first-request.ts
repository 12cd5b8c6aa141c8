import type {Call} from '../../http/http.js'
import {type CustomerApi, customerApi} from './search-client.js'

/** A request as it would be sent, its path behind the base URL. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Thrown in place of an answer. */
class NotSent extends Error {}

/**
 * What is sent first, as far as it can be known without an answer. Nothing is sent.
 *
 * @param asking does what would be done, with the api that it is given
 * @throws what `asking` throws before it sends anything
 */
export async function firstRequest(
  asking: (api: CustomerApi) => Promise<unknown>,
): Promise<Request | undefined> {
  let first: Request | undefined
  const call = async ({method, path, body}: Call): Promise<never> => {
    first ??= {method, path, body: JSON.parse(String(body))}
    throw new NotSent()
  }
  const refusal = () => {
    throw new NotSent()
  }
  const patient = {baseUrl: new URL('http://localhost'), call}
  await asking(customerApi({patient, refusal})).catch(error => {
    if (!(error instanceof NotSent)) throw error
  })
  return first
}

/** A request for people who want to learn the shop's own language. */
export function requestText(request: Request | undefined): string {
  return `${JSON.stringify(request, null, 2)}\n`
}
