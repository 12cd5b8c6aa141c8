import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import {isCurrency, parseUnits} from '../drift/money.js'

/** The payment provider's own API, signed in. */
export interface ProviderApi {
  readonly url: URL
  /** For reads: it retries after 429, 5xx or no answer. */
  readonly patient: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
}

/** Parses JSON; anything but an object becomes an empty one. */
export function parseObject({body}: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/**
 * An amount as the provider writes it: `{currency_code, value}`.
 *
 * @returns smallest units of the currency; `undefined` if it cannot be read
 */
export function readAmount(amount: unknown): {readonly units: number; readonly currency: string} | undefined {
  const {currency_code: currency, value} = (amount ?? {}) as {currency_code?: unknown; value?: unknown}
  if (!isCurrency(currency) || typeof value !== 'string') return undefined
  const units = parseUnits(value, currency)
  return units === undefined ? undefined : {units, currency}
}
