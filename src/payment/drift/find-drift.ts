import type {Drift, DriftKind, ProviderSums} from './drift.js'
import {formatMoney} from './money.js'
import type {
  PaymentFacts,
  ProviderMovement,
  ProviderPayment,
  ShopPayment,
  ShopTransaction,
} from './payment-facts.js'
import {sumMovements} from './sum-movements.js'

export interface DriftRules {
  readonly now: Date
  /** Money that the provider holds back for less than this is no drift, milliseconds. */
  readonly pendingAfterMs: number
  /** An authorization that ends within this is drift, milliseconds. */
  readonly expiringWithinMs?: number | undefined
  /** Money that is kept for longer than this after the order ended is drift, milliseconds. */
  readonly owedAfterMs?: number | undefined
}

const DAY_MS = 24 * 3_600_000

/** The defaults of flags. */
const USUAL_MS = 3 * DAY_MS

/** How long an authorization lasts; renewal does not extend it. @see provider.md §5 */
export const AUTHORIZED_MS = 29 * DAY_MS

/** States in which the shop still waits for the money. */
const WAITING: ReadonlySet<string> = new Set(['open', 'unconfirmed', 'in_progress', 'authorized', 'reminded'])

/** States in which the shop has the money, or had it. */
const HAS_MONEY: ReadonlySet<string> = new Set(['paid', 'paid_partially', 'refunded', 'refunded_partially'])

/**
 * How shop and provider differ on one payment; the first of the kinds that apply.
 *
 * All attempts to pay an order are considered together, and only the last one is live: earlier ones matter if the money
 * is theirs. `unclear` comes first, then `disputed`.
 *
 * @returns `undefined` if they agree
 */
export function findDrift({shop, provider}: PaymentFacts, rules: DriftRules): Drift | undefined {
  const sums = sumMovements(provider.movements)
  const subject = shop && chooseSubject(shop, provider.movements)
  const doubt = describeDoubt(sums, shop, provider)
  if (doubt !== undefined) return {kind: 'unclear', transaction: subject, expected: undefined, detail: doubt}
  if (!shop || !subject) return findUnknownInShop(sums, provider.movements)
  const disputed = findDispute(subject, sums, provider)
  if (disputed) return disputed
  const held = findPending(sums, subject, rules)
  if (sums.captured === 0) {
    const missed = findWithoutCapture(shop, subject, sums, isVoided(subject, provider.voidedOrderIds))
    return held ?? missed ?? findExpiring(shop, subject, sums, rules)
  }
  const missed = findExcess(shop, subject, sums) ?? findMissed(shop, subject, sums)
  return missed ?? held ?? findExpiring(shop, subject, sums, rules) ?? findOwed(shop, subject, sums, rules)
}

/** Why it is unclear whether they agree; `undefined` if it is clear. */
function describeDoubt(
  {captured, refunded}: ProviderSums,
  shop: ShopPayment | undefined,
  {doubts = []}: ProviderPayment,
): string | undefined {
  const isExact = Number.isSafeInteger(captured) && Number.isSafeInteger(refunded)
  return (
    shop?.doubt ??
    doubts[0] ??
    (isExact ? undefined : 'provider: the movements come to more than can be added exactly')
  )
}

/** A dispute is for a person at the provider; a shop whose payment is disputed already shows it. */
function findDispute(
  transaction: ShopTransaction,
  {isDisputed}: ProviderSums,
  {dispute}: ProviderPayment,
): Drift | undefined {
  if ((!isDisputed && !dispute) || transaction.state === 'chargeback') return undefined
  const named = dispute ? ` ${dispute.id} (${dispute.state})` : ''
  const due = dispute?.dueAt ? `, an answer is due by ${formatMinute(dispute.dueAt)}` : ''
  const detail = `provider: in dispute${named}${due}; shop: ${transaction.state}`
  return {kind: 'disputed', transaction, expected: undefined, detail}
}

/** The live attempt, or an earlier one if only that has the money. */
function chooseSubject(
  {live, earlier}: ShopPayment,
  movements: readonly ProviderMovement[],
): ShopTransaction {
  const isOf = ({id, providerOrderId}: ShopTransaction, movement: ProviderMovement) =>
    movement.transactionId === id || (movement.orderId !== null && movement.orderId === providerOrderId)
  const hasCapture = (transaction: ShopTransaction) =>
    movements.some(each => each.kind === 'capture' && each.status === 'done' && isOf(transaction, each))
  if (hasCapture(live)) return live
  return earlier.find(hasCapture) ?? live
}

function isVoided({providerOrderId}: ShopTransaction, voided: readonly string[]): boolean {
  return providerOrderId !== null && voided.includes(providerOrderId)
}

/** Money that was fully returned needs no action. */
function findUnknownInShop(
  {captured, refunded, captures}: ProviderSums,
  movements: readonly ProviderMovement[],
): Drift | undefined {
  if (captured <= refunded) return undefined
  const currency = captures[0]?.currency ?? ''
  const {invoiceId = null} = movements.find(each => each.invoiceId !== null) ?? {}
  const named = invoiceId === null ? '' : ` for ${invoiceId}`
  const detail = `provider: ${formatMoney(captured - refunded, currency)} captured${named}; shop: no such payment`
  return {kind: 'unknown-in-shop', transaction: undefined, expected: undefined, detail}
}

function findPending(
  {pending}: ProviderSums,
  transaction: ShopTransaction,
  {now, pendingAfterMs}: DriftRules,
): Drift | undefined {
  const held = pending.find(({at}) => now.getTime() - at.getTime() > pendingAfterMs)
  if (!held) return undefined
  const detail = `provider: ${formatMoney(held.units, held.currency)} held back since ${formatMinute(held.at)}; shop: ${transaction.state}`
  return {kind: 'pending', transaction, expected: undefined, detail}
}

/** A sale that still waits for money, and cannot get it once the first authorization ends: a renewal adds no time. */
function findExpiring(
  shop: ShopPayment,
  transaction: ShopTransaction,
  {authorizations, captures, pending}: ProviderSums,
  {now, expiringWithinMs = USUAL_MS}: DriftRules,
): Drift | undefined {
  const {id, state, providerOrderId} = transaction
  const isWaiting =
    WAITING.has(state) || (state === 'paid_partially' && captures.every(each => !each.isFinal))
  if (!isWaiting || shop.ending || pending.length > 0) return undefined
  const endsMs = authorizations
    .filter(each => each.transactionId === id || (each.orderId ?? '') === providerOrderId)
    .map(({at, expiresAt}) => expiresAt?.getTime() ?? at.getTime() + AUTHORIZED_MS)
  const endMs = Math.min(...endsMs)
  if (endMs - now.getTime() > expiringWithinMs) return undefined
  const end = `${endMs < now.getTime() ? 'ended' : 'ends'} ${formatMinute(new Date(endMs))}`
  const due = formatMoney(shop.units, shop.currency)
  const detail = `provider: the authorization ${end}; shop: ${state}, ${due}`
  return {kind: 'authorization-expiring', transaction, expected: undefined, detail}
}

/** Money of an order that ended without a sale. Money taken back by a chargeback is not kept. */
function findOwed(
  {ending, currency}: ShopPayment,
  transaction: ShopTransaction,
  {captured, refunded, captures}: ProviderSums,
  {now, owedAfterMs = USUAL_MS}: DriftRules,
): Drift | undefined {
  if (!ending || captured <= refunded || transaction.state === 'chargeback') return undefined
  const sinceMs = Math.max(ending.at.getTime(), ...captures.map(({at}) => at.getTime()))
  if (now.getTime() - sinceMs <= owedAfterMs) return undefined
  const kept = `${formatMoney(captured - refunded, currency)} kept since ${formatMinute(new Date(sinceMs))}`
  const detail = `provider: ${kept}; shop: the order is ${ending.how}`
  return {kind: 'refund-owed', transaction, expected: undefined, detail}
}

/** `2026-11-20T12:00Z` */
function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16)}Z`
}

function findWithoutCapture(
  shop: ShopPayment,
  transaction: ShopTransaction,
  {pending, hasDeclined, authorizations}: ProviderSums,
  isCancelled: boolean,
): Drift | undefined {
  const {state, providerOrderId} = transaction
  if (pending.length > 0) return undefined
  const isEnded = (hasDeclined && authorizations.length === 0) || isCancelled
  if (HAS_MONEY.has(state)) {
    // Nothing links it to the provider, so it was paid in another way, or there was nothing to pay.
    if (providerOrderId === null || shop.units === 0) return undefined
    const detail = `shop: ${state}, ${formatMoney(shop.units, shop.currency)}; provider: nothing captured`
    return {kind: 'unknown-at-provider', transaction, expected: isEnded ? 'cancelled' : 'open', detail}
  }
  if (!isEnded || !WAITING.has(state)) return undefined
  const detail = `provider: ${hasDeclined ? 'declined' : 'cancelled'}; shop: ${state}`
  return {kind: 'cancelled-at-provider', transaction, expected: 'cancelled', detail}
}

/** More than the amount due, or another currency: the shop has no state for this. */
function findExcess(shop: ShopPayment, transaction: ShopTransaction, sums: ProviderSums): Drift | undefined {
  const {captures, kept, currencies} = sums
  const build = (kind: DriftKind, detail: string): Drift => ({kind, transaction, expected: undefined, detail})
  const other = [...currencies].find(currency => currency !== shop.currency)
  const due = formatMoney(shop.units, shop.currency)
  if (other !== undefined) return build('amount-differs', `provider: captured in ${other}; shop: ${due}`)
  const total = kept.reduce((sum, units) => sum + units, 0)
  if (total <= shop.units) return undefined
  const money = formatMoney(total, shop.currency)
  const isTwice = kept.length > 1 && total - Math.min(...kept) >= shop.units
  return isTwice
    ? build('captured-twice', `provider: ${captures.length} captures, ${money} in all; shop: ${due}`)
    : build('amount-differs', `provider: ${money} captured; shop: ${due}`)
}

/** A capture or a refund that the shop has missed. */
function findMissed(shop: ShopPayment, transaction: ShopTransaction, sums: ProviderSums): Drift | undefined {
  const {state} = transaction
  const expected = deriveExpectedState(shop, sums)
  if (state === 'chargeback') return undefined
  const kind = MISSED[expected ?? 'short'][classifyState(state)]
  if (kind === undefined) return undefined
  // A shop that missed the capture cannot apply its refund.
  const next = kind === 'capture-missed' ? 'paid' : kind === 'amount-differs' ? undefined : expected
  const due = formatMoney(shop.units, shop.currency)
  return {kind, transaction, expected: next, detail: `${describeMoney(sums, shop)}; shop: ${state}, ${due}`}
}

type Expected = 'paid' | 'paid_partially' | 'refunded' | 'refunded_partially'

/** The state that matches the provider's side; `undefined` for a final capture of less than the amount due. */
function deriveExpectedState({units}: ShopPayment, sums: ProviderSums): Expected | undefined {
  const {captured, refunded, captures} = sums
  const left = captured - refunded
  if (left <= 0) return 'refunded'
  if (left >= units) return 'paid'
  if (refunded > 0) return 'refunded_partially'
  return captures.some(({isFinal}) => isFinal === true) ? undefined : 'paid_partially'
}

/** Cancelled and failed payments no longer wait. */
type StateClass = Expected | 'waiting' | 'given-up'

function classifyState(state: string): StateClass {
  if (WAITING.has(state)) return 'waiting'
  return HAS_MONEY.has(state) ? (state as Expected) : 'given-up'
}

/** The kind, by the state that the provider's side requires and the shop's state; none if they agree. */
const MISSED: Readonly<Record<Expected | 'short', Readonly<Partial<Record<StateClass, DriftKind>>>>> = {
  paid: {
    ...{waiting: 'capture-missed', paid_partially: 'capture-missed', 'given-up': 'cancelled-late'},
    ...{refunded: 'amount-differs', refunded_partially: 'amount-differs'},
  },
  paid_partially: {
    ...{waiting: 'partial-missed', 'given-up': 'cancelled-late', paid: 'amount-differs'},
    ...{refunded: 'amount-differs', refunded_partially: 'amount-differs'},
  },
  refunded: {
    ...{waiting: 'refund-missed', paid: 'refund-missed', paid_partially: 'refund-missed'},
    refunded_partially: 'refund-missed',
  },
  refunded_partially: {
    ...{waiting: 'capture-missed', 'given-up': 'cancelled-late', refunded: 'amount-differs'},
    ...{paid: 'partial-missed', paid_partially: 'partial-missed'},
  },
  short: {
    ...{waiting: 'amount-differs', 'given-up': 'cancelled-late', paid: 'amount-differs'},
    ...{paid_partially: 'amount-differs', refunded: 'amount-differs', refunded_partially: 'amount-differs'},
  },
}

function describeMoney({captured, refunded}: ProviderSums, {currency}: ShopPayment): string {
  const taken = `provider: ${formatMoney(captured, currency)} captured`
  return refunded > 0 ? `${taken}, ${formatMoney(refunded, currency)} refunded` : taken
}
