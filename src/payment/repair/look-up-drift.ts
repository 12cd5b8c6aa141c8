import {findDrift} from '../drift/find-drift.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import {lookUpProvider} from '../reconcile/look-up-provider.js'
import type {ProviderApi} from '../reconcile/provider-api.js'
import {findPaymentsById} from '../reconcile/shop-payments.js'
import type {PaymentShop} from '../search-rows.js'

export interface LookUpDeps {
  readonly shop: PaymentShop
  readonly provider: ProviderApi
  readonly now: Date
  /** Money that the provider holds back for less than this is no drift, milliseconds. */
  readonly pendingAfterMs: number
}

/** A payment as both sides have it at this moment. */
export interface LookedUpDrift {
  /** `undefined` if they agree. */
  readonly found: FoundDrift | undefined
  /** Whether an order was requested from the provider, and whether it has one: else its present side is unknown. */
  readonly isAsked: boolean
  readonly isKnown: boolean
}

/** Kinds that depend on time are for a person: both sides agree, and a run has nothing to repair. */
const NOT_REPAIRED = {expiringWithinMs: Number.NEGATIVE_INFINITY, owedAfterMs: Number.POSITIVE_INFINITY}

/**
 * How one payment differs at this moment, looked up on both sides. No signal aborts it: a run finishes what it began.
 *
 * @param planned id of any of its attempts, and its known orders at the provider besides those of the shop
 * @returns `undefined` if the shop has no such transaction
 * @throws StorectlError as the clients of both sides do
 */
export async function lookUpPayment(
  {transaction, orderIds}: {readonly transaction: string; readonly orderIds: readonly string[]},
  {shop, provider, now, pendingAfterMs}: LookUpDeps,
): Promise<LookedUpDrift | undefined> {
  const [payment] = await findPaymentsById([transaction], shop)
  if (!payment) return undefined
  const {there, asked, isKnown} = await lookUpProvider({payment, orderIds, asksDisputes: true}, provider)
  const facts = {shop: payment, provider: there}
  const drift = findDrift(facts, {now, pendingAfterMs, ...NOT_REPAIRED})
  return {found: drift && {facts, drift}, isAsked: asked > 0, isKnown}
}
