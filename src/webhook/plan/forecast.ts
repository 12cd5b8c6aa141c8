import type {Cell, EventEffect, ForecastPayment, Outcome} from '../../providers/effects.js'
import {findEffect} from '../../providers/event-effects.js'
import {findEventType} from '../../providers/providers.js'
import {HashTable} from '../../runs/pool/hash-table.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import {describeVersions, UNKNOWN_VERSIONS} from '../../shopware/versions/versions.js'
import type {InboxEvent} from '../event/event.js'

/** The input of a forecast. */
type ForecastEvent = Pick<InboxEvent, 'type' | 'traits'>

/** What sending an event would do to its transaction in its present state. */
export type Forecast =
  /** `or`: other possible results, depending on the provider's answer: states, or a refusal. */
  | {readonly kind: 'moves'; readonly to: string; readonly or: readonly string[]}
  /** `actsAgain`: it has an effect each time it arrives, even in its target state. */
  | {
      readonly kind: 'stays'
      readonly actsAgain: boolean
      readonly or: readonly string[]
      /** It is about an authorization that is not the payment's, so it has no effect in any state. */
      readonly isOfAnother?: true
    }
  /** `isFinal`: no later attempt is accepted. */
  | {readonly kind: 'refused'; readonly why: string; readonly isFinal: boolean}
  | {readonly kind: 'backwards'; readonly to: string; readonly why: string}
  | {readonly kind: 'faulty'; readonly why: string}
  /** The measured versions differ, and it is unknown which of them this shop resembles. */
  | {readonly kind: 'unknown-version'; readonly why: string}
  /** The shop asks the provider for the state: the result is not known in advance. */
  | {readonly kind: 'provider-decides'}

/** The progress of the money, by state. Other states say nothing about it. */
const MONEY: Readonly<Record<string, number>> = {
  authorized: 1,
  paid_partially: 2,
  paid: 3,
  chargeback: 4,
  refunded_partially: 4,
  refunded: 5,
}

/**
 * What the shop would do with an event, as measured on shops of its versions.
 *
 * @param versions `undefined` if unknown: then what all measured versions do alike
 * @see protocol.md §4.4, §4.5
 */
export function forecast(
  event: ForecastEvent,
  payment: ForecastPayment,
  versions: ShopVersions = UNKNOWN_VERSIONS,
): Forecast {
  const effect = findEffect(event, payment, versions)
  if (effect.kind === 'provider-decides') return effect
  if (effect.kind === 'missing') {
    return {kind: 'faulty', why: `the body has no ${effect.member}, which the shop requires`}
  }
  const forecasts = effect.cells.map(cell => ({cell, forecast: readCell(cell, effect, payment)}))
  const [first] = forecasts
  if (!first) return refuse(effect, payment.state)
  if (forecasts.every(other => isAlike(other.forecast, first.forecast))) return first.forecast
  return describeDisagreement(forecasts, versions)
}

type CellEffect = EventEffect & {readonly kind: 'cells'}

function readCell({outcomes}: Cell, effect: CellEffect, {state}: ForecastPayment): Forecast {
  const accepted = outcomes.filter(({isRefused}) => !isRefused)
  if (accepted.length === 0) return refuse(effect, state)
  const to = accepted.find(outcome => outcome.to !== undefined)?.to
  const others = outcomes.filter(outcome => outcome.isRefused || outcome.to !== to)
  const or = [...new Set(others.map(outcome => describeOutcome(outcome, state)))]
  if (to === undefined) {
    const isOfAnother = effect.isOfAnother && state !== 'cancelled'
    const actsAgain = or.length > 0 || effect.isRepeatable
    return {kind: 'stays', actsAgain, or, ...(isOfAnother ? {isOfAnother} : {})}
  }
  if (isBackwards(state, to)) {
    return {kind: 'backwards', to, why: `it would set a ${state} transaction back to ${to}`}
  }
  return {kind: 'moves', to, or}
}

function describeOutcome({to, isRefused}: Outcome, state: string): string {
  if (!isRefused) return to ?? state
  return to === undefined ? 'refused' : `refused and ${to}`
}

function refuse({step, isCancellation}: CellEffect, state: string): Forecast & {readonly kind: 'refused'} {
  return {
    kind: 'refused',
    why: `the transaction is ${state}, from where "${step}" is not possible`,
    isFinal: isCancellation || state === 'refunded' || state === 'cancelled',
  }
}

/** Whether both would be held for the same reason, or have the same result. */
function isAlike(one: Forecast, other: Forecast): boolean {
  if (isOutOfOrder(one) && isOutOfOrder(other)) return true
  return JSON.stringify(one) === JSON.stringify(other)
}

function isOutOfOrder({kind}: Forecast): boolean {
  return kind === 'backwards' || kind === 'refused'
}

function describeDisagreement(
  forecasts: readonly {readonly cell: Cell; readonly forecast: Forecast}[],
  versions: ShopVersions,
): Forecast {
  const each = forecasts.map(({cell, forecast: expected}) => {
    const {shop, plugin} = cell.pair
    return `${describeResult(expected)} in Shopware ${shop.from} with plugin ${plugin.from}`
  })
  const known = describeVersions(versions)
  return {kind: 'unknown-version', why: `not measured for ${known}: ${each.join(', ')}`}
}

function describeResult(expected: Forecast): string {
  if (expected.kind === 'moves' || expected.kind === 'backwards') return expected.to
  return expected.kind === 'stays' ? 'unchanged' : 'refused'
}

/** Whether a payment would move backwards: to an earlier state, or cancelled after its money was taken. */
function isBackwards(from: string, to: string): boolean {
  const money = MONEY[from] ?? 0
  if (to === 'cancelled') return money >= 2
  return (MONEY[to] ?? 0) < money
}

/** What an event does to its transaction now, and what it did in the earlier state. */
export interface Outlook {
  readonly now: Forecast
  /** `undefined` if no other state was stored before it was sent. */
  readonly before: Forecast | undefined
}

/** @param before the transaction's state before the event was sent; `undefined` if none was stored */
export function forecastBoth(
  event: ForecastEvent,
  {now: payment, before}: {readonly now: ForecastPayment; readonly before: string | undefined},
  versions?: ShopVersions,
): Outlook {
  const isOther = before !== undefined && before !== payment.state
  return {
    now: forecast(event, payment, versions),
    before: isOther
      ? forecast(event, {...payment, state: before, hasInstructions: false}, versions)
      : undefined,
  }
}

/**
 * Whether an event that was sent was applied. Only a change to the state that the event leads to proves it: a state that
 * was there before proves nothing.
 *
 * @param now its transaction
 * @param before the transaction's state before it was sent; `undefined` if none was stored
 */
export function findApplied(
  event: ForecastEvent,
  now: ForecastPayment,
  before: string | undefined,
  versions?: ShopVersions,
): 'applied' | 'not-applied' | 'cannot-tell' {
  if (!findEventType(event)) return 'not-applied'
  return judgeOutlook(forecastBoth(event, {now, before}, versions), now.state, before)
}

/** The same, by forecasts. */
export function judgeOutlook(
  {now: expected, before: led}: Outlook,
  state: string,
  before: string | undefined,
): 'applied' | 'not-applied' | 'cannot-tell' {
  if (expected.kind === 'provider-decides') return led ? 'applied' : 'cannot-tell'
  if (led?.kind === 'moves' && led.or.length > 0 && [led.to, ...led.or].includes(state)) return 'applied'
  if (expected.kind === 'moves') return expected.or.includes(state) ? 'cannot-tell' : 'not-applied'
  if (expected.kind === 'faulty') return 'not-applied'
  if (expected.kind === 'backwards' && before === state) return 'not-applied'
  return expected.kind === 'stays' && led ? 'applied' : 'cannot-tell'
}

/**
 * Whether the state of a payment shows that an event was never applied, whoever may have sent it: it would take the payment
 * further than it is, and events do not bring a payment back.
 */
export function isShownUnapplied(
  event: ForecastEvent,
  payment: ForecastPayment,
  versions?: ShopVersions,
): boolean {
  const expected = forecast(event, payment, versions)
  if (expected.kind !== 'moves') return false
  const {state} = payment
  const isFurther = (to: string) => (MONEY[to] ?? 0) > (MONEY[state] ?? 0) || state === 'open'
  return [expected.to, ...expected.or.filter(other => other !== 'refused')].every(isFurther)
}

/**
 * The states to which a plan leads transactions, by key. Two keys that match by chance are harmless: the state is
 * checked again before anything is sent.
 */
export class StatesAhead {
  readonly #states: string[] = []
  readonly #indexes = new HashTable()

  get(name: string): string | undefined {
    const index = this.#indexes.get(name)
    return index === undefined ? undefined : this.#states[index]
  }

  set(name: string, state: string): void {
    this.#indexes.set(name, this.#indexOf(state))
  }

  #indexOf(state: string): number {
    const index = this.#states.indexOf(state)
    return index >= 0 ? index : this.#states.push(state) - 1
  }
}
