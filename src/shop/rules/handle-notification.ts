import {MappingError} from '../../wire/notification/assign-fields.js'
import {type MappedEvent, mapNotification} from '../../wire/notification/mapping.js'
import type {RefusedRequest, RouteResponse, ShopRequest} from '../http/route.js'
import type {Parameters, RuleDeps, ShopRuntime} from '../runtime/runtime.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import {addDelivery} from '../store/deliveries.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfigOfAll} from '../store/schema/system-config.js'
import {applyNotification, listLockNames} from './apply-notification.js'
import {buildDeliveryRows, createRefusedEnding} from './delivery-record.js'
import {createBundledProvider, type ProviderFaults} from './payment-provider.js'
import {checkWebhookToken, WEBHOOK_TOKEN_KEY} from './webhook-registration.js'

export interface WebhookDeps extends RuleDeps, Pick<ShopRuntime, 'tokenPrefix'> {
  readonly faults?: ProviderFaults | undefined
}

/**
 * Handles a notification and writes it down in the same commit, before it is answered.
 *
 * @see protocol.md §4.2 rows 4 to 14
 */
export async function executeWebhook(request: ShopRequest, deps: WebhookDeps): Promise<RouteResponse> {
  const {tokenPrefix, faults, now} = deps
  const {reads, writes} = deps.db
  const receivedAt = now()
  const understood = await identifyNotification(request, tokenPrefix, reads)
  const provider = createBundledProvider(faults, request.path)
  const alone = understood instanceof ShopError ? [] : await listLockNames(understood, reads)
  const handle = async (db: ShopConnection) => {
    const ending =
      understood instanceof ShopError
        ? createRefusedEnding(understood)
        : await applyNotification(understood, {db, provider, now: receivedAt})
    const delivery = {request, ending, receivedAt, decoded: readDecodedBody(request)}
    await addDelivery(db, ...buildDeliveryRows(delivery, tokenPrefix))
    return ending.answer
  }
  return writes.run(handle, {exclusive: alone})
}

/** Nothing in it may also mean that its type was not one to be read. */
function readDecodedBody({parameters}: ShopRequest): Parameters | undefined {
  return Object.keys(parameters).length > 0 ? parameters : undefined
}

/** Writes down a delivery that was refused before the webhook was asked, or instead of it. */
export async function recordRefusal(
  request: RefusedRequest,
  failure: ShopError,
  {db: {writes}, now, tokenPrefix}: WebhookDeps,
): Promise<void> {
  const rows = buildDeliveryRows(
    {request, ending: createRefusedEnding(failure), receivedAt: now()},
    tokenPrefix,
  )
  await writes.run(db => addDelivery(db, ...rows))
}

async function identifyNotification(request: ShopRequest, tokenPrefix: string, reads: ShopConnection) {
  const tokens = await readConfigOfAll(reads, WEBHOOK_TOKEN_KEY)
  return checkWebhookToken(request.query, tokenPrefix, tokens) ?? readNotification(request.parameters)
}

/**
 * The notification that a body holds, or what to answer instead.
 *
 * @see protocol.md §4.2 rows 7 and 8, §4.3
 */
function readNotification(parameters: Parameters): MappedEvent | ShopError {
  if (Object.keys(parameters).length === 0) return createHttpError(400, 'No webhook data sent')
  try {
    return mapNotification(parameters)
  } catch (error) {
    if (error instanceof MappingError) return createHttpError(500, error.message)
    throw error
  }
}
