import {escapePlain} from '../../shopware/json-escape.js'
import type {FulfillmentAnswer} from '../../wire/schemas/fulfillment-order.js'
import type {FaultInjector} from '../faults/active-faults.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {acceptOrder, createTooLargeError, type Taken} from '../rules/submit-order.js'
import {FULFILLMENT_BODY_BYTES} from '../runtime/limits.js'
import type {RuleDeps} from '../runtime/runtime.js'

interface OrderDeps extends RuleDeps {
  readonly faults?: Pick<FaultInjector, 'drawReferenceFault'> | undefined
}

/** `POST /api/fulfillment/order`. @see fulfillment-order.md */
export function createFulfillmentOrderRoutes(bodyBytes: number, deps: OrderDeps): ShopRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/fulfillment/order',
      privileges: ['fulfillment_order:create'],
      bodyLimitBytes: FULFILLMENT_BODY_BYTES,
      describeTooLarge: () => createTooLargeError(Math.min(FULFILLMENT_BODY_BYTES, bodyBytes)),
      handle: request => submit(request, deps),
    },
  ]
}

async function submit(request: ShopRequest, deps: OrderDeps): Promise<RouteResponse> {
  const isUnique = deps.faults?.drawReferenceFault(request.path) !== true
  const taken = await acceptOrder(request.parameters, {key: readIdempotencyKey(request), isUnique}, deps)
  return {
    contentType: 'application/json',
    headers: taken.replayed ? {'idempotency-replayed': 'true'} : {},
    body: escapePlain(JSON.stringify(answerOf(taken))),
  }
}

function readIdempotencyKey({headers}: ShopRequest): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined
}

function answerOf({order}: Taken): FulfillmentAnswer {
  return {
    id: order.id,
    reference: order.reference,
    orderNumber: order.orderNumber,
    status: order.hold ? 'on_hold' : 'received',
    createdAt: order.createdAt.toISOString().replace('Z', '+00:00'),
    lines: order.lines.map(({reference, sku, quantity}) => ({reference, sku, quantity, status: 'received'})),
    apiAlias: 'fulfillment_order',
  }
}
