import {AmountTotals, type CapturedMoney, type Money, parseDecimal} from '../language/amount-totals.js'
import {findCapture} from '../providers/event-effects.js'
import type {Traits} from '../providers/traits.js'
import {formatUnits, parseUnits} from './drift/money.js'
import type {Transaction} from './transactions.js'

/** An event, as far as amounts are compared. */
interface ComparedEvent {
  readonly id: string
  readonly type: string
  readonly traits: Traits
}

/** What is known about a payment, as far as amounts are compared. */
export interface ComparedPayment {
  readonly transaction: Pick<Transaction, 'state' | 'amountTotal' | 'currency' | 'isCurrencyHidden'>
  /** Known captures of the payment. The event itself among them does not count, and each event counts once. */
  readonly captures: readonly CapturedMoney[]
  /** The total captured according to the provider's order; `undefined` if it was not requested, or not answered. */
  readonly ordered?: readonly Money[] | undefined
}

/** What the provider's order has captured of a transaction; `undefined` if it cannot be asked, or does not know it. */
export type FindOrdered = (order: {
  readonly id: string
  readonly orderId: string
}) => Promise<readonly Money[] | undefined>

/** The capture that an event reports, whether it is the last or a part; `undefined` for none. */
export function readCapture(event: ComparedEvent): CapturedMoney | undefined {
  return findCapture(event) && {id: event.id, amount: event.traits.amount}
}

/**
 * How the last capture of a payment, with those before it, differs from the amount due. Parts are not compared, nor
 * events without an amount. Without earlier captures here, a smaller sum counts only if the provider's order shows it.
 *
 * @returns both amounts, for people; `undefined` if nothing differs, or nothing can be compared
 */
export function describeDifference(event: ComparedEvent, payment: ComparedPayment): string | undefined {
  const {amount} = event.traits
  if (amount === undefined || findCapture(event) !== 'final') return undefined
  const {transaction, ordered} = payment
  const due = readDue(transaction, amount.currency)
  if (!due) return `${format(amount)} captured; the amount of the payment cannot be read`
  const before = listBefore(event.id, payment)
  const sum = sumUnits([amount, ...before.flatMap(capture => capture.amount ?? [])], due.currency)
  if (sum === due.units) return undefined
  const said = `${describeCaptured(amount, before)}; the payment is over ${format(due)}`
  if (sum === undefined || sum > due.units || !areCapturesMissing(transaction, before)) return said
  if (!ordered || sumUnits(ordered, due.currency) === due.units) return undefined
  return `${said}; the provider's order has ${formatSum(ordered) || 'no capture'}`
}

/** Whether captures before the last one are missing here, so that the provider's order is needed. */
export function isOrderNeeded(event: ComparedEvent, payment: ComparedPayment): boolean {
  if (event.traits.amount === undefined || findCapture(event) !== 'final') return false
  return areCapturesMissing(payment.transaction, listBefore(event.id, payment))
}

function areCapturesMissing({state}: Pick<Transaction, 'state'>, before: readonly CapturedMoney[]): boolean {
  if (before.some(({amount}) => amount === undefined)) return true
  return state === 'paid_partially' && before.length === 0
}

function listBefore(id: string, {captures}: ComparedPayment): CapturedMoney[] {
  const each = new Map(captures.map(capture => [capture.id, capture]))
  each.delete(id)
  return [...each.values()]
}

interface Due extends Money {
  readonly units: bigint
}

/**
 * The amount due, with the digits that the provider takes.
 *
 * @param said currency of the event, used if the role may not read the payment's: then numbers are compared
 */
function readDue(
  {amountTotal, isCurrencyHidden, ...own}: ComparedPayment['transaction'],
  said: string,
): Due | undefined {
  const currency = own.currency ?? (isCurrencyHidden ? said : undefined)
  const smallest = currency === undefined ? undefined : parseUnits(amountTotal, currency)
  if (currency === undefined || smallest === undefined) return undefined
  const value = formatUnits(smallest, currency)
  const units = parseDecimal(value)
  return units === undefined ? undefined : {value, currency, units}
}

/** @returns `undefined` if one of them cannot be read, or has another currency */
function sumUnits(amounts: readonly Money[], currency: string): bigint | undefined {
  let sum = 0n
  for (const amount of amounts) {
    const units = amount.currency === currency ? parseDecimal(amount.value) : undefined
    if (units === undefined) return undefined
    sum += units
  }
  return sum
}

/** An amount that is not a number may be long. */
const MOST_SHOWN = 40

function format({value, currency}: Money): string {
  return `${value.slice(0, MOST_SHOWN)} ${currency.slice(0, MOST_SHOWN)}`
}

function formatSum(amounts: readonly Money[]): string {
  const totals = new AmountTotals()
  for (const amount of amounts) totals.add(amount)
  return totals.list().map(format).join(' + ')
}

function describeCaptured(amount: Money, before: readonly CapturedMoney[]): string {
  const own =
    parseDecimal(amount.value) === undefined ? `${format(amount)}, which cannot be read,` : format(amount)
  const earlier = formatSum(before.flatMap(capture => capture.amount ?? []))
  return earlier === '' ? `${own} captured` : `${own} captured, and ${earlier} before`
}
