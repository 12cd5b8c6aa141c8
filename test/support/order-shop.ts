import {expect, onTestFinished} from 'vitest'
import {hashContent} from '../../src/wire/fulfillment-order/content-hash.js'
import type {FulfillmentOrder} from '../../src/wire/schemas/fulfillment-order.js'
import {type Endpoint, endpoint, type Received, type Reply} from './endpoint.js'

/** A shop that takes orders and can be asked for them, with everything it was asked. */
export interface OrderShopEndpoint extends Endpoint {
  readonly orders: Map<string, FulfillmentOrder>
  /** References in the order in which they were sent, repetitions included. */
  readonly sent: () => string[]
  readonly looks: () => Received[]
}

export interface OrderShopOptions {
  /** Whether it knows a reference again, as the contract says; else it makes what is submitted twice twice. */
  readonly knowsReferences?: boolean
  /** Answers in place of the shop, before it has done anything. */
  readonly instead?: (reference: string, count: number) => Reply | undefined
  /** What is done to the answer after the order was taken; `reset` drops it. */
  readonly after?: (reference: string, count: number) => Reply | undefined
  readonly hasSearch?: boolean
  /** How a search shows an order; by default with everything that it can leave out. */
  readonly show?: (order: FulfillmentOrder) => object
}

const ORDERS = '/api/fulfillment/order'

function isOrder({method, url}: Received): boolean {
  return method === 'POST' && url === ORDERS
}

/**
 * Takes orders by the contract: exactly once by reference, and a conflict for another content; or one that knows no
 * reference, as a test that orders are made once must not lean on the shop. Then a test in which it made one twice fails.
 */
export async function orderShop(options: OrderShopOptions = {}): Promise<OrderShopEndpoint> {
  const orders = new Map<string, FulfillmentOrder>()
  const madeTwice: string[] = []
  onTestFinished(() => {
    expect(madeTwice, 'orders that were made twice').toEqual([])
  })
  let count = 0
  const shop = await endpoint(request => {
    if (request.url === '/api/search/fulfillment-order') {
      return options.hasSearch === false
        ? {status: 404, body: errorBody('404', '0', 'No route found')}
        : found(request)
    }
    if (request.method !== 'POST') return {status: 405, body: errorBody('405', '0', 'Method Not Allowed')}
    const order = JSON.parse(request.body) as FulfillmentOrder
    count++
    return options.instead?.(order.reference, count) ?? take(order) ?? accepted(order, options, count)
  })

  function take(order: FulfillmentOrder): Reply | undefined {
    const known = orders.get(order.reference)
    if (known && options.knowsReferences !== true) madeTwice.push(order.reference)
    else if (known && hashContent(known) !== hashContent(order)) {
      return {status: 409, body: errorBody('409', 'FULFILLMENT__REFERENCE_CONFLICT', 'Another order has it')}
    } else if (known)
      return {headers: {'idempotency-replayed': 'true'}, body: {id: idOf(order), reference: order.reference}}
    orders.set(order.reference, order)
    return undefined
  }

  function accepted(order: FulfillmentOrder, {after}: OrderShopOptions, at: number): Reply {
    return (
      after?.(order.reference, at) ?? {
        body: {id: idOf(order), reference: order.reference, status: 'received'},
      }
    )
  }

  function found({body}: Received): Reply {
    const {filter} = JSON.parse(body) as {filter: [{value: string | string[]}]}
    const [{value}] = filter
    const wanted = typeof value === 'string' ? [...orders.keys()].filter(key => key.startsWith(value)) : value
    const data = wanted.flatMap(reference => {
      const order = orders.get(reference)
      return order ? [{...(options.show ?? withNulls)(order), id: idOf(order)}] : []
    })
    return {body: {total: data.length, data, aggregations: []}}
  }

  return {
    ...shop,
    orders,
    sent: () => shop.received.filter(isOrder).map(({body}) => JSON.parse(body).reference),
    looks: () => shop.received.filter(request => !isOrder(request)),
  }
}

/** An order without faults. */
export function orderOf(reference: string, more: object = {}): FulfillmentOrder {
  return {
    reference,
    shipTo: {name: 'Ada', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'DE'},
    lines: [{sku: 'X', quantity: 2}],
    ...more,
  }
}

export function ordersOf(count: number): FulfillmentOrder[] {
  return Array.from({length: count}, (_, at) => orderOf(`R-${at + 1}`))
}

function idOf({reference}: FulfillmentOrder): string {
  return Buffer.from(reference).toString('hex').padStart(32, '0')
}

function withNulls(order: FulfillmentOrder) {
  const nothing = {orderNumber: null, orderDate: null, shipNotBefore: null, note: null, customFields: null}
  const defaults = {shippingMethod: 'standard', hold: false, fillPolicy: 'all-or-nothing'}
  const lines = order.lines.map((line, at) => ({reference: String(at + 1), ...line, status: 'received'}))
  return {...nothing, ...defaults, ...order, lines}
}

/** The shop's error envelope. */
export function errorBody(status: string, code: string, detail: string, pointer?: string) {
  const source = pointer === undefined ? {} : {source: {pointer}}
  return {errors: [{status, code, title: 'Error', detail, ...source, meta: {parameters: []}}]}
}
