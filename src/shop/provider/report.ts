import type {RouteResponse} from '../http/route.js'
import {type Parameters, type RuleDeps, readParameter} from '../runtime/runtime.js'
import {
  countReportedPayments,
  listReportedPayments,
  type ReportedPayment,
} from '../store/provider-payments.js'
import {readConfig} from '../store/schema/system-config.js'
import {createJsonAnswer, createProviderErrorAnswer} from './sign-in.js'

/** How long a movement takes to appear in the report, milliseconds. */
export const REPORT_LAG_KEY = 'storectl.providerReportLagMs'

const DAY_MS = 86_400_000
const LONGEST_SPAN_MS = 31 * DAY_MS
const DEFAULT_PAGE = 100
const LARGEST_PAGE = 500

/** A larger result is refused. */
const MOST_ITEMS = 10_000

/**
 * `GET /v1/reporting/transactions`, the oldest first: at most 31 days and 10,000 movements a request, and behind the
 * present by the lag that the shop was seeded with.
 *
 * @see https://developer.paypal.com/docs/api/transaction-search/v1/
 */
export async function reportTransactions(
  query: Parameters,
  {db: {reads}, now}: RuleDeps,
): Promise<RouteResponse> {
  const since = readMoment(query, 'start_date')
  const until = readMoment(query, 'end_date')
  if (!since) return createFieldAnswer('start_date', query)
  if (!until || until < since) return createFieldAnswer('end_date', query)
  if (until.getTime() - since.getTime() > LONGEST_SPAN_MS) return createRangeAnswer()
  const size = readNumber(query, 'page_size', DEFAULT_PAGE)
  if (size === undefined || size > LARGEST_PAGE) return createFieldAnswer('page_size', query)
  const page = readNumber(query, 'page', 1)
  if (page === undefined) return createFieldAnswer('page', query)
  const lagMs = Number((await readConfig(reads, REPORT_LAG_KEY)) ?? 0)
  const refreshed = new Date(now().getTime() - lagMs)
  const last = until < refreshed ? until : refreshed
  const total = await countReportedPayments(reads, {since, until: last, most: MOST_ITEMS + 1})
  if (total > MOST_ITEMS) return createTooLargeAnswer()
  const found = await listReportedPayments(reads, {
    since,
    until: last,
    offset: (page - 1) * size,
    limit: size,
  })
  return createJsonAnswer({
    transaction_details: found.map(describeMovement),
    start_date: formatMoment(since.toISOString()),
    end_date: formatMoment(until.toISOString()),
    last_refreshed_datetime: formatMoment(refreshed.toISOString()),
    page,
    total_items: total,
    total_pages: Math.ceil(total / size),
  })
}

const CODES = {capture: 'T0006', refund: 'T1107', authorization: 'T1300'} as const
const STATUSES: Readonly<Record<string, string>> = {COMPLETED: 'S', CREATED: 'S', PENDING: 'P', DECLINED: 'D'}

function describeMovement(payment: ReportedPayment) {
  const {id, order_id, kind, capture_id, amount, currency, status, custom_id, invoice_id} = payment
  const at = formatMoment(payment.created_at)
  const value = kind === 'refund' ? `-${amount}` : amount
  return {
    transaction_info: {
      transaction_id: id,
      paypal_reference_id: capture_id ?? order_id,
      paypal_reference_id_type: capture_id === null ? 'ODR' : 'TXN',
      transaction_event_code: CODES[kind],
      transaction_initiation_date: at,
      transaction_updated_date: at,
      transaction_amount: {currency_code: currency, value},
      transaction_status: STATUSES[status] ?? 'S',
      invoice_id,
      custom_field: custom_id,
    },
  }
}

/** The report has seconds, and a zone without a colon. */
function formatMoment(iso: string): string {
  return `${iso.slice(0, 19)}+0000`
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/

function readMoment(query: Parameters, name: string): Date | undefined {
  const value = readParameter(query, name)
  if (typeof value !== 'string' || !MOMENT.test(value)) return undefined
  const moment = new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

function readNumber(query: Parameters, name: string, fallback: number): number | undefined {
  const value = Number(readParameter(query, name) ?? fallback)
  return Number.isInteger(value) && value >= 1 ? value : undefined
}

function createFieldAnswer(field: string, query: Parameters): RouteResponse {
  const value = String(readParameter(query, field) ?? '')
  const issue = {field, value, issue: 'INVALID_PARAMETER_VALUE', description: `${field} is not valid`}
  return createProviderErrorAnswer(400, 'INVALID_REQUEST', 'Request is not well-formed.', issue)
}

function createRangeAnswer(): RouteResponse {
  return createProviderErrorAnswer(400, 'INVALID_REQUEST', 'Date range is greater than 31 days')
}

function createTooLargeAnswer(): RouteResponse {
  const text = 'Result set size is greater than the maximum limit. Change the filter criteria and try again.'
  return createProviderErrorAnswer(400, 'RESULTSET_TOO_LARGE', text)
}
