import type {Shop} from '../shop.js'
import {accessKeyRoutes} from './access-keys.js'
import {entityRoutes} from './entities.js'
import {faultRoutes} from './faults.js'
import {fulfillmentOrderRoutes} from './fulfillment-order.js'
import {infoRoutes} from './info.js'
import {providerRoutes} from './provider.js'
import type {ShopRoute} from './route.js'
import {searchRoutes} from './search.js'
import {statusRoutes} from './status.js'
import {systemConfigRoutes} from './system-config.js'
import {tokenRoutes} from './token.js'
import {transitionRoutes} from './transitions.js'
import {webhookRoutes} from './webhook.js'
import {webhookRegistrationRoutes} from './webhook-registration.js'

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
