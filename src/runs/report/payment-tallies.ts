import type {PaymentTally, ReportItem} from '../../contract/run-rows.js'
import {formatCount} from '../../output/cell.js'

/** Payments of a report; those that need attention come first, so that only others are left out. */
const MOST_PAYMENTS = 200
const MOST_EVENTS = 5
/** Payments that are counted; a report says that there are more. */
const MOST_COUNTED = 10_000

interface Changing {
  order: string | null
  first: {at: string; before: string | null} | undefined
  last: {at: string; after: string | null} | undefined
  count: number
  readonly events: PaymentTally['events'][number][]
}

/** Groups the items of a run by payment, in the order in which they come; memory is bounded. */
export class PaymentTallies {
  readonly #payments = new Map<string, Changing>()
  readonly #seen = new Set<string>()

  add(item: ReportItem): void {
    const {transaction, order, group, result, reason, type, amount} = item
    if (transaction === null) return
    if (this.#seen.size < MOST_COUNTED) this.#seen.add(transaction)
    const payment = this.#find(transaction)
    if (!payment) return
    payment.count++
    payment.order ??= order
    if (payment.events.length < MOST_EVENTS)
      payment.events.push({group, result, reason, item: item.item, type, amount})
    addStates(payment, item)
  }

  #find(transaction: string): Changing | undefined {
    const found = this.#payments.get(transaction)
    if (found || this.#payments.size >= MOST_PAYMENTS) return found
    const added = {order: null, first: undefined, last: undefined, count: 0, events: []}
    this.#payments.set(transaction, added)
    return added
  }

  list(): PaymentTally[] {
    return [...this.#payments].map(([transaction, {order, first, last, count, events}]) => ({
      ...{transaction, order, before: first?.before ?? null, after: last?.after ?? null},
      ...{count, events},
    }))
  }

  /** How many payments there are: `1,200`, or `more than 10,000`. */
  get countText(): string {
    return this.#seen.size < MOST_COUNTED ? formatCount(this.#seen.size) : 'more than 10,000'
  }
}

function addStates(payment: Changing, {at, before, after}: ReportItem): void {
  if (at === null || before === null) return
  if (payment.first === undefined || at < payment.first.at) payment.first = {at, before}
  if (payment.last === undefined || at >= payment.last.at) payment.last = {at, after: after ?? before}
}
