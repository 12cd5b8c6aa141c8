import {formatMoney} from '../drift/money.js'
import type {ProviderMovement, ProviderPayment, ShopPayment} from '../drift/payment-facts.js'
import {listKeys} from './movement-index.js'
import {type ProviderApi, parseObject} from './provider-api.js'
import {fetchDispute} from './provider-disputes.js'
import {
  type AskedOrder,
  fetchProviderOrders,
  joinOrders,
  listAskedOrders,
  type OrderAnswer,
} from './provider-order.js'

/** A payment to look up at the provider. */
export interface ProviderLookup {
  readonly payment: ShopPayment
  /** Its movements in the report. */
  readonly reported?: readonly ProviderMovement[]
  /** Orders of the provider besides those that the shop names. */
  readonly orderIds?: readonly string[]
  /** Whether disputes are looked up if the report has none. */
  readonly asksDisputes?: boolean
}

/** The provider's side of a payment. */
export interface LookedUpPayment {
  readonly there: ProviderPayment
  /** How many of its orders were requested. */
  readonly asked: number
  /** Whether the provider has any of them: without one, its present side is unknown. */
  readonly isKnown: boolean
}

/**
 * The provider's present side of a payment. Its orders replace the report, which has rows of holds and fees, and lags.
 *
 * @throws StorectlError as `HttpClient` and `refusal` do
 */
export async function lookUpProvider(
  {payment, reported = [], orderIds = [], asksDisputes = false}: ProviderLookup,
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<LookedUpPayment> {
  const {transactionIds} = listKeys([payment])
  const orders = listAskedOrders(payment)
  const found: OrderAnswer[] = []
  const ask = async (more: readonly string[]) => {
    const known = new Set(orders.map(({orderId}) => orderId))
    const added = [...new Set(more)].filter(id => !known.has(id)).map(orderId => ({orderId, transactionIds}))
    orders.push(...added)
    found.push(...(await fetchProviderOrders(added, provider, signal)))
  }
  found.push(...(await fetchProviderOrders(orders, provider, signal)))
  await ask([...orderIds, ...reported.flatMap(({orderId}) => orderId ?? [])])
  const ofCaptures: string[] = []
  for (const {kind, id, orderId} of listUnexplained(reported, orders, found)) {
    const other =
      kind === 'capture' && orderId === null ? await findOrderOfCapture(id, provider, signal) : null
    if (other !== null) ofCaptures.push(other)
  }
  await ask(ofCaptures)
  const now = joinWithReport(reported, orders, found)
  const there = await addDispute(now, {asksDisputes, provider, signal})
  return {there, asked: orders.length, isKnown: found.some(each => each.isKnown)}
}

/** Money in the report that no requested order has. */
function listUnexplained(
  reported: readonly ProviderMovement[],
  orders: readonly AskedOrder[],
  found: readonly OrderAnswer[],
): ProviderMovement[] {
  const known = new Set(orders.filter((_, at) => found[at]?.isKnown).map(({orderId}) => orderId))
  const ids = new Set(found.flatMap(({movements}) => movements.map(({id}) => id)))
  const isExplained = ({id, orderId, captureId}: ProviderMovement) =>
    ids.has(id) || ids.has(captureId ?? '') || known.has(orderId ?? '')
  return reported.filter(each => each.kind !== 'dispute' && !isExplained(each))
}

function joinWithReport(
  reported: readonly ProviderMovement[],
  orders: readonly AskedOrder[],
  found: readonly OrderAnswer[],
): ProviderPayment {
  const now = joinOrders(found)
  const left = listUnexplained(reported, orders, found)
  const disputes = reported.filter(({kind}) => kind === 'dispute')
  const isKnown = found.some(each => each.isKnown)
  // Money without an order to request stays as reported.
  const isKept = ({orderId}: ProviderMovement) => !isKnown || orderId !== null
  const odd = left.filter(each => (each.kind === 'other' ? !isKnown : !isKept(each) && isMoney(each)))
  return {
    movements: [...now.movements, ...left.filter(each => each.kind !== 'other' && isKept(each)), ...disputes],
    voidedOrderIds: now.voidedOrderIds,
    doubts: [...(now.doubts ?? []), ...odd.map(describeUnexplained)],
  }
}

function isMoney({kind, status}: ProviderMovement): boolean {
  return (kind === 'capture' || kind === 'refund') && status === 'done'
}

function describeUnexplained({kind, id, units, currency}: ProviderMovement): string {
  return kind === 'other'
    ? `provider: its report has a row ${id} that only its order explains, and no order could be asked`
    : `provider: its report has a ${kind} ${id} of ${formatMoney(units, currency)}, which no order of the payment has`
}

/** The provider's disputes replace the report's rows. */
async function addDispute(
  now: ProviderPayment,
  {
    asksDisputes,
    provider,
    signal,
  }: {asksDisputes: boolean; provider: ProviderApi; signal: AbortSignal | undefined},
): Promise<ProviderPayment> {
  const isReported = now.movements.some(({kind}) => kind === 'dispute')
  if (!isReported && !asksDisputes) return now
  const captures = now.movements.filter(({kind, status}) => kind === 'capture' && status === 'done')
  const ids = [...new Set(captures.map(({id}) => id))]
  const dispute = ids.length === 0 ? 'not-known' : await fetchDispute(ids, provider, signal)
  if (dispute === 'not-known') return now
  const movements = now.movements.filter(({kind}) => kind !== 'dispute')
  return {...now, movements, ...(dispute && {dispute})}
}

/** The order that a capture belongs to; `null` if the provider does not name it. */
async function findOrderOfCapture(
  id: string,
  provider: ProviderApi,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const path = `/v2/payments/captures/${encodeURIComponent(id)}`
  const headers = {accept: 'application/json'}
  const answer = await provider.patient.call({method: 'GET', path, headers, ...(signal && {signal})})
  if (answer.status === 404) return null
  if (answer.status !== 200) throw provider.refusal(answer, 'a capture')
  const capture = parseObject(answer)
  if (capture.id !== id) return null
  const {related_ids: related} = (capture.supplementary_data ?? {}) as {related_ids?: {order_id?: unknown}}
  return typeof related?.order_id === 'string' ? related.order_id : null
}
