import {STATUSES} from '../webhook/event/event-status.js'
import {ACTIONS, REASONS, type Rules} from '../webhook/plan/judged.js'
import {ofEvent, ofPayment, ofSender} from './event-rows.js'
import {allow, maybe, type TypeOf} from './members.js'

/** What became of one payment, in the rows of a replay and of a run of repairs. */
export const ofResult = {
  result: allow.text(
    '"applied", "unchanged", "accepted" (state not checked), "rejected", "failed", "unknown", "held", "skipped", "invalid" or "not-sent"',
  ),
  detail: maybe.text('A sentence; null where there is nothing to add'),
  status: maybe.count('HTTP status of the last response; null where nothing was sent or answered'),
  before: maybe.text("The payment's state before; null where it was not read"),
  after: maybe.text('Its state afterwards; null where it was not read'),
  attempts: allow.count('How often it was sent in this run'),
}

export const ofRun = maybe.text('Id of the run; null where nothing was to be sent')

export const ReplayRow = allow.object('What became of one event, in the order in which they end', {
  ...ofEvent,
  ...ofPayment,
  sender: ofSender,
  ...ofResult,
  durationMs: maybe.count(
    'From the first attempt to the end, waits included, milliseconds; null where nothing was sent',
  ),
  run: ofRun,
})
export type ReplayRow = TypeOf<typeof ReplayRow>

const action = allow.word(ACTIONS, 'What happens to it')
const reason = maybe.word(REASONS, 'Why it is skipped or held; null where it is sent or invalid')
const ofPlan = {
  detail: maybe.text('A sentence; null where there is nothing to add'),
  state: maybe.text("The payment's state in the shop; null where it was not read"),
  orderingKey: allow.text('Events with the same one go one at a time'),
  status: allow.word(STATUSES, 'Delivery status'),
  sender: ofSender,
}

export const PlanRow = allow.object('What a replay would do with one event (--dry-run)', {
  ...ofEvent,
  ...ofPayment,
  action,
  reason,
  ...ofPlan,
  shopVersion: maybe.text('Version of the shop that the plan is for; null where it is not known'),
  pluginVersion: maybe.text('Version of its payment plugin; null where it is not known'),
})
export type PlanRow = TypeOf<typeof PlanRow>

const PlanTotal = allow.object('Events with the same sender, action and reason', {
  sender: ofSender,
  action,
  reason,
  count: allow.count('Events'),
  amounts: allow.amounts('What they are worth'),
})
export type PlanTotal = TypeOf<typeof PlanTotal>

export const PlanSummary = allow.object('The last element of the list of --dry-run -o json', {
  summary: allow.list(PlanTotal, 'Events by sender, action and reason, the most first'),
})

/** What begins a plan file of any kind. */
export const ofPlanHead = {
  target: allow.text('Name of the shop in the inbox: its base URL, or "local"'),
  profile: allow.text('The profile that chose it'),
  madeAt: allow.time('When the plan was made'),
}
export const ofPlanEnd = allow.text(
  'SHA-256 of all lines before this one, line ends included, lower-case hex',
)

export const PlanHead = allow.object('The first line', {
  storectlPlan: allow.is(1),
  ...ofPlanHead,
  isNamed: allow.flag('Whether the events were asked for by their ids'),
  rules: allow.anyObject<Rules>('The rules that its actions follow; its members are not promised'),
  words: allow.list(allow.text('An argument'), 'Ids and files that were asked for'),
  selection: allow.anyObject('The filters that were given; its members are not promised'),
})
export type PlanHead = TypeOf<typeof PlanHead>

export const PlanLine = allow.object('A line an event, in the order of sending', {
  ...ofEvent,
  action,
  reason,
  ...ofPlan,
  transaction: ofPayment.transaction,
  sha256: allow.text('SHA-256 of the body, lower-case hex'),
})
export type PlanLine = TypeOf<typeof PlanLine>

export const PlanEnd = allow.object('The last line', {
  events: allow.count('Lines between the first and this one'),
  send: allow.count('Events to send'),
  hash: ofPlanEnd,
})
