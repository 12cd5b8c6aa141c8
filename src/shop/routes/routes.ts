import type {FaultInjector} from '../faults/active-faults.js'
import type {ShopRoute} from '../http/route.js'
import type {AccessTokens} from '../oauth/access-tokens.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {createAccessKeyRoutes, createTokenRoutes} from './auth.js'
import {createFaultRoutes, createStatusRoutes, createTriggerRoutes, type ServerIdentity} from './control.js'
import {createEntityRoutes} from './entities.js'
import {createReadRoutes} from './entity-reads.js'
import {createFulfillmentOrderRoutes} from './fulfillment-order.js'
import {createInfoRoutes} from './info.js'
import {createProviderRoutes} from './provider.js'
import {createSystemConfigRoutes} from './system-config.js'
import {transitionRoutes} from './transitions.js'
import {createWebhookRegistrationRoutes, createWebhookRoutes} from './webhook.js'

/** Dependencies of the shop's routes; each route gets those that it uses. */
interface RouteDeps {
  readonly db: ShopDatabase
  readonly runtime: ShopRuntime
  readonly accessTokens: AccessTokens
  /** The server's identity; absent inside a command. */
  readonly server: ServerIdentity | undefined
  /** Faults; they also apply to the shop's requests to the payment provider. */
  readonly faults: FaultInjector | undefined
}

/**
 * Every operation of the shop. To add one, write `routes/<operation>.ts` with an exported `create<Operation>Routes(…):
 * ShopRoute[]`, and call it here. The app handles bodies, tokens, context headers, 404, 405, the error envelope and the
 * headers; a route reads its `ShopRequest`, and returns a `RouteResponse` or throws a `ShopError`.
 */
export function createRoutes({db, runtime, accessTokens, server, faults}: RouteDeps): ShopRoute[] {
  const {now, provider, tokenPrefix, limits, edition} = runtime
  const names = {provider, tokenPrefix}
  const rule = {db, now, edition}
  const search = {...rule, maxLimit: limits.maxLimit}
  const routes: ShopRoute[] = [
    ...createTokenRoutes({...rule, accessTokens}),
    ...createInfoRoutes(runtime, () => routes, search),
    ...createAccessKeyRoutes(),
    ...createReadRoutes(search),
    ...createEntityRoutes(search),
    ...createFulfillmentOrderRoutes(limits.bodyBytes, {...rule, faults}),
    ...transitionRoutes(search),
    ...createWebhookRoutes(provider, {...rule, tokenPrefix, faults}),
    ...createWebhookRegistrationRoutes({...rule, ...names, faults}),
    ...createSystemConfigRoutes({...rule, ...names, faults}),
    ...createFaultRoutes(db.reads, faults),
    ...createStatusRoutes({reads: db.reads, ...names, server}),
    ...createTriggerRoutes({...rule, ...names, server}),
    ...createProviderRoutes({...rule, ...names, faults}),
  ]
  return routes
}
