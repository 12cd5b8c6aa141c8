import type {TransactionFacts} from '../../traits.js'
import type {HandlerRule} from './handlers.js'

/** What a handler reads of the notification itself once the transaction is found. */
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

/** What the payment provider answered. */
export interface ProviderFacts {
  readonly captures?: readonly {readonly amount: string; readonly final: boolean}[]
  /** The provider's word for a sale: `completed`, `partially_refunded`, `refunded`, … */
  readonly saleState?: string
}

/** The member that the shop reads without checking that it is there: it then answers 500. */
export type MissingMember = 'finalCapture' | 'sellerPayableBreakdown' | 'totalRefundedAmount' | 'value'

/** The state machine actions a notification sets off, in turn; none is a success that changes nothing. */
export type Effect =
  | {readonly kind: 'actions'; readonly actions: readonly string[]}
  | {readonly kind: 'missing'; readonly member: MissingMember}

const NOTHING: Effect = {kind: 'actions', actions: []}

/**
 * What a notification does to the transaction it names. Whether the actions are legal is the state machine's to say.
 *
 * @param provider only what the handler asks for; see `WebhookHandler.asks`
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

/** All that the order costs, or all that was captured of it once nothing more will be. */
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
 * An amount as the provider writes it, so that two of them compare as text.
 *
 * @returns two decimals, or none where the provider's currency has none
 */
export function formatAmount(amount: number, currency: string | undefined): string {
  const digits = WITHOUT_DECIMALS.has(currency ?? '') ? 0 : 2
  // A sum of doubles may end in …4999: rounding a hair above keeps half a cent what it is on paper.
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
