import type {Dispute} from '../drift/payment-facts.js'
import {type ProviderApi, parseObject} from './provider-api.js'

const DISPUTES = '/v1/customer/disputes'

/**
 * The open dispute about one of some captures.
 *
 * @returns `undefined` if none is open; `not-known` if the provider refuses, for credentials without the right
 * @throws StorectlError as `HttpClient` does
 * @see provider.md §5
 */
export async function fetchDispute(
  captureIds: readonly string[],
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<Dispute | 'not-known' | undefined> {
  for (const captureId of captureIds) {
    const query = new URLSearchParams({disputed_transaction_id: captureId, page_size: '50'})
    const list = await fetchObject(`${DISPUTES}?${query}`, provider, signal)
    if (!Array.isArray(list?.items)) return 'not-known'
    for (const item of list.items as readonly (WireDispute | null)[]) {
      const dispute = readDispute(item)
      if (dispute && (await isAbout(dispute, captureId, provider, signal))) return dispute
    }
  }
  return undefined
}

interface WireDispute {
  readonly dispute_id?: unknown
  readonly status?: unknown
  readonly dispute_state?: unknown
  readonly seller_response_due_date?: unknown
}

function readDispute(item: WireDispute | null): Dispute | undefined {
  const {dispute_id: id, status, dispute_state: state, seller_response_due_date: due} = item ?? {}
  if (typeof id !== 'string' || status === 'RESOLVED' || state === 'RESOLVED') return undefined
  const dueAt = new Date(typeof due === 'string' ? due : Number.NaN)
  return {
    ...{id, state: String(state ?? status ?? 'open')},
    dueAt: Number.isNaN(dueAt.getTime()) ? null : dueAt,
  }
}

/** A row of the list does not name its payment: the dispute itself does. */
async function isAbout(
  {id}: Dispute,
  captureId: string,
  provider: ProviderApi,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const detail = await fetchObject(`${DISPUTES}/${encodeURIComponent(id)}`, provider, signal)
  const about = Array.isArray(detail?.disputed_transactions) ? detail.disputed_transactions : []
  return detail?.dispute_id === id && about.some(each => each?.seller_transaction_id === captureId)
}

async function fetchObject(path: string, {patient}: ProviderApi, signal: AbortSignal | undefined) {
  const headers = {accept: 'application/json'}
  const answer = await patient.call({method: 'GET', path, headers, ...(signal && {signal})})
  return answer.status === 200 ? parseObject(answer) : undefined
}
