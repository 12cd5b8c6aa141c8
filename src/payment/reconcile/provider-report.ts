import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {findProvider} from '../../providers/providers.js'
import {parseCustomId} from '../../providers/traits.js'
import type {ProviderMovement} from '../drift/payment-facts.js'
import {type ProviderApi, parseObject, readAmount} from './provider-api.js'
import {interpretRow} from './report-codes.js'

const DAY_MS = 86_400_000

/** Of one request. */
const LONGEST_SPAN_MS = 31 * DAY_MS
const PAGE_SIZE = 500

/** A span that still has too many movements is not cut any further. */
const SHORTEST_SPAN_MS = 1000

/** A page of the report. */
export interface ReportPage {
  readonly movements: ProviderMovement[]
  /** With this page everything before that moment has been read; milliseconds. `undefined` if there is more. */
  readonly completeUntil: number | undefined
  /** How far the report reaches, if it ends earlier than requested; milliseconds. */
  readonly reachesUntil: number | undefined
}

/**
 * The provider's report of a span of time, page by page: spans of at most 31 days, halved if the provider refuses one
 * for its many movements.
 *
 * @param signal aborts the current call
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

/** Most pages of one span; the provider refuses spans with more than about twenty. */
const MOST_PAGES = 100

async function* fetchSpan(
  {from, to}: TimeSpan,
  provider: ProviderApi,
  signal: AbortSignal,
): AsyncGenerator<ReportPage, void, void> {
  const pages = new ReportPages(provider)
  for (let page = 1; !pages.isLast && !signal.aborted; page++) {
    const answer = await fetchPage({from, to}, page, provider, signal)
    if (page === 1 && isTooLarge(answer) && to - from > SHORTEST_SPAN_MS) {
      // The report's resolution is a second: halves share none.
      const middle = Math.floor((from + to) / 2000) * 1000
      yield* fetchSpan({from, to: middle - 1}, provider, signal)
      yield* fetchSpan({from: middle, to}, provider, signal)
      return
    }
    if (answer.status !== 200) throw provider.refusal(answer, 'the report of transactions')
    const report = parseObject(answer)
    const rows = pages.read(report, page)
    const movements = rows.flatMap(row => readMovement((row as ReportRow | null)?.transaction_info ?? {}))
    const endMs = readTime(report.end_date)?.getTime()
    const reachesUntil = endMs !== undefined && endMs < to - SHORTEST_SPAN_MS ? endMs : undefined
    yield {movements, completeUntil: pages.isLast ? to + 1 : undefined, reachesUntil}
  }
}

/**
 * The pages of one span. The number of pages may be wrong: an empty page is the last one, and a full one is not.
 *
 * @throws StorectlError `unavailable.provider_listing` for a report that never ends, or ends before its end
 */
class ReportPages {
  isLast = false
  #read = 0
  #before = ''

  constructor(private readonly provider: ProviderApi) {}

  read(answer: Record<string, unknown>, page: number): readonly unknown[] {
    const {transaction_details: rows, total_pages: total, total_items: items} = answer
    if (!Array.isArray(rows)) throw createReportError(this.provider, 'sent no report of transactions')
    const hasMore = rows.length >= PAGE_SIZE || (typeof total === 'number' && page < total)
    this.isLast = rows.length === 0 || !hasMore
    this.#read += rows.length
    const now = JSON.stringify(rows)
    if ((page > 1 && rows.length > 0 && now === this.#before) || page > MOST_PAGES)
      throw createReportError(this.provider, 'sends the same page of its report again and again')
    if (this.isLast && typeof items === 'number' && this.#read < items)
      throw createReportError(this.provider, `sent ${this.#read} of the ${items} rows of its report`)
    this.#before = now
    return rows
  }
}

function fetchPage({from, to}: TimeSpan, page: number, {patient}: ProviderApi, signal: AbortSignal) {
  const query = new URLSearchParams({
    start_date: new Date(from).toISOString(),
    end_date: new Date(to).toISOString(),
    fields: 'transaction_info',
    // Without it authorizations, voids and held-back money may be missing.
    balance_affecting_records_only: 'N',
    page_size: String(PAGE_SIZE),
    page: String(page),
  })
  const path = `/v1/reporting/transactions?${query}`
  return patient.call({method: 'GET', path, headers: {accept: 'application/json'}, signal})
}

function isTooLarge(answer: HttpResponse): boolean {
  return answer.status === 400 && parseObject(answer).name === 'RESULTSET_TOO_LARGE'
}

function createReportError({url}: ProviderApi, what: string): StorectlError {
  return new StorectlError('unavailable.provider_listing', `${url.host} ${what}.`, {
    nextSteps: ['check the rights of the provider credentials: transaction search must be allowed'],
  })
}

interface ReportRow {
  readonly transaction_info?: ReportedMovement
}

interface ReportedMovement {
  readonly transaction_id?: unknown
  readonly [reference: `${string}_reference_id`]: unknown
  readonly [type: `${string}_reference_id_type`]: unknown
  readonly transaction_event_code?: unknown
  readonly transaction_initiation_date?: unknown
  readonly transaction_amount?: unknown
  readonly transaction_status?: unknown
  readonly invoice_id?: unknown
  readonly custom_field?: unknown
}

/** An unreadable row about a payment must be explained by the order. */
function readMovement(row: ReportedMovement): ProviderMovement[] {
  const [id, code] = [readText(row.transaction_id), readText(row.transaction_event_code) ?? '']
  const at = readTime(row.transaction_initiation_date)
  const amount = readAmount(row.transaction_amount)
  const meaning = interpretRow(code, readText(row.transaction_status) ?? '', amount?.units)
  if (id === null || !meaning) return []
  const {kind, status, reversed} = !at ? ({kind: 'other', status: 'done'} as const) : meaning
  const {units = 0, currency = ''} = amount ?? {}
  return [
    {
      ...{id, kind, status, units: Math.abs(units), currency, invoiceId: readText(row.invoice_id)},
      at: at ?? new Date(0),
      ...readReferences(row, kind),
      ...(reversed === undefined ? {} : {reversed}),
    },
  ]
}

/** A capture refers to its order, a refund and a dispute to their capture. */
function readReferences(row: ReportedMovement, kind: ProviderMovement['kind']) {
  const {name} = findProvider()
  const reference = readText(row[`${name}_reference_id`])
  const isOrder = row[`${name}_reference_id_type`] === 'ODR'
  return {
    orderId: isOrder ? reference : null,
    captureId: kind !== 'capture' && kind !== 'authorization' && !isOrder ? reference : null,
    transactionId: readTransactionId(readText(row.custom_field)),
  }
}

/** The report may leave out the braces and quotes of the JSON around the id. */
function readTransactionId(custom: string | null): string | null {
  const key = parseCustomId(custom ?? undefined)
  if (key.by === 'id') return key.id
  const [id, other] = (custom ?? '').match(/(?<![0-9a-zA-Z])[0-9a-f]{32}(?![0-9a-zA-Z])/g) ?? []
  return id !== undefined && other === undefined ? id : null
}

/** @returns `undefined` if it is not a time */
function readTime(value: unknown): Date | undefined {
  // Zones come without a colon.
  const at = new Date((readText(value) ?? '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? undefined : at
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
