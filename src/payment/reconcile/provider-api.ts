import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'

/** The payment provider's own API, signed in. */
export interface ProviderApi {
  readonly url: URL
  /** For reads: it asks again after 429, 5xx or no answer. */
  readonly patient: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
}

/** Reads JSON; anything but an object is an empty one. */
export function parseObject({body}: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** An amount as the provider writes it. */
export interface WireAmount {
  readonly currency_code?: string
  readonly value?: string
}
