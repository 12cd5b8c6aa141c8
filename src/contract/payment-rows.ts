import {DRIFT_KINDS} from '../payment/drift/drift.js'
import {allow, maybe, type TypeOf} from './members.js'
import {ofPlanEnd, ofPlanHead, ofResult, ofRun} from './replay-rows.js'

const orderNumber = allow.text('Order number in the shop')
const amount = maybe.money('Amount due; null if it cannot be read, or the shop has no such payment')
const providerOrder = maybe.text("Id of the provider's order; null if there is none")
const salesChannel = maybe.text('Id of the sales channel')

const paymentMembers = {
  transaction: allow.text('Id of the latest order transaction'),
  orderNumber,
  order: allow.text('Id of the order in the shop'),
  state: allow.text('State of the transaction (technical name)'),
  orderState: allow.text('State of the order (technical name)'),
  amount,
  salesChannel,
  providerOrder,
  attempts: allow.count('Number of order transactions of the order'),
  createdAt: allow.time('When the transaction was created'),
}

export const PaymentRow = allow.object('A payment of the shop', paymentMembers)
export type PaymentRow = TypeOf<typeof PaymentRow>

const Movement = allow.object('A movement of money', {
  id: allow.text('Id at the provider'),
  kind: allow.word(['authorization', 'capture', 'refund', 'dispute', 'other'], 'Kind of movement'),
  status: allow.word(['done', 'pending', 'declined'], 'Whether the money moved'),
  amount: allow.money('0 or more'),
  at: allow.time('When it happened'),
  orderId: providerOrder,
  transactionId: maybe.text('Order transaction that it refers to; null if none'),
  invoiceId: maybe.text('Order number that it refers to; null if none'),
  captureId: maybe.text('For a refund, the id of the refunded capture; else null'),
  isFinal: allow.optional(allow.flag('For a capture: whether it is the last one of its order')),
  expiresAt: allow.optional(allow.time('For an authorization: when it expires, according to the provider')),
  reversed: allow.optional(allow.word(['all', 'part'], 'How much of a capture was refunded')),
})

const ofTransaction = {
  id: allow.text('Id of the order transaction'),
  state: allow.text('State (technical name)'),
  createdAt: allow.time('When it was created'),
  providerOrderId: providerOrder,
}

export const StateMove = allow.object('A state change', {
  at: allow.time('When it happened'),
  transaction: allow.text('Id of the order transaction'),
  from: allow.text('State before (technical name)'),
  to: allow.text('State after (technical name)'),
  action: maybe.text('The transition; null if the shop does not tell'),
})
export type StateMove = TypeOf<typeof StateMove>

export const PaymentRecord = allow.object('A payment in the shop and at the provider, with its history', {
  difference: maybe.word(
    [...DRIFT_KINDS, 'none'],
    'How shop and provider differ; null if the provider was not asked',
  ),
  detail: maybe.text('The difference in a sentence; null if there is none'),
  expected: maybe.text('State that fits what the provider has; null if none does'),
  ...paymentMembers,
  earlier: allow.list(allow.object('An attempt to pay', ofTransaction), 'Earlier attempts to pay the order'),
  movements: allow.list(Movement, "The provider's movements of money"),
  events: allow.rows('Its events in the inbox, oldest first', {
    id: allow.text("The provider's id of the event"),
    type: allow.text('Event type'),
    status: allow.text('Delivery status'),
    createdAt: allow.time('When the provider created it'),
  }),
  history: allow.list(StateMove, 'State changes, oldest first'),
  note: maybe.text("Why the provider's side is missing; null if it is there"),
})
export type PaymentRecord = TypeOf<typeof PaymentRecord>

const ofDrift = {
  kind: allow.word(DRIFT_KINDS, 'How shop and provider differ'),
  orderNumber: allow.null(orderNumber),
  transaction: maybe.text('Id of the order transaction; null if the shop has none'),
  amount,
}

const inShop = {
  state: maybe.text('State in the shop (technical name); null if the shop has no such payment'),
  expected: maybe.text('State that fits what the provider has; null if none does'),
}

export const DriftRow = allow.object('A payment that differs from the provider', {
  ...ofDrift,
  ...inShop,
  order: maybe.text('Id of the order in the shop; null if there is none'),
  providerAmount: maybe.money('Captured by the provider and not refunded; null if it cannot be read'),
  orderState: maybe.text('State of the order (technical name)'),
  salesChannel,
  providerOrder,
  movements: allow.list(allow.text('An id'), "The provider's captures and refunds"),
  createdAt: maybe.time('When the payment was created, or the money moved'),
  repair: allow.optional(allow.text('With --plan: how it would be repaired')),
  detail: allow.text('What shop and provider have, in a sentence'),
})
export type DriftRow = TypeOf<typeof DriftRow>

export const RepairRow = allow.object('Result for a payment (--apply)', {
  ...ofDrift,
  repair: allow.text('How it was to be repaired'),
  ...ofResult,
  run: ofRun,
})
export type RepairRow = TypeOf<typeof RepairRow>

export const RepairPlanHead = allow.object('First line of the file', {
  storectlRepairPlan: allow.is(1),
  ...ofPlanHead,
  skipFlows: allow.flag('Whether the shop skips its flows for these repairs'),
})
export type RepairPlanHead = TypeOf<typeof RepairPlanHead>

const Repair = allow.either([
  allow.object('A replay', {
    way: allow.word(['replay'], 'storectl sends a stored event to the shop'),
    event: allow.text('Id'),
    sha256: allow.text('SHA-256 of the body, lower-case hex'),
  }),
  allow.object('A resend', {
    way: allow.word(['resend'], 'The provider delivers an event again'),
    event: allow.text('Id'),
  }),
  allow.object('A transition', {
    way: allow.word(['transition'], 'The shop changes the state'),
    action: allow.text('The transition'),
  }),
  allow.object('None', {way: allow.word(['by-hand'], 'A person decides'), why: allow.text('A sentence')}),
])
export type Repair = TypeOf<typeof Repair>

export const PlannedRepair = allow.object('One line per payment', {
  ...ofDrift,
  ...inShop,
  providerOrders: allow.list(allow.text('An id'), "Ids of the provider's orders for this payment"),
  repair: Repair,
  detail: allow.text('What shop and provider have, in a sentence'),
})
export type PlannedRepair = TypeOf<typeof PlannedRepair>

export const RepairPlanEnd = allow.object('Last line of the file', {
  payments: allow.count('Number of lines between the first and this one'),
  hash: ofPlanEnd,
})

const ComparisonProgress = allow.object('What was compared', {
  payments: allow.count('Payments of the shop that were compared'),
  movements: allow.count('Movements read from the provider'),
  asked: allow.count('Orders requested from the provider one by one'),
  found: allow.count('Payments that differ'),
  reportedUntilMs: allow.optional(allow.count("End of the provider's report, milliseconds since 1970")),
  hasNoDeliveries: allow.optional(allow.flag('Whether returned orders could not be checked')),
})

export const ComparisonReport = allow.object('One object', {
  verdict: allow.text('A sentence'),
  totals: ComparisonProgress,
  kinds: allow.rows('Payments by kind of difference', {
    kind: ofDrift.kind,
    count: allow.count('Payments'),
    amounts: allow.amounts('Amount due; if the shop has no such payment, the captured amount'),
    meaning: allow.text('A sentence'),
    repair: allow.text('How to repair it'),
  }),
  comparison: allow.object('The comparison; other members are not promised', {
    id: allow.text('Id'),
    target: allow.text('Name of the shop in the inbox'),
    startedAt: allow.time('When it started'),
    completedAt: maybe.time('When it was complete; null if it is not'),
    since: allow.time('Payments created at this time or later'),
    until: allow.time('Payments created before this time'),
    salesChannel: maybe.text('Id of the sales channel; null for all'),
    where: maybe.text('The --where condition; null if none'),
  }),
  command: allow.text('The command as it was typed'),
  payments: allow.list(DriftRow, 'Payments that differ'),
  writtenAt: allow.time('When the report was written'),
})
export type ComparisonReport = TypeOf<typeof ComparisonReport>
