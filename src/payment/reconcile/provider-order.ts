import type {Money} from '../../language/amount-totals.js'
import {parseCustomId} from '../../providers/traits.js'
import {formatMoney, toMoney} from '../drift/money.js'
import type {MovementStatus, ProviderMovement, ProviderPayment, ShopPayment} from '../drift/payment-facts.js'
import {type ProviderApi, parseObject, readAmount} from './provider-api.js'

/** A requested order, and what its answer must name to count. */
export interface AskedOrder {
  readonly orderId: string
  /** Transactions of the shop that it may be about; any if empty. */
  readonly transactionIds: readonly string[]
}

interface WireMovement {
  readonly id?: unknown
  readonly status?: unknown
  readonly amount?: unknown
  readonly final_capture?: boolean
  readonly custom_id?: string | null
  readonly create_time?: string
  /** Of an authorization. */
  readonly expiration_time?: string
  readonly links?: unknown
}

interface PurchaseUnit {
  readonly amount?: {readonly currency_code?: unknown} | null
  readonly custom_id?: string | null
  readonly invoice_id?: string
  readonly payments?: Readonly<Record<string, unknown>> | null
}

/** The provider's movements of one order, and whether it has the order at all. */
export interface OrderAnswer extends ProviderPayment {
  readonly isKnown: boolean
}

/**
 * The provider's present movements of one order. An answer about another order, or about another transaction, does not
 * count, and `doubts` says why.
 *
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see the provider's orders, version 2; provider.md §4
 */
export async function fetchProviderOrder(
  asked: AskedOrder,
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<OrderAnswer> {
  const path = `/v2/checkout/orders/${encodeURIComponent(asked.orderId)}`
  const answer = await provider.patient.call({
    method: 'GET',
    path,
    headers: {accept: 'application/json'},
    ...(signal && {signal}),
  })
  if (answer.status === 404) return {isKnown: false, movements: [], voidedOrderIds: [], doubts: []}
  if (answer.status !== 200) throw provider.refusal(answer, 'an order')
  const movements: ProviderMovement[] = []
  const doubts: string[] = []
  const {id, status, purchase_units: units} = parseObject(answer)
  const isVoided = status === 'VOIDED'
  if (id !== asked.orderId) doubts.push(`it answered about order ${describeId(id)}`)
  for (const unit of readList<PurchaseUnit>(units, 'purchase_units', doubts))
    movements.push(...readUnit(unit, {asked, doubts, isVoided}))
  if (doubts.length === 0)
    return {isKnown: true, movements, voidedOrderIds: isVoided ? [asked.orderId] : [], doubts}
  const named = doubts.map(doubt => `provider, asked for order ${asked.orderId}: ${doubt}`)
  return {isKnown: true, movements: [], voidedOrderIds: [], doubts: named}
}

/** The orders of a payment's attempts, each with the transactions that have it. */
export function listAskedOrders({live, earlier}: ShopPayment): AskedOrder[] {
  const byOrder = new Map<string, string[]>()
  for (const {id, providerOrderId} of [live, ...earlier]) {
    if (providerOrderId === null) continue
    byOrder.set(providerOrderId, [...(byOrder.get(providerOrderId) ?? []), id])
  }
  return [...byOrder].map(([orderId, transactionIds]) => ({orderId, transactionIds}))
}

/** The provider's movements of all orders of one payment, one after the other. */
export async function fetchProviderOrders(
  orders: readonly AskedOrder[],
  provider: ProviderApi,
  signal?: AbortSignal,
): Promise<OrderAnswer[]> {
  const found: OrderAnswer[] = []
  for (const order of orders) found.push(await fetchProviderOrder(order, provider, signal))
  return found
}

/** Several orders as one payment; those that the provider does not have are empty. */
export function joinOrders(found: readonly ProviderPayment[]): ProviderPayment {
  return {
    movements: found.flatMap(({movements}) => movements),
    voidedOrderIds: found.flatMap(({voidedOrderIds}) => voidedOrderIds),
    doubts: found.flatMap(({doubts = []}) => doubts),
  }
}

interface UnitReading {
  readonly asked: AskedOrder
  /** Collects why answers do not count or cannot be read. */
  readonly doubts: string[]
  readonly isVoided: boolean
}

const LISTS = {authorizations: 'authorization', captures: 'capture', refunds: 'refund'} as const

type OrderMovement = (typeof LISTS)[keyof typeof LISTS]

function readUnit(unit: PurchaseUnit, {asked, doubts, isVoided}: UnitReading): ProviderMovement[] {
  const read = Object.entries(LISTS).flatMap(([name, kind]) =>
    readList<WireMovement>(unit.payments?.[name] ?? [], name, doubts).flatMap(wire => {
      const movement = readMovement(kind, wire, unit, asked)
      if (typeof movement !== 'string') return [{movement, wire}]
      doubts.push(movement)
      return []
    }),
  )
  const movements = read.map(({movement}) => movement)
  // An abandoned order need not name a transaction: it has no effect.
  if (isString(unit.custom_id) || movements.length > 0 || isVoided)
    doubts.push(...checkTransaction(unit.custom_id ?? movements[0]?.transactionId, 'it', asked))
  doubts.push(...read.flatMap(({movement, wire}) => checkMovement(movement, wire, {movements, unit, asked})))
  return movements
}

/** Whether a movement is of this order, transaction and currency, and the movement that it belongs to exists. */
function checkMovement(
  {id, kind, currency, transactionId, captureId, reversed}: ProviderMovement,
  {custom_id: customId, links}: WireMovement,
  {
    movements,
    unit,
    asked,
  }: {
    readonly movements: readonly ProviderMovement[]
    readonly unit: PurchaseUnit
    readonly asked: AskedOrder
  },
): string[] {
  const name = `${kind} ${id}`
  const of = unit.amount?.currency_code
  const captures = movements.filter(each => each.kind === 'capture')
  const upOrder = /\/orders\/([^/]+)$/.exec(findUp(links) ?? '')?.[1]
  const isListed = movements.some(each => each.kind === 'refund' && (each.captureId ?? id) === id)
  return [
    ...(isString(customId) ? checkTransaction(transactionId ?? customId, name, asked) : []),
    ...(isString(of) && of !== currency ? [`${name} is in ${currency}, and the order in ${of}`] : []),
    ...(upOrder !== undefined && upOrder !== asked.orderId ? [`${name} is of order ${upOrder}`] : []),
    ...(captureId !== null && !captures.some(each => each.id === captureId)
      ? [`${name} is of capture ${captureId}, which it does not list`]
      : []),
    ...(reversed === 'part' && !isListed ? [`${name} was refunded in part, and no refund is listed`] : []),
  ]
}

function checkTransaction(
  named: string | null | undefined,
  what: string,
  {transactionIds}: AskedOrder,
): string[] {
  const key = parseCustomId(named ?? undefined)
  const id = key.by === 'id' ? key.id : undefined
  if (transactionIds.length === 0 || (id !== undefined && transactionIds.includes(id))) return []
  const [expected] = transactionIds
  return [`${what} names ${id === undefined ? 'no transaction' : `transaction ${id}`}, not ${expected}`]
}

const STATUSES: Readonly<Record<OrderMovement, Readonly<Record<string, MovementStatus>>>> = {
  authorization: {
    ...{CREATED: 'done', CAPTURED: 'done', PARTIALLY_CAPTURED: 'done', PENDING: 'pending'},
    ...{DENIED: 'declined', VOIDED: 'declined', EXPIRED: 'declined'},
  },
  capture: {
    ...{COMPLETED: 'done', PARTIALLY_REFUNDED: 'done', REFUNDED: 'done', PENDING: 'pending'},
    ...{DECLINED: 'declined', FAILED: 'declined'},
  },
  refund: {COMPLETED: 'done', PENDING: 'pending', FAILED: 'declined', CANCELLED: 'declined'},
}

/** How much of a capture was given back, by its status. */
const REVERSED: Readonly<Record<string, ProviderMovement['reversed']>> = {
  REFUNDED: 'all',
  PARTIALLY_REFUNDED: 'part',
}

/** @returns a sentence if it cannot be read */
function readMovement(
  kind: OrderMovement,
  {id, status, amount, final_capture, custom_id, create_time, expiration_time, links}: WireMovement,
  unit: PurchaseUnit,
  {orderId}: AskedOrder,
): ProviderMovement | string {
  if (!isString(id) || id === '') return `a ${kind} has no id`
  const known = new Map(Object.entries(STATUSES[kind])).get(String(status))
  if (known === undefined) return `the status ${describeId(status)} of ${kind} ${id} is not known`
  const money = readAmount(amount)
  if (money === undefined || money.units < 0) return `the amount of ${kind} ${id} cannot be read`
  const at = new Date(create_time ?? Number.NaN)
  if (Number.isNaN(at.getTime()))
    return `the time of ${kind} ${id} cannot be read (${formatMoney(money.units, money.currency)})`
  const key = parseCustomId(custom_id ?? unit.custom_id ?? undefined)
  return {
    ...{id, kind, status: known, ...money, orderId, at},
    transactionId: key.by === 'id' ? key.id : null,
    invoiceId: isString(unit.invoice_id) ? unit.invoice_id : null,
    captureId: kind === 'refund' ? (findUp(links)?.split('/').at(-1) ?? null) : null,
    ...(kind === 'capture' ? readCapture(final_capture, String(status)) : {}),
    ...(kind === 'authorization' ? readExpiry(expiration_time) : {}),
  }
}

function readExpiry(text: string | undefined): Pick<ProviderMovement, 'expiresAt'> {
  const expiresAt = new Date(text ?? Number.NaN)
  return Number.isNaN(expiresAt.getTime()) ? {} : {expiresAt}
}

function readCapture(isFinal: boolean | undefined, status: string) {
  const reversed = REVERSED[status]
  return {...(isFinal === undefined ? {} : {isFinal}), ...(reversed === undefined ? {} : {reversed})}
}

function readList<Entry>(value: unknown, name: string, doubts: string[]): Entry[] {
  if (value === undefined) return []
  const isList = Array.isArray(value) && value.every(each => typeof each === 'object' && each !== null)
  if (!isList) doubts.push(`${name} cannot be read`)
  return isList ? value : []
}

/** The movement to which another belongs. */
function findUp(links: unknown): string | undefined {
  const all: readonly {rel?: unknown; href?: unknown}[] = Array.isArray(links) ? links.filter(Boolean) : []
  const href = all.find(({rel}) => rel === 'up')?.href
  return isString(href) ? href : undefined
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** An id of a foreign answer, short. */
function describeId(id: unknown): string {
  return isString(id) && id !== '' ? `"${id.slice(0, 60)}"` : 'without a name'
}

/**
 * The money that was captured of one order at the provider for a transaction of the shop, also what was refunded since.
 *
 * @returns `undefined` if the provider does not have the order, or answers about another one
 * @throws StorectlError as `fetchProviderOrder`
 */
export async function listOrderCaptures(
  {orderId, id}: {readonly orderId: string; readonly id: string},
  provider: ProviderApi,
): Promise<Money[] | undefined> {
  const {isKnown, doubts, movements} = await fetchProviderOrder({orderId, transactionIds: [id]}, provider)
  if (!isKnown || (doubts?.length ?? 0) > 0) return undefined
  return movements
    .filter(
      ({kind, status, transactionId}) => kind === 'capture' && status === 'done' && transactionId === id,
    )
    .map(({units, currency}) => toMoney(units, currency))
}
