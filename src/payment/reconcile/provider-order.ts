import {parseCustomId} from '../../providers/traits.js'
import {parseUnits} from '../drift/money.js'
import type {MovementStatus, ProviderMovement, ProviderPayment} from '../drift/payment-facts.js'
import {type ProviderApi, parseObject, type WireAmount} from './provider-api.js'

interface WireMovement {
  readonly id?: string
  readonly status?: string
  readonly amount?: WireAmount
  readonly final_capture?: boolean
  readonly custom_id?: string
  readonly create_time?: string
  readonly links?: readonly {readonly rel?: string; readonly href?: string}[]
}

interface PurchaseUnit {
  readonly custom_id?: string
  readonly invoice_id?: string
  readonly payments?: Readonly<Record<'captures' | 'refunds' | 'authorizations', readonly WireMovement[]>>
}

/**
 * What the provider has of one order at this moment.
 *
 * @returns `undefined` where it knows no such order
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see the provider's orders, version 2
 */
export async function fetchProviderOrder(
  orderId: string,
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<ProviderPayment | undefined> {
  const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}`
  const answer = await provider.patient.call({
    method: 'GET',
    path,
    headers: {accept: 'application/json'},
    ...(signal && {signal}),
  })
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw provider.refusal(answer, 'an order')
  const {status, purchase_units: units} = parseObject(answer)
  const movements = (Array.isArray(units) ? units : []).flatMap(unit => readUnit(unit ?? {}, orderId))
  return {movements, voidedOrderIds: status === 'VOIDED' ? [orderId] : []}
}

/** What the provider has of all orders of one payment; of one that it does not know, nothing. */
export async function fetchProviderPayment(
  orderIds: readonly string[],
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<ProviderPayment> {
  const movements: ProviderMovement[] = []
  const voidedOrderIds: string[] = []
  for (const orderId of orderIds) {
    const found = await fetchProviderOrder(orderId, provider, signal)
    movements.push(...(found?.movements ?? []))
    voidedOrderIds.push(...(found?.voidedOrderIds ?? []))
  }
  return {movements, voidedOrderIds}
}

function readUnit(unit: PurchaseUnit, orderId: string): ProviderMovement[] {
  const {captures = [], refunds = [], authorizations = []} = unit.payments ?? {}
  const read = (kind: ProviderMovement['kind']) => (wire: WireMovement) =>
    readMovement(kind, wire, unit, orderId)
  return [
    ...authorizations.flatMap(read('authorization')),
    ...captures.flatMap(read('capture')),
    ...refunds.flatMap(read('refund')),
  ]
}

const STATUSES: Readonly<Record<string, MovementStatus>> = {
  ...{COMPLETED: 'done', REFUNDED: 'done', PARTIALLY_REFUNDED: 'done', CREATED: 'done', CAPTURED: 'done'},
  ...{PARTIALLY_CAPTURED: 'done', PENDING: 'pending', DECLINED: 'declined', DENIED: 'declined'},
  ...{FAILED: 'declined', VOIDED: 'declined', EXPIRED: 'declined'},
}

function readMovement(
  kind: ProviderMovement['kind'],
  {id, status, amount, final_capture, custom_id, create_time, links}: WireMovement,
  unit: PurchaseUnit,
  orderId: string,
): ProviderMovement[] {
  const currency = amount?.currency_code
  const known = STATUSES[status ?? '']
  if (!id || !currency || !known) return []
  const units = parseUnits(amount.value ?? '', currency)
  if (units === undefined) return []
  const key = parseCustomId(custom_id ?? unit.custom_id)
  const up = links?.find(({rel}) => rel === 'up')?.href
  return [
    {
      ...{id, kind, status: known, units: Math.abs(units), currency, orderId},
      at: new Date(create_time ?? 0),
      transactionId: key.by === 'id' ? key.id : null,
      invoiceId: unit.invoice_id ?? null,
      captureId: kind === 'refund' ? (up?.split('/').at(-1) ?? null) : null,
      ...(kind === 'capture' && final_capture !== undefined ? {isFinal: final_capture} : {}),
    },
  ]
}
