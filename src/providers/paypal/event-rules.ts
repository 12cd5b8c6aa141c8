import type {EventRules} from '../effects.js'
import {listOrderingKeys, readTraits} from './event-traits.js'
import {findHandler} from './notification/handlers.js'

/** How to read PayPal's events. @see protocol.md §4.3, §4.4 */
export const PAYPAL_RULES: EventRules = {
  listOrderingKeys,
  readTraits: (type, body) => readTraits(findHandler(type), body),
}
