import type {Answer, ShopRequest, ShopRoute} from '../http/route.js'
import {executeWebhook, recordRefusal} from '../rules/handle-notification.js'
import {
  deregisterWebhook,
  namedSalesChannel,
  type Registrant,
  registerWebhook,
  webhookStatus,
} from '../rules/webhook-registration.js'
import type {Shop} from '../runtime/runtime.js'

/** `POST /api/_action/<provider>/webhook/execute`. It needs no bearer and looks at none. @see protocol.md §4 */
export function webhookRoutes(shop: Shop): ShopRoute[] {
  return [
    {
      method: 'POST',
      path: `/api/_action/${shop.provider}/webhook/execute`,
      auth: 'none',
      handle: request => executeWebhook(request, shop),
      refused: (request, failure) => recordRefusal(request, failure, shop),
    },
  ]
}

const VIEWER = 'swag_paypal.viewer'
const EDITOR = 'swag_paypal.editor'

/** Whether the provider knows where to send notifications, and telling it so. @see protocol.md §4.1 */
export function webhookRegistrationRoutes(shop: Shop): ShopRoute[] {
  const base = `/api/_action/${shop.provider}/webhook`
  return [
    {
      method: 'GET',
      path: `${base}/status/:salesChannelId`,
      privileges: [VIEWER],
      handle: answer(shop, webhookStatus),
    },
    {
      method: 'POST',
      path: `${base}/register/:salesChannelId`,
      privileges: [EDITOR],
      handle: answer(shop, registerWebhook),
    },
    {
      method: 'DELETE',
      path: `${base}/deregister/:salesChannelId`,
      privileges: [EDITOR],
      handle: answer(shop, deregisterWebhook),
    },
  ]
}

function answer(shop: Shop, work: (one: Registrant, shop: Shop) => Promise<string>) {
  return async ({params, origin, path}: ShopRequest): Promise<Answer> => {
    const salesChannelId = await namedSalesChannel(shop, params.salesChannelId ?? '')
    const result = await work({salesChannelId, origin, path}, shop)
    return {contentType: 'application/json', body: JSON.stringify({result})}
  }
}
