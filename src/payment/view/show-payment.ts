import type {PaymentRecord, StateMove} from '../../contract/payment-rows.js'
import {StorectlError} from '../../errors.js'
import type {View} from '../../output/view.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {findDrift} from '../drift/find-drift.js'
import {formatMoney, toMoney} from '../drift/money.js'
import type {
  PaymentFacts,
  ProviderMovement,
  ProviderPayment,
  ShopPayment,
  ShopTransaction,
} from '../drift/payment-facts.js'
import {lookUpProvider} from '../reconcile/look-up-provider.js'
import {listKeys} from '../reconcile/movement-index.js'
import type {ProviderApi} from '../reconcile/provider-api.js'
import {findPaymentsById, findPaymentsByProviderOrder} from '../reconcile/shop-payments.js'
import {type PaymentShop, searchRows} from '../search-rows.js'
import {fetchHistory} from './payment-history.js'
import {toPaymentRow} from './payment-row.js'

/** How one payment is shown: both sides, its events and its history. */
export const PAYMENT: View = {
  inWords: ['attemptLines', 'movementLines', 'eventLines', 'historyLines'],
  noun: ['payment', 'payments'],
  id: 'transaction',
  columns: [
    {path: 'difference'},
    {path: 'detail'},
    {path: 'transaction'},
    {path: 'orderNumber', label: 'Order'},
    {path: 'state'},
    {path: 'orderState'},
    {path: 'amount', kind: 'money'},
    {path: 'createdAt', kind: 'time'},
    {path: 'providerOrder'},
    {path: 'attemptLines', label: 'Earlier attempts'},
    {path: 'movementLines', label: 'Provider'},
    {path: 'eventLines', label: 'Events'},
    {path: 'historyLines', label: 'History'},
    {path: 'note'},
  ],
}

export interface ShowPaymentDeps {
  readonly shop: PaymentShop
  /** @throws StorectlError `auth.no_provider_credentials` */
  readonly openProvider: () => Promise<ProviderApi>
  readonly inbox: Pick<Inbox, 'find' | 'findPaymentEvents'>
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly now: Date
  readonly pendingAfterMs: number
  readonly signal: AbortSignal
}

/**
 * Everything that is known about one payment.
 *
 * @param word id of a transaction or of a provider's order, or an order number
 * @throws StorectlError `empty.no_payment`, and as the client of the shop does
 */
export async function showPayment(word: string, deps: ShowPaymentDeps): Promise<PaymentRecord> {
  const {shop, signal, now, pendingAfterMs} = deps
  const payment = await findPayment(word, deps)
  if (!payment) throw new StorectlError('empty.no_payment', `The shop has no payment ${word}.`)
  const {transactionIds} = listKeys([payment])
  const [provider, events, history] = await Promise.all([
    askProvider(payment, deps),
    listEvents(transactionIds, deps),
    fetchHistory(transactionIds, shop, signal),
  ])
  const facts: PaymentFacts | undefined = 'unknown' in provider ? undefined : {shop: payment, provider}
  const drift = facts && findDrift(facts, {now, pendingAfterMs})
  return {
    difference: facts ? (drift?.kind ?? 'none') : null,
    detail: drift?.detail ?? null,
    expected: drift?.expected ?? null,
    ...toPaymentRow(payment),
    ...listAttempts(payment.earlier),
    ...listMovements(facts?.provider.movements ?? []),
    ...listEventColumns(events),
    ...listMoves(history),
    note: 'unknown' in provider ? provider.unknown : null,
  }
}

const ID = /^[0-9a-f]{32}$/i

async function findPayment(word: string, {shop, signal}: ShowPaymentDeps): Promise<ShopPayment | undefined> {
  if (ID.test(word)) {
    const [found] = await findPaymentsById([word.toLowerCase()], shop, signal)
    if (found) return found
  }
  const criteria = {filter: [{type: 'equals', field: 'order.orderNumber', value: word}], limit: 1}
  const [row] = await searchRows<{id: string}>('order-transaction', shop, signal, criteria)
  const [found] = await (row
    ? findPaymentsById([row.id], shop, signal)
    : findPaymentsByProviderOrder([word], shop, signal))
  return found
}

/** A page without the provider's side is better than none. */
async function askProvider(
  payment: ShopPayment,
  {openProvider, signal}: ShowPaymentDeps,
): Promise<ProviderPayment | {readonly unknown: string}> {
  try {
    return (await lookUpProvider({payment, asksDisputes: true}, await openProvider(), signal)).there
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    return {unknown: `The provider was not asked: ${error.message}`}
  }
}

async function listEvents(
  transactionIds: readonly string[],
  {inbox, target}: ShowPaymentDeps,
): Promise<InboxEvent[]> {
  const names = transactionIds.map(id => `id:${id}`)
  const found = await inbox.findPaymentEvents(target, names)
  const ids = [...found.values()].flat().map(({id}) => id)
  const events = [...(await inbox.find(target, ids)).values()]
  return events.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
}

/** Lines for people, beside the values for programs. */
function listAttempts(earlier: readonly ShopTransaction[]) {
  const attemptLines = Object.fromEntries(earlier.map(({id, state}) => [id, state]))
  const rows = earlier.map(({createdAt, ...each}) => ({...each, createdAt: createdAt.toISOString()}))
  return {earlier: rows, attemptLines}
}

function listMovements(all: readonly ProviderMovement[]) {
  const lines = all.map(({id, kind, status, units, currency, at}) => [
    id,
    `${kind} ${status === 'done' ? '' : `${status} `}${formatMoney(units, currency)}, ${at.toISOString()}`,
  ])
  const movements = all.map(({units, currency, at, expiresAt, ...each}) => ({
    ...{...each, at: at.toISOString(), ...(expiresAt && {expiresAt: expiresAt.toISOString()})},
    amount: toMoney(units, currency),
  }))
  return {movements, movementLines: Object.fromEntries(lines)}
}

function listEventColumns(events: readonly InboxEvent[]) {
  const rows = events.map(({id, type, status, createdAt}) => {
    return {id, type, status, createdAt: createdAt.toISOString()}
  })
  const lines = rows.map(({id, type, status, createdAt}) => [id, `${type} ${status}, ${createdAt}`])
  return {events: rows, eventLines: Object.fromEntries(lines)}
}

function listMoves(history: readonly StateMove[]) {
  const lines = history.map(({at, from, to, action}) => [
    at,
    `${from} → ${to}${action ? ` (${action})` : ''}`,
  ])
  return {history, historyLines: Object.fromEntries(lines)}
}
