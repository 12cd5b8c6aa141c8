import {PASSWORD_CHANGED, USER_GONE} from '../shopware/error-texts.js'

/** One error of the shop, from either layout. */
export interface ErrorDetail {
  /** `FRAMEWORK__…`, or the authorisation server's number as text; `0` for the HTTP layer. */
  readonly code: string
  readonly title: string
  /** Empty where there is none. */
  readonly detail: string
  /** JSON pointer to the cause: `/filter/0/field`; empty where there is none. */
  readonly pointer: string
  /** By name, or by index where they are a list; empty when there are none. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * The errors in a response's body.
 *
 * @returns empty when the body is not the shop's envelope, a gateway's page for instance
 * @see protocol.md §1.3
 */
export function readErrors(body: Uint8Array): ErrorDetail[] {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return []
  }
  const {errors} = record(value)
  return Array.isArray(errors) ? errors.map(each => readError(record(each))) : []
}

/**
 * Why a shop refuses an access token, where it says so.
 *
 * @see protocol.md §2.6: expired and forged tokens get the same error
 */
export function findRefusalReason(
  error: ErrorDetail | undefined,
): 'password-changed' | 'user-deleted' | undefined {
  if (error?.detail === PASSWORD_CHANGED) return 'password-changed'
  return error?.detail === USER_GONE ? 'user-deleted' : undefined
}

function readError(entry: Record<string, unknown>): ErrorDetail {
  return {
    code: readText(entry.code),
    title: readText(entry.title),
    detail: readText(entry.detail),
    pointer: readText(record(entry.source).pointer),
    parameters: readParameters(record(entry.meta).parameters),
  }
}

function readParameters(parameters: unknown): Record<string, unknown> {
  return Array.isArray(parameters) ? {...parameters} : record(parameters)
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
