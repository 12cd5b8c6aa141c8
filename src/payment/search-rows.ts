import type {StorectlError} from '../errors.js'
import type {HttpClient, HttpResponse} from '../http/http.js'
import {parseMissingPrivileges} from '../shopware/error-texts.js'
import {readErrors} from '../wire/read-errors.js'

/** The shop's search routes for payments. */
export interface PaymentShop {
  /** Signed, with retries for a busy shop. */
  readonly patient: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Set if deliveries are read, too: privileges that the role lacks for it are added. Absent: they are not read. */
  readonly lacking?: Set<string>
}

/**
 * The rows that criteria find.
 *
 * @param entity as routes name it: `order-transaction`
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see protocol.md §6.1
 */
export async function searchRows<Found>(
  entity: string,
  shop: PaymentShop,
  signal: AbortSignal | undefined,
  criteria: object,
): Promise<Found[]> {
  return (await searchRowPage<Found>(entity, shop, signal, criteria)).data
}

/** Privileges that a refusal names: `order:read`. None for any other answer. */
export function listMissingPrivileges({status, body}: HttpResponse): string[] {
  return status === 403 ? parseMissingPrivileges(readErrors(body)[0]?.detail ?? '') : []
}

/** The same, and the total, if the criteria request it. */
export async function searchRowPage<Found>(
  entity: string,
  {patient, refusal}: PaymentShop,
  signal: AbortSignal | undefined,
  criteria: object,
): Promise<{readonly data: Found[]; readonly total: number | undefined}> {
  const answer = await patient.call({
    method: 'POST',
    path: `/api/search/${entity}`,
    headers: {'content-type': 'application/json', accept: 'application/json'},
    body: JSON.stringify(criteria),
    answer: 'page',
    ...(signal && {signal}),
  })
  if (answer.status !== 200) throw refusal(answer, `the search for ${entity}`)
  try {
    const {data, total} = JSON.parse(answer.body.toString('utf8')) as {data?: Found[]; total?: number}
    if (Array.isArray(data)) return {data, total}
  } catch {}
  throw refusal(answer, `the search for ${entity}`)
}
