import {MappingError} from '../../providers/paypal/notification/assign-fields.js'
import {type MappedEvent, mapNotification} from '../../providers/paypal/notification/mapping.js'
import type {ShopEdition} from '../../shopware/editions.js'
import {NO_WEBHOOK_BODY, WEBHOOK_NOT_EXECUTED, WRONG_WEBHOOK_TOKEN} from '../../shopware/error-texts.js'
import type {RefusedRequest, RouteResponse, ShopRequest} from '../http/route.js'
import type {PerTickCache} from '../runtime/event-loop.js'
import type {Parameters, RuleDeps, ShopRuntime} from '../runtime/runtime.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import {addDelivery} from '../store/deliveries.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {applyNotification} from './apply-notification.js'
import {buildDeliveryRows, createRefusedEnding} from './delivery-record.js'
import {createBundledProvider, type ProviderFaults} from './payment-provider.js'
import {checkWebhookToken} from './webhook-registration.js'
import {findDeliverySender, readTokens} from './webhook-tokens.js'

export interface WebhookDeps extends RuleDeps, Pick<ShopRuntime, 'tokenPrefix'> {
  /** Webhook tokens of the shop. */
  readonly tokens: PerTickCache<Promise<string[]>>
  readonly faults?: ProviderFaults | undefined
}

/**
 * Handles a notification and stores it in the same commit, before the response.
 *
 * @see protocol.md §4.2 rows 4 to 14
 */
export async function executeWebhook(request: ShopRequest, deps: WebhookDeps): Promise<RouteResponse> {
  const {tokenPrefix, faults, now, edition} = deps
  const {reads, writes} = deps.db
  const receivedAt = now()
  const tokens = await readTokens(deps.tokens, reads)
  const understood = identifyNotification(request, deps, tokens)
  const arrived = {tokens, reads, now: receivedAt}
  const sender = await findDeliverySender(request.queryString, tokenPrefix, arrived)
  const provider = createBundledProvider(faults, request.path)
  const handle = async (db: ShopConnection) => {
    const found =
      understood instanceof ShopError
        ? createRefusedEnding(understood)
        : await applyNotification(understood, {db, provider, now: receivedAt, edition})
    const ending = {...found, answer: adaptAnswer(found.answer, edition)}
    const delivery = {request, ending, receivedAt, sender, decoded: readDecodedBody(request)}
    await addDelivery(db, ...buildDeliveryRows(delivery, tokenPrefix))
    return ending.answer
  }
  return writes.run(handle)
}

/** An empty result may also mean that its content type is not supported. */
function readDecodedBody({parameters}: ShopRequest): Parameters | undefined {
  return Object.keys(parameters).length > 0 ? parameters : undefined
}

/** Stores a delivery that was refused before or instead of calling the webhook. */
export async function recordRefusal(
  request: RefusedRequest,
  failure: ShopError,
  {db: {reads, writes}, now, tokenPrefix, ...deps}: WebhookDeps,
): Promise<void> {
  const receivedAt = now()
  const arrived = {tokens: await readTokens(deps.tokens, reads), reads, now: receivedAt}
  const sender = await findDeliverySender(request.queryString, tokenPrefix, arrived)
  const rows = buildDeliveryRows(
    {request, ending: createRefusedEnding(failure), receivedAt, sender},
    tokenPrefix,
  )
  await writes.run(db => addDelivery(db, ...rows))
}

function identifyNotification(
  {query, parameters}: ShopRequest,
  {tokenPrefix, edition}: WebhookDeps,
  known: readonly string[],
) {
  return checkWebhookToken(query, tokenPrefix, known) ?? readNotification(adaptPayload(parameters, edition))
}

/** The members of a notification that an edition's plugin reads; it ignores the rest. */
function adaptPayload(
  parameters: Parameters,
  {readsProcessorResponse, hasBareRefusals}: ShopEdition,
): Parameters {
  if (Array.isArray(parameters)) return parameters
  if (hasBareRefusals) {
    const {resource, links, ...rest} = parameters
    const isTaken = typeof resource === 'object' && !Array.isArray(resource)
    const taken = Array.isArray(links) ? links.filter(link => typeof link === 'object') : links
    return {
      ...rest,
      ...(isTaken ? {resource} : {}),
      ...(taken === undefined ? {} : {links: taken}),
    }
  }
  const {resource} = parameters
  if (readsProcessorResponse || typeof resource !== 'object' || resource === null || Array.isArray(resource))
    return parameters
  const {processor_response: _, processorResponse: __, ...read} = resource as Record<string, unknown>
  return {...parameters, resource: read}
}

/** Escaped as in JSON. */
const LIBRARY = String.raw`Shopware\\PayPalSDK\\Struct`

/** Errors that newer plugins send as plain sentences. @see protocol.md §4.2 */
const BARE = [WRONG_WEBHOOK_TOKEN, WEBHOOK_NOT_EXECUTED]

function adaptAnswer(answer: RouteResponse, {name, hasBareRefusals}: ShopEdition): RouteResponse {
  const {status = 200, headers} = answer
  if (name === '6.5' && status >= 400) return {...answer, headers: {...headers, 'x-frame-options': 'deny'}}
  if (!hasBareRefusals) return answer
  if (answer.status === 500) return {...answer, body: renameClasses(String(answer.body))}
  if (answer.status !== 400) return answer
  const sentence = BARE.find(one => String(answer.body).includes(one))
  return sentence === undefined
    ? answer
    : {status: 400, contentType: 'text/html; charset=UTF-8', body: sentence}
}

/** Newer plugins use the classes of the provider's own library. @see shop-6.7.md */
function renameClasses(json: string): string {
  return json
    .replaceAll(String.raw`Swag\\PayPal\\RestApi\\PayPalApiStruct`, String.raw`${LIBRARY}\\Struct`)
    .replaceAll(
      /Swag\\\\PayPal\\\\RestApi\\\\V1\\\\Api\\\\Webhook(?!\\)/g,
      () => String.raw`${LIBRARY}\\V1\\Webhook\\Event`,
    )
    .replaceAll(
      /Swag\\\\PayPal\\\\RestApi\\\\(V\d)\\\\Api(?=\\)/g,
      (_, version) => String.raw`${LIBRARY}\\${version}`,
    )
}

/**
 * The notification in a body, or the response instead.
 *
 * @see protocol.md §4.2 rows 7 and 8, §4.3
 */
function readNotification(parameters: Parameters): MappedEvent | ShopError {
  if (Object.keys(parameters).length === 0) return createHttpError(400, NO_WEBHOOK_BODY)
  try {
    return mapNotification(parameters)
  } catch (error) {
    if (error instanceof MappingError) return createHttpError(500, error.message)
    throw error
  }
}
