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

/** What the routes of a shop are made of; each gets the members that it uses. */
interface RouteDeps {
  readonly db: ShopDatabase
  readonly runtime: ShopRuntime
  readonly accessTokens: AccessTokens
  /** About the server that others find this shop by; absent inside a command. */
  readonly server: ServerIdentity | undefined
  /** What to rehearse; also strikes where the shop asks the payment provider. */
  readonly faults: FaultInjector | undefined
}

/**
 * Every operation of the shop. To add one: write `routes/<operation>.ts` that exports `<operation>Routes(…): ShopRoute[]`
 * with what it uses as parameters, and name it here. The app sees to bodies, tokens, context headers, 404, 405, the error
 * envelope and the headers; a route reads its `ShopRequest`, and returns an `Answer` or throws a `ShopError`.
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
