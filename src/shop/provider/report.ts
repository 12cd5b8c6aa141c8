import type {RouteResponse} from '../http/route.js'
import {type Parameters, type RuleDeps, readParameter} from '../runtime/runtime.js'
import {
  countReportedPayments,
  listRefundsOf,
  listReportedPayments,
  type ReportedPayment,
} from '../store/provider-payments.js'
import type {ProviderPaymentRow} from '../store/schema/schema.js'
import {readConfig} from '../store/schema/system-config.js'
import {createJsonAnswer, createProviderErrorAnswer} from './sign-in.js'

/** Setting: how long a movement takes to appear in the report, milliseconds. */
export const REPORT_LAG_KEY = 'storectl.providerReportLagMs'

/** Setting: whether the provider's app may not search transactions. */
export const REPORT_REFUSED_KEY = 'storectl.providerReportRefused'

const DAY_MS = 86_400_000
const LONGEST_SPAN_MS = 31 * DAY_MS
const DEFAULT_PAGE = 100
const LARGEST_PAGE = 500

/** A larger result is refused. */
const MOST_ITEMS = 10_000

/**
 * `GET /v1/reporting/transactions`, the oldest first: at most 31 days and 10,000 movements in a request, and delayed by
 * the lag from seeding.
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
  if ((await readConfig(reads, REPORT_REFUSED_KEY)) !== undefined) return createRefusal()
  const isBalanceOnly = readParameter(query, 'balance_affecting_records_only') !== 'N'
  const lagMs = Number((await readConfig(reads, REPORT_LAG_KEY)) ?? 0)
  const refreshed = new Date(now().getTime() - lagMs)
  const last = until < refreshed ? until : refreshed
  const total = await countReportedPayments(reads, {since, until: last, isBalanceOnly, most: MOST_ITEMS + 1})
  if (total > MOST_ITEMS) return createTooLargeAnswer()
  const found = await listReportedPayments(reads, {
    since,
    until: last,
    isBalanceOnly,
    offset: (page - 1) * size,
    limit: size,
  })
  const captures = found.filter(({kind}) => kind === 'capture').map(({id}) => id)
  const refunds = await listRefundsOf(reads, captures)
  return createJsonAnswer({
    transaction_details: found.map(payment => describeMovement(payment, refunds)),
    start_date: formatMoment(since.toISOString()),
    // Because of the lag it may end before the requested time.
    end_date: formatMoment((last < since ? since : last).toISOString()),
    last_refreshed_datetime: formatMoment(refreshed.toISOString()),
    page,
    total_items: total,
    total_pages: Math.ceil(total / size),
  })
}

const CODES = {capture: 'T0006', refund: 'T1107', authorization: 'T1300'} as const
const STATUSES: Readonly<Record<string, string>> = {
  ...{COMPLETED: 'S', CREATED: 'S', PENDING: 'P', DECLINED: 'D', FAILED: 'D', CANCELLED: 'D', VOIDED: 'V'},
}

/** Codes of money that leaves the account: refunds, reversals, holds, chargebacks and their fees. */
const LEAVES = new Set(['T1105', 'T1106', 'T1107', 'T1110', 'T1201', 'T0106', 'T0114'])

/** @param refunds of the captures on the page */
function describeMovement(payment: ReportedPayment, refunds: readonly ProviderPaymentRow[]) {
  const {id, order_id, kind, capture_id, amount, currency, custom_id, invoice_id} = payment
  const at = formatMoment(payment.created_at)
  const code = Object.hasOwn(CODES, kind) ? CODES[kind as keyof typeof CODES] : kind
  return {
    transaction_info: {
      transaction_id: id,
      paypal_reference_id: capture_id ?? order_id,
      paypal_reference_id_type: capture_id === null ? 'ODR' : 'TXN',
      transaction_event_code: code,
      transaction_initiation_date: at,
      transaction_updated_date: at,
      transaction_amount: {currency_code: currency, value: LEAVES.has(code) ? `-${amount}` : amount},
      transaction_status: findStatus(payment, refunds),
      // The published pattern of the field allows no braces.
      ...(capture_id === null ? {invoice_id, custom_field: custom_id.replaceAll(/[{}"]/g, '')} : {}),
    },
  }
}

/** A refunded capture shows it in its own status. */
function findStatus(
  {id, kind, amount, status}: ReportedPayment,
  refunds: readonly ProviderPaymentRow[],
): string {
  const own = STATUSES[status] ?? 'S'
  if (kind !== 'capture' || own !== 'S') return own
  const refunded = refunds
    .filter(refund => refund.capture_id === id)
    .reduce((sum, refund) => sum + Number(refund.amount), 0)
  if (refunded === 0) return own
  return refunded >= Number(amount) - HALF_A_UNIT ? 'V' : 'F'
}

/** Tolerance for sums of doubles. */
const HALF_A_UNIT = 0.0005

function createRefusal(): RouteResponse {
  const text = 'Authorization failed due to insufficient permissions.'
  return createProviderErrorAnswer(403, 'NOT_AUTHORIZED', text)
}

/** The report's times have seconds, and a zone without a colon. */
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
