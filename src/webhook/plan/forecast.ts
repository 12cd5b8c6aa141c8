import {HashTable} from '../../runs/pool/hash-table.js'
import {deriveEffect, type TransactionFacts} from '../../wire/notification/handler-effects.js'
import {findHandler, type WebhookHandler} from '../../wire/notification/handlers.js'
import {applyActions, STATE_MACHINES} from '../../wire/state-machines.js'
import type {InboxEvent} from '../event/event.js'
import {MISSING_WORDS, type Traits} from '../event/event-traits.js'

/** What sending an event would do to its transaction as that is now. */
export type Forecast =
  | {readonly kind: 'moves'; readonly to: string}
  /** `actsAgain`: it does something each time it arrives, in its target state too. */
  | {readonly kind: 'stays'; readonly actsAgain: boolean}
  | {readonly kind: 'refused'; readonly why: string}
  | {readonly kind: 'backwards'; readonly to: string; readonly why: string}
  | {readonly kind: 'faulty'; readonly why: string}

/** How far the money has come. A state that is not here says nothing about it. */
const MONEY: Readonly<Record<string, number>> = {
  authorized: 1,
  paid_partially: 2,
  paid: 3,
  chargeback: 4,
  refunded_partially: 4,
  refunded: 5,
}

/**
 * What the shop would make of an event, by its state table. What only the provider knows is taken the way that
 * changes most.
 *
 * @see protocol.md §4.4, §4.5
 */
export function forecast(handler: WebhookHandler, traits: Traits, transaction: TransactionFacts): Forecast {
  const effect = deriveEffect(handler.rule, selectMembers(traits), transaction)
  if (effect.kind === 'missing') {
    return {
      kind: 'faulty',
      why: `the body has no ${MISSING_WORDS[effect.member]}, which the shop cannot do without`,
    }
  }
  const {state} = transaction
  const result = applyActions(STATE_MACHINES.order_transaction, state, effect.actions)
  if (result.kind === 'refused') {
    return {
      kind: 'refused',
      why: `the transaction is ${state}, from where "${result.action}" is not possible`,
    }
  }
  if (result.state === state) return {kind: 'stays', actsAgain: isRepeatable(handler, traits, transaction)}
  if (isBackwards(state, result.state)) {
    return {
      kind: 'backwards',
      to: result.state,
      why: `it would set a ${state} transaction back to ${result.state}`,
    }
  }
  return {kind: 'moves', to: result.state}
}

/**
 * Whether an event stands for something of its own although its transaction is in its target state: one of several
 * partial refunds or captures, what only the provider knows, or an effect that no state shows.
 */
function isRepeatable({rule}: WebhookHandler, traits: Traits, transaction: TransactionFacts): boolean {
  if (rule === 'cancel' || rule === 'sale-paid') return false
  if (rule === 'capture') return transaction.payUponInvoice || traits.finalCapture !== true
  if (rule !== 'refund') return true
  const effect = deriveEffect(rule, selectMembers(traits), {...transaction, state: 'paid'})
  return effect.kind === 'missing' || effect.actions.includes('refund_partially')
}

/** Whether money that has moved would be made unmoved: back to an earlier state, or cancelled once it was taken. */
function isBackwards(from: string, to: string): boolean {
  const money = MONEY[from] ?? 0
  if (to === 'cancelled') return money >= 2
  return (MONEY[to] ?? 0) < money
}

/**
 * Whether an event that was sent was applied. Only a change to the state that the event leads to proves it: a state that
 * was there before proves nothing.
 *
 * @param now its transaction
 * @param before the transaction's state before it was sent; `undefined` where none was stored
 */
export function findApplied(
  {type, traits}: Pick<InboxEvent, 'type' | 'traits'>,
  now: TransactionFacts,
  before: string | undefined,
): 'applied' | 'not-applied' | 'cannot-tell' {
  const handler = findHandler(type)
  if (!handler) return 'not-applied'
  // An invoice's capture only fetches where to pay to, which no state shows.
  if (now.payUponInvoice && handler.rule === 'capture') return 'cannot-tell'
  const expected = forecast(handler, traits, now)
  if (expected.kind === 'moves' || expected.kind === 'faulty') return 'not-applied'
  if (expected.kind === 'backwards' && before === now.state) return 'not-applied'
  return expected.kind === 'stays' && before !== undefined && before !== now.state ? 'applied' : 'cannot-tell'
}

function selectMembers({finalCapture, refunded}: Traits) {
  if (refunded === undefined) return {finalCapture}
  const totalRefunded = refunded === null ? undefined : {value: refunded.value, currency: refunded.currency}
  return {finalCapture, breakdown: {totalRefunded}}
}

/**
 * The states that a plan leads transactions to, by what names them. Two names that match by chance do no harm: the state
 * is looked at again before anything is sent.
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
