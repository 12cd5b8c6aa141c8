import {DRIFT_KINDS} from '../payment/drift/drift.js'
import {allow, maybe, type TypeOf} from './members.js'
import {ofPlanEnd, ofPlanHead, ofResult, ofRun} from './replay-rows.js'

const orderNumber = allow.text("Number of the shop's order")
const amount = maybe.money(
  'What is to be paid; null where it cannot be read, or the shop has no such payment',
)
const providerOrder = maybe.text("The provider's order; null where there is none")
const salesChannel = maybe.text('Id of the sales channel')

const paymentMembers = {
  transaction: allow.text('Id of the last order transaction'),
  orderNumber,
  order: allow.text("Id of the shop's order"),
  state: allow.text("The transaction's state, by its technical name"),
  orderState: allow.text("The order's state, by its technical name"),
  amount,
  salesChannel,
  providerOrder,
  attempts: allow.count('Order transactions of the order'),
  createdAt: allow.time('When the transaction was created'),
}

export const PaymentRow = allow.object('A payment of the shop', paymentMembers)
export type PaymentRow = TypeOf<typeof PaymentRow>

const Movement = allow.object('A movement of money', {
  id: allow.text("The provider's id of it"),
  kind: allow.word(['authorization', 'capture', 'refund', 'dispute', 'other'], 'What it is'),
  status: allow.word(['done', 'pending', 'declined'], 'Whether the money moved'),
  amount: allow.money('Never below 0'),
  at: allow.time('When it was'),
  orderId: providerOrder,
  transactionId: maybe.text('The order transaction that it names; null for none'),
  invoiceId: maybe.text('The order number that it names; null for none'),
  captureId: maybe.text('The capture that a refund gives back; null for others'),
  isFinal: allow.optional(allow.flag('Whether a capture is the last of its order')),
  expiresAt: allow.optional(allow.time('When an authorization ends, as the provider says')),
  reversed: allow.optional(allow.word(['all', 'part'], 'How much of a capture was given back')),
})

const ofTransaction = {
  id: allow.text('Id of the order transaction'),
  state: allow.text('By its technical name'),
  createdAt: allow.time('When it was created'),
  providerOrderId: providerOrder,
}

export const StateMove = allow.object('A move of the state', {
  at: allow.time('When it was'),
  transaction: allow.text('Id of the order transaction'),
  from: allow.text('State before, by its technical name'),
  to: allow.text('State after'),
  action: maybe.text('The transition; null where the shop does not say'),
})
export type StateMove = TypeOf<typeof StateMove>

export const PaymentRecord = allow.object('One payment, with both sides and its history', {
  difference: maybe.word(
    [...DRIFT_KINDS, 'none'],
    'How it differs from the provider; null where the provider was not asked',
  ),
  detail: maybe.text('The same in a sentence; null where it does not differ'),
  expected: maybe.text("State that goes with the provider's money; null where there is none"),
  ...paymentMembers,
  earlier: allow.list(allow.object('An attempt to pay', ofTransaction), 'Earlier attempts to pay the order'),
  movements: allow.list(Movement, 'What the provider has of it'),
  events: allow.rows('Its events in the inbox, the oldest first', {
    id: allow.text("The provider's id of the event"),
    type: allow.text('Its type'),
    status: allow.text('Its delivery status'),
    createdAt: allow.time('When the provider created it'),
  }),
  history: allow.list(StateMove, 'Moves of its state, the oldest first'),
  note: maybe.text("Why the provider's side is missing; null where it is there"),
})
export type PaymentRecord = TypeOf<typeof PaymentRecord>

const ofDrift = {
  kind: allow.word(DRIFT_KINDS, 'How it differs'),
  orderNumber: allow.null(orderNumber),
  transaction: maybe.text('Id of the order transaction; null where the shop has none'),
  amount,
}

const inShop = {
  state: maybe.text('State in the shop, by its technical name; null where the shop has no such payment'),
  expected: maybe.text("State that goes with the provider's money; null where no state of the shop does"),
}

export const DriftRow = allow.object('A payment that differs from the provider', {
  ...ofDrift,
  ...inShop,
  order: maybe.text("Id of the shop's order; null where the shop has none"),
  providerAmount: maybe.money(
    'What the provider has: captured and not given back; null where it cannot be read',
  ),
  orderState: maybe.text("The order's state, by its technical name"),
  salesChannel,
  providerOrder,
  movements: allow.list(allow.text('An id'), "The provider's captures and refunds"),
  createdAt: maybe.time('When the payment was begun, or the money moved'),
  repair: allow.optional(allow.text('With --plan: how it is repaired')),
  detail: allow.text('What the two sides have, in a sentence'),
})
export type DriftRow = TypeOf<typeof DriftRow>

export const RepairRow = allow.object('What became of one payment (--apply)', {
  ...ofDrift,
  repair: allow.text('How it was to be repaired'),
  ...ofResult,
  run: ofRun,
})
export type RepairRow = TypeOf<typeof RepairRow>

export const RepairPlanHead = allow.object('The first line', {
  storectlRepairPlan: allow.is(1),
  ...ofPlanHead,
  skipFlows: allow.flag('Whether the shop runs none of its flows for the repairs'),
})
export type RepairPlanHead = TypeOf<typeof RepairPlanHead>

const Repair = allow.either([
  allow.object('A replay', {
    way: allow.word(['replay'], 'A stored event is sent to the shop again'),
    event: allow.text('Its id'),
    sha256: allow.text('SHA-256 of its body, lower-case hex'),
  }),
  allow.object('A resend', {
    way: allow.word(['resend'], 'The provider delivers an event again'),
    event: allow.text('Its id'),
  }),
  allow.object('A transition', {
    way: allow.word(['transition'], 'The shop moves the state'),
    action: allow.text('The transition'),
  }),
  allow.object('None', {way: allow.word(['by-hand'], 'A person decides'), why: allow.text('A sentence')}),
])
export type Repair = TypeOf<typeof Repair>

export const PlannedRepair = allow.object('A line a payment', {
  ...ofDrift,
  ...inShop,
  providerOrders: allow.list(allow.text('An id'), 'Orders of the provider that it is about'),
  repair: Repair,
  detail: allow.text('What the two sides have, in a sentence'),
})
export type PlannedRepair = TypeOf<typeof PlannedRepair>

export const RepairPlanEnd = allow.object('The last line', {
  payments: allow.count('Lines between the first and this one'),
  hash: ofPlanEnd,
})

const ComparisonProgress = allow.object('What was compared', {
  payments: allow.count('Payments of the shop that were compared'),
  movements: allow.count('Movements of the provider that were read'),
  asked: allow.count('Orders that the provider was asked for singly'),
  found: allow.count('Payments that differ'),
  reportedUntilMs: allow.optional(
    allow.count('Where the report of the provider ends, milliseconds since 1970'),
  ),
  hasNoDeliveries: allow.optional(allow.flag('Whether returned orders could not be looked for')),
})

export const ComparisonReport = allow.object('One object', {
  verdict: allow.text('A sentence'),
  totals: ComparisonProgress,
  kinds: allow.rows('Payments by how they differ', {
    kind: ofDrift.kind,
    count: allow.count('Payments'),
    amounts: allow.amounts('What is to be paid; where the shop has no such payment, what was captured'),
    meaning: allow.text('A sentence'),
    repair: allow.text('What repairs it'),
  }),
  comparison: allow.object('What was asked for; further members are not promised', {
    id: allow.text('Its id'),
    target: allow.text('Name of the shop in the inbox'),
    startedAt: allow.time('When it was begun'),
    completedAt: maybe.time('When it was complete; null while it is not'),
    since: allow.time('Payments begun at this time or later'),
    until: allow.time('Payments begun before'),
    salesChannel: maybe.text('Id of the only sales channel; null for all'),
    where: maybe.text('Its condition; null for none'),
  }),
  command: allow.text('The command as it was typed'),
  payments: allow.list(DriftRow, 'Payments that differ'),
  writtenAt: allow.time('When the report was written'),
})
export type ComparisonReport = TypeOf<typeof ComparisonReport>
