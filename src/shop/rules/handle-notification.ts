import {MappingError} from '../../wire/notification/assign-fields.js'
import {type MappedEvent, mapNotification} from '../../wire/notification/mapping.js'
import type {Answer, RefusedRequest, ShopRequest} from '../http/route.js'
import type {Parameters} from '../runtime/parameters.js'
import type {Shop} from '../runtime/runtime.js'
import {httpError, ShopError} from '../runtime/shop-error.js'
import {applyNotification, turnsOf} from './apply-notification.js'
import {deliveryRows, refusedBy} from './delivery-record.js'
import {ownProvider} from './payment-provider.js'
import {tokenRefusal, WEBHOOK_TOKEN_KEY} from './webhook-token.js'

/**
 * Handles a notification and writes it down in the same commit, before it is answered.
 *
 * @see protocol.md §4.2 rows 4 to 14
 */
export async function executeWebhook(request: ShopRequest, shop: Shop): Promise<Answer> {
  const receivedAt = shop.now()
  const understood = await understand(request, shop)
  const {store} = shop
  const provider = ownProvider(store.providerMovements, shop.faults, request.path)
  const alone = understood instanceof ShopError ? [] : await turnsOf(understood, store)
  const handle = async (db: typeof store.db.reads) => {
    const ending =
      understood instanceof ShopError
        ? refusedBy(understood)
        : await applyNotification(understood, {db, store, provider, now: receivedAt})
    await store.deliveries.addDelivery(
      db,
      ...deliveryRows(request, ending, receivedAt, shop, decodedBody(request)),
    )
    return ending.answer
  }
  return store.db.writes.run(handle, {alone})
}

/** Nothing in it may also mean that its type was not one to be read. */
function decodedBody({parameters}: ShopRequest): Parameters | undefined {
  return Object.keys(parameters).length > 0 ? parameters : undefined
}

/** Writes down a delivery that was refused before the webhook was asked, or instead of it. */
export async function recordRefusal(request: RefusedRequest, failure: ShopError, shop: Shop): Promise<void> {
  const rows = deliveryRows(request, refusedBy(failure), shop.now(), shop)
  await shop.store.db.writes.run(db => shop.store.deliveries.addDelivery(db, ...rows))
}

async function understand(request: ShopRequest, {store, tokenPrefix}: Shop) {
  const tokens = await store.systemConfig.readConfigOfAll(store.db.reads, WEBHOOK_TOKEN_KEY)
  return tokenRefusal(request.query, tokenPrefix, tokens) ?? readNotification(request.parameters)
}

/**
 * The notification that a body holds, or what to answer instead.
 *
 * @see protocol.md §4.2 rows 7 and 8, §4.3
 */
function readNotification(parameters: Parameters): MappedEvent | ShopError {
  if (Object.keys(parameters).length === 0) return httpError(400, 'No webhook data sent')
  try {
    return mapNotification(parameters)
  } catch (error) {
    if (error instanceof MappingError) return httpError(500, error.message)
    throw error
  }
}
