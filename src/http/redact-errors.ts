import {StorectlError} from '../errors.js'
import type {HttpResponse} from './http.js'

/**
 * The response without secrets. A shop, or a proxy in front of it, may repeat the request in its error; the error is
 * shown, and stored with the run.
 *
 * @param clean removes secrets from a text
 */
export function cleanAnswer(answer: HttpResponse, clean: (text: string) => string): HttpResponse {
  const text = answer.body.toString('utf8')
  const without = clean(text)
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(clean) : value && clean(value),
  ])
  return {
    ...answer,
    headers: Object.fromEntries(headers),
    body: without === text ? answer.body : Buffer.from(without),
  }
}

/** The same for a failure. */
export function cleanError(error: unknown, clean: (text: string) => string): unknown {
  if (!(error instanceof StorectlError)) return error
  const message = clean(error.message)
  if (message === error.message) return error
  const {code, nextSteps, cause} = error
  return new StorectlError(code, message, {nextSteps, cause})
}
