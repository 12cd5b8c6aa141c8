import {allow, maybe, type TypeOf} from './members.js'
import {ofRun} from './replay-rows.js'

const Difference = allow.object('A field that differs', {
  field: allow.text('"shipTo.street", "lines[2].quantity"'),
  ours: allow.optional(allow.anything('Value in the submitted order; absent if it has none')),
  theirs: allow.optional(allow.anything('Value in the shop; absent if it has none')),
})
export type Difference = TypeOf<typeof Difference>

export const OrderRow = allow.object('Result for an order, in input order', {
  reference: allow.text("The order's reference in your system"),
  status: allow.word(
    ['created', 'exists', 'rejected', 'conflict', 'failed', 'unknown', 'new', 'not-sent'],
    'created, exists: the shop has it; rejected: the shop refused it; conflict: the shop has another order with this reference; failed: the shop does not have it, and a retry may succeed; unknown: the shop may or may not have it; new: it would be sent (--dry-run); not-sent: the run ended before its turn',
  ),
  id: maybe.text('Id in the shop; null if there is none, or it is unknown'),
  detail: maybe.text('Explanation; null if there is none'),
  attempts: allow.count('How often this run sent it'),
  httpStatus: maybe.count('HTTP status of the last response; null if there was none'),
  differences: maybe.list(
    Difference,
    'For a conflict, fields that differ from the order in the shop; else null',
  ),
  run: ofRun,
})
export type OrderRow = TypeOf<typeof OrderRow>

const ByShop = 'with all members that the shop sends'

export const ShopOrder = allow.object(`A submitted order, ${ByShop}: storectl help fields`, {
  reference: allow.text("The order's reference in your system"),
  id: allow.text('Id in the shop'),
})

export const CustomerRow = allow.object(`A customer, ${ByShop}: storectl customer fields`, {
  id: allow.text('Id in the shop'),
})

export const CustomerRecord = allow.object(`A customer, ${ByShop}`, {
  id: allow.text('Id in the shop'),
  addresses: maybe.list(
    allow.object('An address, with all members that the shop sends', {
      use: allow.text('Default address for: "billing", "shipping", "billing, shipping", or empty'),
    }),
    'Default addresses first; null if the account may not read them',
  ),
  recentOrders: maybe.list(
    allow.anyObject('An order'),
    'Newest first; null if the account may not read them',
  ),
})

export const FacetRow = allow.object('Customers counted by the values of a field (--facet)', {
  facet: allow.text('The field, as given to --facet'),
  value: allow.anything('A value; null for customers without one'),
  count: allow.count('Customers with this value'),
})

export const CustomerCount = allow.object('With --count', {count: allow.count('Customers that match')})
