import {allow, maybe, type TypeOf} from './members.js'
import {ofRun} from './replay-rows.js'

const Difference = allow.object('A field that differs', {
  field: allow.text('"shipTo.street", "lines[2].quantity"'),
  ours: allow.optional(allow.anything('In the order; absent where it does not say')),
  theirs: allow.optional(allow.anything('In the shop; absent where it does not say')),
})
export type Difference = TypeOf<typeof Difference>

export const OrderRow = allow.object('What became of one order, in the order of the input', {
  reference: allow.text("The caller's own key of the order"),
  status: allow.word(
    ['created', 'exists', 'rejected', 'conflict', 'failed', 'unknown', 'new', 'not-sent'],
    'created, exists: the shop has it; rejected, conflict: the shop does not want it; failed: the shop does not have it, and may take it later; unknown: it is not known whether the shop has it; new: it would be sent (--dry-run); not-sent: the run ended before its turn',
  ),
  id: maybe.text("The shop's id of it; null where there is none, or it is not known"),
  detail: maybe.text('A sentence; null where there is nothing to add'),
  attempts: allow.count('How often it was sent in this run'),
  httpStatus: maybe.count('HTTP status of the last response; null where nothing was sent or answered'),
  differences: maybe.list(
    Difference,
    'Fields that differ from the order of the shop; null but for a conflict',
  ),
  run: ofRun,
})
export type OrderRow = TypeOf<typeof OrderRow>

const ByShop = 'as the shop sends it, with all other members that the shop sends'

export const ShopOrder = allow.object(`A submitted order, ${ByShop}: help fields lists them`, {
  reference: allow.text("The caller's own key of the order"),
  id: allow.text("The shop's id of it"),
})

export const CustomerRow = allow.object(`A customer, ${ByShop}: customer fields lists them`, {
  id: allow.text("The shop's id of the customer"),
})

export const CustomerRecord = allow.object(`A customer, ${ByShop}`, {
  id: allow.text("The shop's id of the customer"),
  addresses: maybe.list(
    allow.object('An address, with the members that the shop sends', {
      use: allow.text('"billing", "shipping", "billing, shipping", or empty'),
    }),
    'The default ones first; null where the account may not read them',
  ),
  recentOrders: maybe.list(
    allow.anyObject('An order'),
    'The newest first; null where the account may not read them',
  ),
})

export const FacetRow = allow.object('Customers counted by the values of a field (--facet)', {
  facet: allow.text('As --facet names it'),
  value: allow.anything('The value; null for customers without one'),
  count: allow.count('Customers with this value'),
})

export const CustomerCount = allow.object('With --count', {count: allow.count('Customers that match')})
