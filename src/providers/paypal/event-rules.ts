import type {EventRules} from '../effects.js'
import {listOrderingKeys, readTraits} from './event-traits.js'
import {findHandler} from './notification/handlers.js'

/** What PayPal's events name. @see protocol.md §4.3, §4.4 */
export const PAYPAL_RULES: EventRules = {
  listOrderingKeys,
  readTraits: (type, body) => readTraits(findHandler(type), body),
}
