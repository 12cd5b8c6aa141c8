import type {Caller} from '../shop/caller.js'
import {requirePrivilege} from '../shop/privileges.js'
import {
  deregisterWebhook,
  namedSalesChannel,
  type Registrant,
  registerWebhook,
  webhookStatus,
} from '../shop/webhook/registration.js'
import type {Shop} from '../shop.js'
import type {Answer, ShopRequest, ShopRoute} from './route.js'

const VIEWER = 'swag_paypal.viewer'
const EDITOR = 'swag_paypal.editor'

/** Whether the provider knows where to send notifications, and telling it so. @see protocol.md §4.1 */
export function webhookRegistrationRoutes(shop: Shop): ShopRoute[] {
  const base = `/api/_action/${shop.provider}/webhook`
  return [
    {method: 'GET', path: `${base}/status/:salesChannelId`, handle: answer(shop, VIEWER, webhookStatus)},
    {method: 'POST', path: `${base}/register/:salesChannelId`, handle: answer(shop, EDITOR, registerWebhook)},
    {
      method: 'DELETE',
      path: `${base}/deregister/:salesChannelId`,
      handle: answer(shop, EDITOR, deregisterWebhook),
    },
  ]
}

function answer(shop: Shop, privilege: string, work: (one: Registrant, shop: Shop) => Promise<string>) {
  return async ({caller, params, origin, path}: ShopRequest): Promise<Answer> => {
    requirePrivilege(caller as Caller, privilege)
    const salesChannelId = await namedSalesChannel(shop, params.salesChannelId ?? '')
    const result = await work({salesChannelId, origin, path}, shop)
    return {contentType: 'application/json', body: JSON.stringify({result})}
  }
}
