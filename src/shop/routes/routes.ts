import type {ShopRoute} from '../http/route.js'
import type {Shop} from '../runtime/runtime.js'
import {accessKeyRoutes, tokenRoutes} from './auth.js'
import {faultRoutes, statusRoutes} from './control.js'
import {entityRoutes} from './entities.js'
import {fulfillmentOrderRoutes} from './fulfillment-order.js'
import {infoRoutes} from './info.js'
import {providerRoutes} from './provider.js'
import {searchRoutes} from './search.js'
import {systemConfigRoutes} from './system-config.js'
import {transitionRoutes} from './transitions.js'
import {webhookRegistrationRoutes, webhookRoutes} from './webhook.js'

/**
 * Every operation of the shop. To add one: write `routes/<operation>.ts` that exports
 * `<operation>Routes(shop: Shop): ShopRoute[]`, and name it here. The app sees to bodies, tokens, context headers,
 * 404, 405, the error envelope and the headers; a route reads its `ShopRequest`, and returns an `Answer` or throws a
 * `ShopError`.
 */
export function allRoutes(shop: Shop): ShopRoute[] {
  const routes: ShopRoute[] = [
    ...tokenRoutes(shop),
    ...infoRoutes(shop, () => routes),
    ...accessKeyRoutes(),
    ...searchRoutes(shop),
    ...entityRoutes(shop),
    ...fulfillmentOrderRoutes(shop),
    ...transitionRoutes(shop),
    ...webhookRoutes(shop),
    ...webhookRegistrationRoutes(shop),
    ...systemConfigRoutes(shop),
    ...faultRoutes(shop),
    ...statusRoutes(shop),
    ...providerRoutes(shop),
  ]
  return routes
}
