import {MappingError} from '../../wire/notification/assign-fields.js'
import {type MappedEvent, mapNotification} from '../../wire/notification/mapping.js'
import type {Answer, RefusedRequest, ShopRequest} from '../http/route.js'
import type {Parameters} from '../runtime/parameters.js'
import type {RuleDeps, ShopRuntime} from '../runtime/runtime.js'
import {httpError, ShopError} from '../runtime/shop-error.js'
import {addDelivery} from '../store/deliveries.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfigOfAll} from '../store/schema/system-config.js'
import {applyNotification, turnsOf} from './apply-notification.js'
import {deliveryRows, refusedBy} from './delivery-record.js'
import {ownProvider, type ProviderFaults} from './payment-provider.js'
import {tokenRefusal, WEBHOOK_TOKEN_KEY} from './webhook-token.js'

export interface WebhookDeps extends RuleDeps, Pick<ShopRuntime, 'tokenPrefix'> {
  readonly faults?: ProviderFaults | undefined
}

/**
 * Handles a notification and writes it down in the same commit, before it is answered.
 *
 * @see protocol.md §4.2 rows 4 to 14
 */
export async function executeWebhook(request: ShopRequest, deps: WebhookDeps): Promise<Answer> {
  const {tokenPrefix, faults, now} = deps
  const {reads, writes} = deps.db
  const receivedAt = now()
  const understood = await understand(request, tokenPrefix, reads)
  const provider = ownProvider(faults, request.path)
  const alone = understood instanceof ShopError ? [] : await turnsOf(understood, reads)
  const handle = async (db: ShopConnection) => {
    const ending =
      understood instanceof ShopError
        ? refusedBy(understood)
        : await applyNotification(understood, {db, provider, now: receivedAt})
    const delivery = {request, ending, receivedAt, decoded: decodedBody(request)}
    await addDelivery(db, ...deliveryRows(delivery, tokenPrefix))
    return ending.answer
  }
  return writes.run(handle, {exclusive: alone})
}

/** Nothing in it may also mean that its type was not one to be read. */
function decodedBody({parameters}: ShopRequest): Parameters | undefined {
  return Object.keys(parameters).length > 0 ? parameters : undefined
}

/** Writes down a delivery that was refused before the webhook was asked, or instead of it. */
export async function recordRefusal(
  request: RefusedRequest,
  failure: ShopError,
  {db: {writes}, now, tokenPrefix}: WebhookDeps,
): Promise<void> {
  const rows = deliveryRows({request, ending: refusedBy(failure), receivedAt: now()}, tokenPrefix)
  await writes.run(db => addDelivery(db, ...rows))
}

async function understand(request: ShopRequest, tokenPrefix: string, reads: ShopConnection) {
  const tokens = await readConfigOfAll(reads, WEBHOOK_TOKEN_KEY)
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
