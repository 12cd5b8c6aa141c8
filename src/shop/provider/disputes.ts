import type {RouteResponse} from '../http/route.js'
import {type Parameters, type RuleDeps, readParameter} from '../runtime/runtime.js'
import {listReportedRows, type ReportedPayment} from '../store/provider-payments.js'
import {createJsonAnswer, createProviderErrorAnswer} from './sign-in.js'

/** Report codes: a dispute begins with a hold and ends with its release. */
const HOLD = 'T1110'
const RELEASE = 'T1111'

const MOST_LISTED = 50
const DEFAULT_LISTED = 10

/** Time for the merchant's response, milliseconds. */
const DUE_AFTER_MS = 10 * 86_400_000

/** `GET /v1/customer/disputes`: the newest first; its rows do not name the payment. @see provider.md §5 */
export async function listDisputes(query: Parameters, {db: {reads}}: RuleDeps): Promise<RouteResponse> {
  const about = readParameter(query, 'disputed_transaction_id')
  const size = Number(readParameter(query, 'page_size') ?? DEFAULT_LISTED)
  if (!Number.isInteger(size) || size < 1 || size > MOST_LISTED)
    return createProviderErrorAnswer(400, 'INVALID_REQUEST', 'Request is not well-formed.')
  const captureId = typeof about === 'string' ? about : undefined
  const holds = await listReportedRows(reads, HOLD, {captureId, most: size})
  const releases = await listReportedRows(reads, RELEASE, {captureId, most: 1000})
  const items = holds.map(hold => describeDispute(hold, releases))
  return createJsonAnswer({items, links: []})
}

/** `GET /v1/customer/disputes/{id}`, with its payments. */
export async function showDispute(id: string, {db: {reads}}: RuleDeps): Promise<RouteResponse> {
  const holds = await listReportedRows(reads, HOLD, {captureId: undefined, most: 1000})
  const hold = holds.find(each => formatId(each) === id)
  if (!hold) {
    const text = 'The specified resource does not exist.'
    return createProviderErrorAnswer(404, 'RESOURCE_NOT_FOUND', text)
  }
  const releases = await listReportedRows(reads, RELEASE, {captureId: hold.capture_id ?? '', most: 1000})
  const {capture_id, custom_id, invoice_id} = hold
  const about = {seller_transaction_id: capture_id, custom: custom_id, invoice_number: invoice_id}
  return createJsonAnswer({...describeDispute(hold, releases), disputed_transactions: [about]})
}

function formatId({id}: ReportedPayment): string {
  return `PP-D-${id}`
}

function describeDispute(hold: ReportedPayment, releases: readonly ReportedPayment[]) {
  const isOver = releases.some(
    ({capture_id, created_at}) => capture_id === hold.capture_id && created_at >= hold.created_at,
  )
  const due = new Date(Date.parse(hold.created_at) + DUE_AFTER_MS).toISOString()
  return {
    ...{
      dispute_id: formatId(hold),
      create_time: hold.created_at,
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    },
    status: isOver ? 'RESOLVED' : 'WAITING_FOR_SELLER_RESPONSE',
    dispute_state: isOver ? 'RESOLVED' : 'REQUIRED_ACTION',
    dispute_amount: {currency_code: hold.currency, value: hold.amount},
    ...(isOver ? {} : {seller_response_due_date: due}),
  }
}
