import type {FaultList} from '../faults/active-faults.js'
import type {ShopRoute} from '../http/route.js'
import type {AccessTokens} from '../oauth/access-tokens.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import type {ShopDatabase} from '../store/schema/search-dialect.js'
import {accessKeyRoutes, tokenRoutes} from './auth.js'
import {faultRoutes, type ServerIdentity, statusRoutes} from './control.js'
import {entityRoutes} from './entities.js'
import {fulfillmentOrderRoutes} from './fulfillment-order.js'
import {infoRoutes} from './info.js'
import {providerRoutes} from './provider.js'
import {searchRoutes} from './search.js'
import {systemConfigRoutes} from './system-config.js'
import {transitionRoutes} from './transitions.js'
import {webhookRegistrationRoutes, webhookRoutes} from './webhook.js'

/** What the routes of a shop are made of; each gets the members that it uses. */
export interface RouteDeps {
  readonly db: ShopDatabase
  readonly runtime: ShopRuntime
  readonly accessTokens: AccessTokens
  /** About the server that others find this shop by; absent inside a command. */
  readonly server: ServerIdentity | undefined
  /** What to rehearse; also strikes where the shop asks the payment provider. */
  readonly faults: FaultList | undefined
}

/**
 * Every operation of the shop. To add one: write `routes/<operation>.ts` that exports `<operation>Routes(…): ShopRoute[]`
 * with what it uses as parameters, and name it here. The app sees to bodies, tokens, context headers, 404, 405, the error
 * envelope and the headers; a route reads its `ShopRequest`, and returns an `Answer` or throws a `ShopError`.
 */
export function allRoutes({db, runtime, accessTokens, server, faults}: RouteDeps): ShopRoute[] {
  const {now, provider, tokenPrefix, limits} = runtime
  const names = {provider, tokenPrefix}
  const rule = {db, now}
  const search = {...rule, maxLimit: limits.maxLimit}
  const routes: ShopRoute[] = [
    ...tokenRoutes({...rule, accessTokens}),
    ...infoRoutes(runtime, () => routes),
    ...accessKeyRoutes(),
    ...searchRoutes(search),
    ...entityRoutes(search),
    ...fulfillmentOrderRoutes(limits.bodyBytes, rule),
    ...transitionRoutes(search),
    ...webhookRoutes(provider, {...rule, tokenPrefix, faults}),
    ...webhookRegistrationRoutes({...rule, ...names, faults}),
    ...systemConfigRoutes(db),
    ...faultRoutes(db.reads, faults),
    ...statusRoutes({reads: db.reads, ...names, server}),
    ...providerRoutes({...rule, ...names, faults}),
  ]
  return routes
}
