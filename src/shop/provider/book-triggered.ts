import type {RuleDeps} from '../runtime/runtime.js'
import type {TriggeredPayment} from '../store/provider-events.js'
import {addMovement, findProviderOrder} from '../store/provider-payments.js'
import type {ProviderPaymentRow} from '../store/schema/schema.js'

/** Calls about real movements; the others are from a stranger, or for another shop. */
const HONEST = new Set(['valid', 'old-token'])

/** The movement for each event type, and the order's resulting state. */
const MOVES: Readonly<Record<string, readonly [kind: 'capture' | 'refund', outcome: string]>> = {
  'PAYMENT.CAPTURE.COMPLETED': ['capture', 'paid'],
  'PAYMENT.CAPTURE.REFUNDED': ['refund', 'refunded'],
  'PAYMENT.CAPTURE.REVERSED': ['refund', 'refunded'],
  'PAYMENT.SALE.COMPLETED': ['capture', 'paid'],
  'PAYMENT.SALE.REFUNDED': ['refund', 'refunded'],
}

/**
 * Records the movement of a genuine call, so that the provider's report agrees with it. An order that the provider
 * derives from the shop's payment needs none.
 */
export async function bookTriggered(
  {call, type}: {readonly call: string; readonly type: string},
  resource: {readonly id: string},
  {payment, at}: {readonly payment: TriggeredPayment; readonly at: string},
  {db}: Pick<RuleDeps, 'db'>,
): Promise<void> {
  const [kind, outcome] = MOVES[type] ?? []
  if (!kind || !outcome || !HONEST.has(call)) return
  const known = await findProviderOrder(db.reads, payment.providerOrderId)
  const isThere = (wanted: ProviderPaymentRow['kind']) => known?.payments.find(each => each.kind === wanted)
  const capture = isThere('capture')
  if (!known || isThere(kind) || (kind === 'refund' && !capture)) return
  const {amount, currency} = capture ?? known.order
  const movement = {
    ...{id: resource.id, order_id: known.order.id, kind, capture_id: capture?.id ?? null},
    ...{amount, currency, status: 'COMPLETED', final: kind === 'capture' ? 1 : 0, created_at: at},
  }
  await db.writes.run(write => addMovement(write, movement, outcome))
}
