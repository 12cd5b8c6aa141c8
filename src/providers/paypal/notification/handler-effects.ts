import type {TransactionFacts} from '../../traits.js'
import type {HandlerRule} from './handlers.js'

/** The members of the notification that a handler reads once it has found the transaction. */
export interface EffectMembers {
  /** `undefined`: the body does not say. */
  readonly finalCapture?: boolean | undefined
  /** `undefined`: the body has no breakdown. */
  readonly breakdown?: {readonly totalRefunded: AmountMembers | undefined} | undefined
}

export interface AmountMembers {
  /** Decimal string. */
  readonly value: string | undefined
  /** ISO 4217. */
  readonly currency: string | undefined
}

/** The payment provider's response. */
export interface ProviderFacts {
  readonly captures?: readonly {readonly amount: string; readonly final: boolean}[]
  /** The state of a sale at the provider: `completed`, `partially_refunded`, `refunded`, … */
  readonly saleState?: string
}

/** The member that the shop reads without checking that it exists; without it the shop responds 500. */
export type MissingMember = 'finalCapture' | 'sellerPayableBreakdown' | 'totalRefundedAmount' | 'value'

/** The state machine actions that a notification triggers, in order; with none it succeeds and changes nothing. */
export type Effect =
  | {readonly kind: 'actions'; readonly actions: readonly string[]}
  | {readonly kind: 'missing'; readonly member: MissingMember}

const NOTHING: Effect = {kind: 'actions', actions: []}

/**
 * What a notification does to its transaction. The state machine decides whether the actions are allowed.
 *
 * @param provider only what the handler requests; see `WebhookHandler.asks`
 * @see protocol.md §4.4
 */
export function deriveEffect(
  rule: HandlerRule,
  members: EffectMembers,
  transaction: TransactionFacts,
  provider: ProviderFacts = {},
): Effect {
  switch (rule) {
    case 'capture':
      return captureEffect(members, transaction)
    case 'cancel':
      return buildUnlessReached(transaction, 'cancelled', 'cancel')
    case 'refund':
      return deriveRefundEffect(members, transaction, provider)
    case 'sale-paid':
      return buildActions('paid')
    case 'sale-refund':
      return buildActions(provider.saleState === 'partially_refunded' ? 'refund_partially' : 'refund')
    default:
      return NOTHING
  }
}

function captureEffect({finalCapture}: EffectMembers, {state, payUponInvoice}: TransactionFacts): Effect {
  if (payUponInvoice) return NOTHING
  if (finalCapture === undefined) return {kind: 'missing', member: 'finalCapture'}
  const reopened = state === 'refunded' || state === 'refunded_partially' ? ['reopen'] : []
  if (!finalCapture) return state === 'paid_partially' ? NOTHING : buildActions(...reopened, 'paid_partially')
  if (state === 'paid') return NOTHING
  return buildActions(...reopened, ...(state === 'paid_partially' ? ['do_pay'] : []), 'paid')
}

function deriveRefundEffect(
  {breakdown}: EffectMembers,
  transaction: TransactionFacts,
  provider: ProviderFacts,
): Effect {
  if (transaction.state === 'refunded') return NOTHING
  if (breakdown === undefined) return {kind: 'missing', member: 'sellerPayableBreakdown'}
  const refunded = breakdown.totalRefunded
  if (refunded === undefined) return {kind: 'missing', member: 'totalRefundedAmount'}
  if (refunded.value === undefined) return {kind: 'missing', member: 'value'}
  const isWhole = isEverything(refunded.value, refunded.currency, transaction, provider)
  return isWhole
    ? buildActions('refund')
    : buildUnlessReached(transaction, 'refunded_partially', 'refund_partially')
}

/** Whether the refund is the order's total, or the sum of the captures where one of them is final. */
function isEverything(
  value: string,
  currency: string | undefined,
  {amountTotal}: TransactionFacts,
  {captures = []}: ProviderFacts,
): boolean {
  const refunded = formatAmount(Number(value), currency)
  if (refunded === formatAmount(amountTotal, currency)) return true
  const captured = captures.reduce((sum, capture) => sum + Number(capture.amount), 0)
  return captures.some(capture => capture.final) && refunded === formatAmount(captured, currency)
}

/** The provider takes no decimals in these currencies. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD'])

/**
 * Formats an amount as the provider does, so that two amounts can be compared as text.
 *
 * @returns two decimals, or none where the provider's currency has none
 */
export function formatAmount(amount: number, currency: string | undefined): string {
  const digits = WITHOUT_DECIMALS.has(currency ?? '') ? 0 : 2
  // A sum of doubles may end in …4999: rounding slightly up keeps half a cent correct.
  return (Math.round((amount + Number.EPSILON * Math.abs(amount)) * 10 ** digits) / 10 ** digits).toFixed(
    digits,
  )
}

function buildActions(...names: string[]): Effect {
  return {kind: 'actions', actions: names}
}

function buildUnlessReached({state}: TransactionFacts, reached: string, action: string): Effect {
  return state === reached ? NOTHING : buildActions(action)
}
