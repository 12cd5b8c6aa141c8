import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {executeWebhook, recordRefusal, type WebhookDeps} from '../rules/handle-notification.js'
import {
  checkWebhookStatus,
  deregisterWebhook,
  findSalesChannelId,
  parseSalesChannelId,
  type Registrant,
  registerWebhook,
  type WebhookRegistrationDeps,
} from '../rules/webhook-registration.js'
import {PerTickCache} from '../runtime/event-loop.js'

/** `POST /api/_action/<provider>/webhook/execute`. It ignores bearer tokens. @see protocol.md §4 */
export function createWebhookRoutes(provider: string, given: Omit<WebhookDeps, 'tokens'>): ShopRoute[] {
  const deps = {...given, tokens: new PerTickCache<Promise<string[]>>()}
  return [
    {
      method: 'POST',
      path: `/api/_action/${provider}/webhook/execute`,
      auth: 'none',
      handle: request => executeWebhook(request, deps),
      onRefused: (request, failure) => recordRefusal(request, failure, deps),
    },
  ]
}

const VIEWER = 'swag_paypal.viewer'
const EDITOR = 'swag_paypal.editor'

/** Checks, registers and unregisters the webhook at the provider. @see protocol.md §4.1 */
export function createWebhookRegistrationRoutes(deps: WebhookRegistrationDeps): ShopRoute[] {
  const base = `/api/_action/${deps.provider}/webhook`
  return [
    {
      method: 'GET',
      path: `${base}/status/:salesChannelId`,
      privileges: [VIEWER],
      handle: async ({params, origin, path}) => {
        const salesChannelId = parseSalesChannelId(params.salesChannelId ?? '')
        return createAnswer(await checkWebhookStatus({salesChannelId, origin, path}, deps))
      },
    },
    {
      method: 'POST',
      path: `${base}/register/:salesChannelId`,
      privileges: [EDITOR],
      handle: answer(deps, registerWebhook),
    },
    {
      method: 'DELETE',
      path: `${base}/deregister/:salesChannelId`,
      privileges: [EDITOR],
      handle: answer(deps, deregisterWebhook),
    },
  ]
}

function answer(
  deps: WebhookRegistrationDeps,
  work: (one: Registrant, deps: WebhookRegistrationDeps) => Promise<string>,
) {
  return async ({params, origin, path}: ShopRequest): Promise<RouteResponse> => {
    const salesChannelId = await findSalesChannelId(deps.db.reads, params.salesChannelId ?? '')
    return createAnswer(await work({salesChannelId, origin, path}, deps))
  }
}

function createAnswer(result: string): RouteResponse {
  return {contentType: 'application/json', body: JSON.stringify({result})}
}
