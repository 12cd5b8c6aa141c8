import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {findProvider} from '../../providers/providers.js'
import {parseCustomId} from '../../providers/traits.js'
import {parseUnits} from '../drift/money.js'
import type {MovementStatus, ProviderMovement} from '../drift/payment-facts.js'
import {type ProviderApi, parseObject, type WireAmount} from './provider-api.js'

const DAY_MS = 86_400_000

/** Of one request. */
const LONGEST_SPAN_MS = 31 * DAY_MS
const PAGE_SIZE = 500

/** A span that still has too many movements is not cut any further. */
const SHORTEST_SPAN_MS = 1000

/** A page of the report. */
export interface ReportPage {
  readonly movements: ProviderMovement[]
  /** With this page everything before that moment has been read; milliseconds. `undefined` where there is more. */
  readonly completeUntil: number | undefined
}

/**
 * The provider's report of a span of time, page by page: spans of 31 days at most, cut in half where the provider refuses
 * one for its many movements.
 *
 * @param signal cuts the call short that is under way
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see the provider's transaction search, version 1
 */
export async function* fetchReport(
  since: Date,
  until: Date,
  provider: ProviderApi,
  signal: AbortSignal,
): AsyncGenerator<ReportPage, void, void> {
  for (let from = since.getTime(); from <= until.getTime(); from += LONGEST_SPAN_MS) {
    const to = Math.min(from + LONGEST_SPAN_MS - 1000, until.getTime())
    yield* fetchSpan({from, to}, provider, signal)
  }
}

interface TimeSpan {
  /** Milliseconds since 1970, both included. */
  readonly from: number
  readonly to: number
}

async function* fetchSpan(
  {from, to}: TimeSpan,
  provider: ProviderApi,
  signal: AbortSignal,
): AsyncGenerator<ReportPage, void, void> {
  let pages = 1
  for (let page = 1; page <= pages && !signal.aborted; page++) {
    const answer = await fetchPage({from, to}, page, provider, signal)
    if (page === 1 && isTooLarge(answer) && to - from > SHORTEST_SPAN_MS) {
      // The report goes by seconds: halves share none.
      const middle = Math.floor((from + to) / 2000) * 1000
      yield* fetchSpan({from, to: middle - 1}, provider, signal)
      yield* fetchSpan({from: middle, to}, provider, signal)
      return
    }
    if (answer.status !== 200) throw provider.refusal(answer, 'the report of transactions')
    const {transaction_details: rows, total_pages: total} = parseObject(answer)
    if (!Array.isArray(rows)) throw createReportError(provider)
    pages = typeof total === 'number' ? total : pages
    const movements = rows.flatMap(row => readMovement((row as ReportRow | null)?.transaction_info ?? {}))
    yield {movements, completeUntil: page >= pages ? to + 1 : undefined}
  }
}

function fetchPage({from, to}: TimeSpan, page: number, {patient}: ProviderApi, signal: AbortSignal) {
  const query = new URLSearchParams({
    start_date: new Date(from).toISOString(),
    end_date: new Date(to).toISOString(),
    fields: 'transaction_info',
    page_size: String(PAGE_SIZE),
    page: String(page),
  })
  const path = `/v1/reporting/transactions?${query}`
  return patient.call({method: 'GET', path, headers: {accept: 'application/json'}, signal})
}

function isTooLarge(answer: HttpResponse): boolean {
  return answer.status === 400 && parseObject(answer).name === 'RESULTSET_TOO_LARGE'
}

function createReportError({url}: ProviderApi): StorectlError {
  return new StorectlError('unavailable.provider_listing', `${url.host} sent no report of transactions.`, {
    nextSteps: ['check the rights of the provider credentials: transaction search must be allowed'],
  })
}

interface ReportRow {
  readonly transaction_info?: ReportedMovement
}

interface ReportedMovement {
  readonly transaction_id?: string
  readonly [reference: `${string}_reference_id`]: string | undefined
  readonly [type: `${string}_reference_id_type`]: string | undefined
  readonly transaction_event_code?: string
  readonly transaction_initiation_date?: string
  readonly transaction_amount?: WireAmount
  readonly transaction_status?: string
  readonly invoice_id?: string
  readonly custom_field?: string
}

/** Groups of the provider's event codes: payments, refunds and reversals, authorizations. Others move no payment. */
const KINDS: Readonly<Record<string, ProviderMovement['kind']>> = {
  ...{T00: 'capture', T11: 'refund', T13: 'authorization'},
}

const STATUSES: Readonly<Record<string, MovementStatus>> = {S: 'done', V: 'done', P: 'pending', D: 'declined'}

function readMovement(row: ReportedMovement): ProviderMovement[] {
  const {transaction_id: id, transaction_amount: amount} = row
  const kind = KINDS[(row.transaction_event_code ?? '').slice(0, 3)]
  const status = STATUSES[row.transaction_status ?? '']
  const currency = amount?.currency_code
  const at = new Date((row.transaction_initiation_date ?? '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (!id || !kind || !status || !currency || Number.isNaN(at.getTime())) return []
  const units = parseUnits(amount.value ?? '', currency)
  // A payment with a minus is one that the merchant made.
  if (units === undefined || (kind === 'capture' && units < 0)) return []
  const common = {id, kind, status, units: Math.abs(units), currency, at, invoiceId: row.invoice_id ?? null}
  return [{...common, ...readReferences(row, kind)}]
}

/** A capture refers to its order, a refund to its capture. */
function readReferences(row: ReportedMovement, kind: ProviderMovement['kind']) {
  const {name} = findProvider()
  const reference = row[`${name}_reference_id`] ?? null
  const type = row[`${name}_reference_id_type`]
  const key = parseCustomId(row.custom_field)
  const isOrder = type === 'ODR'
  return {
    orderId: isOrder ? reference : null,
    captureId: kind === 'refund' && !isOrder ? reference : null,
    transactionId: key.by === 'id' ? key.id : null,
  }
}
