import type {PaymentTally, RecordedCause, ReportItem, ResultTally} from '../../../contract/run-rows.js'
import {formatAmounts} from '../../../language/amount-totals.js'
import {formatCount, formatUtcMinute} from '../../../output/cell.js'
import type {ReportSummary} from '../report-summary.js'

/** Headings of the table of items, in the order of its cells. */
export const ITEM_HEADINGS = [
  'Result',
  'Order',
  'Item',
  'Amount',
  'Status',
  'Attempts',
  'Response',
  'State',
  'Time',
]

/** An item as the table of a page shows it, then what it filters by; `null` for what is not known. */
export function listItemCells(item: ReportItem): (string | number | null)[] {
  const {status, attempts, detail, at} = item
  return [
    ...[formatResult(item), item.order, item.item, formatItemAmount(item.amount)],
    ...[status, attempts, detail, formatStates(item), at],
  ]
}

/** `held (out-of-order)`, `applied`, `not sent`. */
export function formatResult({result, reason}: Pick<ReportItem, 'result' | 'reason'>): string {
  const word = result === 'not-sent' ? 'not sent' : result === 'in-flight' ? 'in flight' : result
  return reason === null ? word : `${word} (${reason})`
}

/** `12.50 EUR`. */
export function formatItemAmount(amount: ReportItem['amount']): string | null {
  return amount && `${amount.value} ${amount.currency}`
}

/** `open → paid`, or the state alone where it did not change. */
export function formatStates({before, after}: Pick<ReportItem, 'before' | 'after'>): string | null {
  if (before === null) return null
  return after === null || after === before ? before : `${before} → ${after}`
}

/** The results of a run, grouped by meaning, with counts and amounts. */
export function listTallyCells({result, reason, count, amounts}: ResultTally): [string, string, string] {
  return [formatResult({result, reason}), formatCount(count), formatAmounts(amounts)]
}

/** Headings of the table of causes. */
export const CAUSE_HEADINGS = ['Cause', 'Events', 'Amount', 'First', 'Last']

/** Why events had failed: their number, their amounts, and when the first and the last were created, UTC. */
export function listCauseCells(each: RecordedCause): [string, string, string, string, string] {
  const {cause, count, amounts, firstAt, lastAt} = each
  return [
    cause,
    formatCount(count),
    formatAmounts(amounts),
    formatUtcMinute(firstAt),
    formatUtcMinute(lastAt),
  ]
}

/** Headings of the table of payments. */
export const PAYMENT_HEADINGS = ['Order', 'Payment', 'State', 'Events']

/** Which of all payments are listed: `200 of 3,000, those that need attention first.` */
export function describeListedPayments({
  payments,
  paymentCount,
}: Pick<ReportSummary, 'payments' | 'paymentCount'>): string {
  const listed = formatCount(payments.length)
  return `${listed === paymentCount ? listed : `${listed} of ${paymentCount}`}, those that need attention first.`
}

/** What happened to a payment, one line per event. */
export function listPaymentCells(payment: PaymentTally): [string, string, string, string[]] {
  const {order, transaction, events, count} = payment
  const lines = events.map(({result, reason, type, item, amount}) =>
    [formatResult({result, reason}), type ?? item, formatItemAmount(amount) ?? '']
      .filter(Boolean)
      .join(' · '),
  )
  const more = count > events.length ? [`and ${count - events.length} more`] : []
  return [order ?? '', transaction, formatStates(payment) ?? '', [...lines, ...more]]
}

/** What the items of a run are. */
export const ITEM_NOUNS: Readonly<Record<ReportSummary['run']['kind'], string>> = {
  replay: 'Events',
  submit: 'Orders',
  repair: 'Payments',
  resolve: 'Events',
  undo: 'Events',
}

/** `Replay 01kb8z…`. */
export function formatRunTitle({kind, id}: {readonly kind: string; readonly id: string}): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`
}
