import type {Call, HttpResponse} from '../../src/http/http.js'
import {deriveEffect, type EffectMembers} from '../../src/providers/paypal/notification/handler-effects.js'
import {findHandler} from '../../src/providers/paypal/notification/handlers.js'
import {applyActions, STATE_MACHINES} from '../../src/shopware/state-machines.js'
import {fillDefaults} from '../../src/wire/fulfillment-order/content-hash.js'
import type {FulfillmentOrder} from '../../src/wire/schemas/fulfillment-order.js'
import type {Route} from './faults.js'
import type {ShopKind} from './scenario.js'

export const TOKEN = 'Ab12'.repeat(8)

interface StoredOrder {
  readonly id: string
  readonly order: FulfillmentOrder
}

/** A notification that the shop has handled, and what it did to its transaction. */
export interface Handled {
  readonly eventId: string
  readonly transactionId: string
  readonly from: string
  readonly to: string
  /** Of the replay that sent it; `undefined` for the provider's own call. */
  readonly run: string | undefined
  /** Of a call that was given up: how many had been handled when the shop began to work on it. */
  readonly since: number | undefined
}

/** The shop as a model: transactions with their states, orders by reference. Nothing here waits. */
export class ShopModel {
  /** All that it ever handled; a restored backup does not take it back. */
  readonly handled: Handled[] = []
  /** References of all orders that it ever took. */
  readonly taken = new Set<string>()
  /** Events that a replay sent and that changed a state; restoring a backup takes them back. */
  #effective = new Set<string>()
  #states: Map<string, string>
  #orders: StoredOrder[] = []
  #ids = 0
  onHandled: ((what: string) => void) | undefined

  constructor(
    private readonly kind: ShopKind,
    transactions: ReadonlyMap<string, string>,
  ) {
    this.#states = new Map(transactions)
  }

  get orders(): readonly StoredOrder[] {
    return this.#orders
  }

  /** A shop that takes a reference twice has every order twice that something in between sends twice. */
  isTwiceHarmless(route: Route): boolean {
    return route !== 'order' || this.kind.isUnique
  }

  hasEffectOf(eventId: string): boolean {
    return this.#effective.has(eventId)
  }

  /** Nobody can see it. */
  forgetEffectOf(eventId: string): void {
    this.#effective.delete(eventId)
  }

  /** Everything as it is now. @returns puts it back */
  backUp(): () => void {
    const [states, orders, effective] = [new Map(this.#states), [...this.#orders], new Set(this.#effective)]
    return () => {
      this.#states = new Map(states)
      this.#orders = [...orders]
      this.#effective = new Set(effective)
    }
  }

  /** Does what a call asks for, and answers it. @param since as `Handled` */
  answer(call: Call, since?: number): HttpResponse {
    const path = call.path.split('?')[0] as string
    const body = readBody(call)
    if (path.endsWith('/webhook/execute')) return this.#takeNotification(call, body, since)
    if (path === '/api/fulfillment/order') return this.#takeOrder(body)
    if (path === '/api/search/fulfillment-order') return this.#findOrders(body)
    if (path === '/api/search/order-transaction') return this.#findTransactions(body)
    return refuse(404, 'No route found')
  }

  #takeNotification(call: Call, body: ReturnType<typeof readBody>, since?: number): HttpResponse {
    if (!call.path.includes(TOKEN)) return refuse(400, 'Shopware token is invalid')
    if (isProbe(call)) return refuse(400, 'No webhook data sent')
    const {id: eventId, event_type, resource} = body
    const handler = findHandler(event_type)
    const transactionId = resource.custom_id
    const state = this.#states.get(transactionId)
    if (!handler || state === undefined) return refuse(400, OPAQUE)
    const total = resource.seller_payable_breakdown?.total_refunded_amount
    const members: EffectMembers = {
      finalCapture: resource.final_capture,
      breakdown: total && {totalRefunded: {value: total.value, currency: total.currency_code}},
    }
    const effect = deriveEffect(handler.rule, members, {state, amountTotal: 100, payUponInvoice: false})
    if (effect.kind === 'missing') return refuse(500, 'it broke')
    const moved = applyActions(STATE_MACHINES.order_transaction, state, effect.actions)
    if (moved.kind === 'refused') return refuse(400, OPAQUE)
    this.#states.set(transactionId, moved.state)
    const run = call.headers?.['X-Replay-Run'] as string | undefined
    if (moved.state !== state && run !== undefined) this.#effective.add(eventId)
    this.onHandled?.(`${transactionId.slice(0, 4)} ${state} → ${moved.state}`)
    this.handled.push({eventId, transactionId, from: state, to: moved.state, run, since})
    return {status: 200, headers: {}, body: Buffer.alloc(0)}
  }

  #takeOrder(order: FulfillmentOrder): HttpResponse {
    const known = this.#orders.find(each => each.order.reference === order.reference)
    if (known && this.kind.isUnique) {
      const body = {id: known.id, reference: order.reference}
      return respond(200, body, {'idempotency-replayed': 'true'})
    }
    const id = `0197${String(++this.#ids).padStart(28, '0')}`
    this.#orders.push({id, order})
    this.taken.add(order.reference)
    return respond(200, {id, reference: order.reference, status: 'received'})
  }

  #findOrders({filter: [{value}]}: {filter: [{value: string[]}]}): HttpResponse {
    if (!this.kind.hasOrderSearch) return refuse(404, 'No route found')
    const found = this.#orders.filter(({order}) => value.includes(order.reference))
    const show = (order: FulfillmentOrder) => (this.kind.showsDefaults ? fillDefaults(order) : order)
    return respond(200, {data: found.map(({id, order}) => ({...show(order), id}))})
  }

  #findTransactions({ids}: {ids: string[]}): HttpResponse {
    const data = ids.flatMap(id => {
      const technicalName = this.#states.get(id)
      return technicalName === undefined ? [] : [{id, stateMachineState: {technicalName}, ...PAYMENT}]
    })
    return respond(200, {data})
  }
}

/** What every payment is over. */
const PAYMENT = {amount: {totalPrice: 100}, order: {currency: {isoCode: 'EUR'}}, paymentMethod: null}

const bodies = new WeakMap<Call, ReturnType<typeof JSON.parse>>()

/** The body of a call, parsed once for all who look at it. */
export function readBody(call: Call): ReturnType<typeof JSON.parse> {
  const known = bodies.get(call)
  if (known) return known
  const body = JSON.parse(Buffer.from((call.body ?? '') as Uint8Array).toString('utf8'))
  bodies.set(call, body)
  return body
}

/** Whether a call of the webhook says nothing, so that nothing can come of it. */
export function isProbe(call: Call): boolean {
  return readBody(call).id === undefined
}

const OPAQUE = 'An error occurred during execution of webhook'

export function respond(status: number, body: object, headers: Record<string, string> = {}): HttpResponse {
  return {status, headers, body: Buffer.from(JSON.stringify(body))}
}

/** The shop's envelope of errors. */
export function refuse(status: number, detail = OPAQUE, headers: Record<string, string> = {}): HttpResponse {
  return respond(status, {errors: [{code: '0', status: String(status), title: 'x', detail}]}, headers)
}
