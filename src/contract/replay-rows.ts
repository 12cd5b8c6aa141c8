import {STATUSES} from '../webhook/event/event-status.js'
import {ACTIONS, REASONS, type Rules} from '../webhook/plan/judged.js'
import {ofEvent, ofPayment, ofSender} from './event-rows.js'
import {allow, maybe, type TypeOf} from './members.js'

/** What became of one payment, in the rows of a replay and of a run of repairs. */
export const ofResult = {
  result: allow.text(
    '"applied", "unchanged", "accepted" (state not checked), "rejected", "failed", "unknown", "held", "skipped", "invalid" or "not-sent"',
  ),
  detail: maybe.text('Explanation; null if there is none'),
  status: maybe.count('HTTP status of the last response; null if there was none'),
  before: maybe.text('Payment state before; null if not read'),
  after: maybe.text('Payment state after; null if not read'),
  attempts: allow.count('How often this run sent it'),
}

export const ofRun = maybe.text('Id of the run; null if there was nothing to send')

export const ReplayRow = allow.object('Result for an event, in the order in which they finish', {
  ...ofEvent,
  ...ofPayment,
  sender: ofSender,
  ...ofResult,
  durationMs: maybe.count(
    'From the first attempt to the end, waits included, milliseconds; null if nothing was sent',
  ),
  run: ofRun,
})
export type ReplayRow = TypeOf<typeof ReplayRow>

const action = allow.word(ACTIONS, 'What a replay does with it')
const reason = maybe.word(REASONS, 'Why it is skipped or held; else null')
const ofPlan = {
  detail: maybe.text('Explanation; null if there is none'),
  state: maybe.text('Payment state in the shop; null if not read'),
  orderingKey: allow.text('Events with the same key are sent one at a time'),
  status: allow.word(STATUSES, 'Delivery status'),
  sender: ofSender,
}

export const PlanRow = allow.object('What a replay would do with an event (--dry-run)', {
  ...ofEvent,
  ...ofPayment,
  action,
  reason,
  ...ofPlan,
  shopVersion: maybe.text('Shop version that the plan is for; null if unknown'),
  pluginVersion: maybe.text('Version of its payment plugin; null if unknown'),
})
export type PlanRow = TypeOf<typeof PlanRow>

const PlanTotal = allow.object('Events with the same sender, action and reason', {
  sender: ofSender,
  action,
  reason,
  count: allow.count('Events'),
  amounts: allow.amounts('Sum of their amounts'),
})
export type PlanTotal = TypeOf<typeof PlanTotal>

export const PlanSummary = allow.object('Last element of the list that --dry-run -o json prints', {
  summary: allow.list(PlanTotal, 'Events by sender, action and reason, largest count first'),
})

/** What begins a plan file of any kind. */
export const ofPlanHead = {
  target: allow.text('The shop: its base URL, or "local"'),
  profile: allow.text('Name of the profile that chose the shop'),
  madeAt: allow.time('When the plan was made'),
}
export const ofPlanEnd = allow.text(
  'SHA-256 of all lines before this one, including line ends, lower-case hex',
)

export const PlanHead = allow.object('First line of the file', {
  storectlPlan: allow.is(1),
  ...ofPlanHead,
  isNamed: allow.flag('Whether the events were chosen by id'),
  rules: allow.anyObject<Rules>('Rules behind the actions; its members are not promised'),
  words: allow.list(allow.text('An argument'), 'Ids and files on the command line'),
  selection: allow.anyObject('Filters on the command line; its members are not promised'),
})
export type PlanHead = TypeOf<typeof PlanHead>

export const PlanLine = allow.object('One line per event, in sending order', {
  ...ofEvent,
  action,
  reason,
  ...ofPlan,
  transaction: ofPayment.transaction,
  sha256: allow.text('SHA-256 of the body, lower-case hex'),
})
export type PlanLine = TypeOf<typeof PlanLine>

export const PlanEnd = allow.object('Last line of the file', {
  events: allow.count('Number of lines between the first and this one'),
  send: allow.count('Events to send'),
  hash: ofPlanEnd,
})
