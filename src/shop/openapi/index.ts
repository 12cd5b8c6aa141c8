import type {Shop} from '../runtime/runtime.js'
import {aboutOperations} from './about.js'
import type {Operations} from './operation.js'
import {fulfillmentOperations} from './orders.js'
import {searchOperations} from './searches.js'
import {serverOperations} from './server.js'
import {settingOperations} from './settings.js'
import {tokenOperations} from './token.js'
import {transitionOperations} from './transitions.js'
import {webhookOperations} from './webhook.js'
import {writeOperations} from './writes.js'

/** What there is to say about every route, by method and templated path. An entity's come from its description alone. */
export function operationsOf({model, provider, tokenPrefix}: Shop): Operations {
  return {
    ...tokenOperations(),
    ...fulfillmentOperations(),
    ...webhookOperations(provider, tokenPrefix),
    ...searchOperations(model),
    ...writeOperations(model),
    ...transitionOperations(),
    ...aboutOperations(),
    ...settingOperations(),
    ...serverOperations(),
  }
}
