import type {ShopRoute} from '../http/route.js'
import {executeWebhook, recordRefusal} from '../rules/handle-notification.js'
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
