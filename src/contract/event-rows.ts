import {CAUSES, REMEDIES} from '../webhook/event/cause.js'
import {STATUSES} from '../webhook/event/event-status.js'
import {SENDERS} from '../webhook/event/sender.js'
import {VERIFICATION_REASONS, VERIFICATIONS, type VerificationReason} from '../webhook/event/verification.js'
import {allow, maybe, type TypeOf} from './members.js'

const REASONS_OF_CHECK = Object.keys(VERIFICATION_REASONS) as VerificationReason[]

/** What names an event, in all rows about one. */
export const ofEvent = {
  id: allow.text("The provider's id of the event, the same for each delivery attempt"),
  type: allow.text('Event type: "PAYMENT.CAPTURE.COMPLETED"'),
  createdAt: allow.time('When the provider created it; if the body does not say, when it was received'),
}

/** What an event is about. */
export const ofPayment = {
  transaction: maybe.text(
    'Payment that the event names: "id:…" (order transaction of the shop), "order:…" or "payment:…" (ids of the provider); null if it names none',
  ),
  orderNumber: maybe.text('Order number in the shop; null until the payment was looked up'),
  amount: maybe.money('Amount in the event; null if it has none'),
}

export const ofSender = allow.word(
  SENDERS,
  "Who sent it: verified: signature or provider confirms it; token: it came with this shop's webhook token; not-needed: the shop asks the provider itself; wrong-token: another token; unverified: nothing proves it; forged: the check failed",
)
const status = allow.word(STATUSES, 'Delivery status')
const answer = maybe.count('HTTP status of the last response; null if there was none')
const message = maybe.text('Message of the last response, or the error')

const eventMembers = {
  ...ofEvent,
  status,
  answer,
  message,
  receivedAt: allow.time('When it was stored in the inbox'),
  changedAt: allow.time('When its status last changed'),
  attempts: allow.count('Delivery attempts that storectl knows of'),
  ...ofPayment,
  resourceType: maybe.text('Resource type: "capture"; null if the body does not say'),
  source: allow.text('Where storectl got it: "capture", "shop", "file events.ndjson"'),
  sizeBytes: allow.count('Body size, bytes'),
  sha256: allow.text('SHA-256 of the body, lower-case hex'),
  conflict: allow.flag('Whether a different body arrived with the same id'),
  sender: ofSender,
  verification: allow.word(VERIFICATIONS, 'Result of the signature check, or of asking the provider'),
  verificationReason: maybe.word(
    REASONS_OF_CHECK,
    'Reason for that result; null if the signature is valid, or was not checked yet',
  ),
  cause: maybe.word(
    CAUSES,
    'Why it failed, from the last diagnosis; null if there was none since its last change',
  ),
  resolvedAt: maybe.time('When a person marked it as resolved; null if nobody did'),
  resolvedBy: maybe.text('Who did'),
  resolvedReason: maybe.text('Their --reason; null if none'),
  resolvedRun: maybe.text('Id of the run that recorded it'),
}

export const EventRow = allow.object('An event of the inbox', eventMembers)
export type EventRow = TypeOf<typeof EventRow>

export const EventRecord = allow.object('An event with its body', {
  ...eventMembers,
  state: maybe.text('Payment state in the shop; null if not found, see stateWhy'),
  stateWhy: maybe.text('Why the state is unknown; null if it is known'),
  headers: allow.optional(
    allow.record(
      allow.either([
        allow.text('Its value'),
        allow.list(allow.text('Its value'), 'If the header was sent more than once'),
      ]),
      'With --headers: the request headers',
    ),
  ),
  body: allow.anything('The body as JSON; a string if it is not JSON'),
})
export type EventRecord = TypeOf<typeof EventRecord>

export const AttemptRow = allow.object('An entry in the history of an event (--attempts), oldest first', {
  at: allow.time('When it was recorded'),
  by: allow.word(
    ['run', 'delivery', 'person'],
    'run: storectl sent it; delivery: somebody else delivered it; person: marked by hand',
  ),
  run: maybe.text('Id of the run that sent or marked it; null for a delivery'),
  attempt: maybe.count('Attempt number within the run, from 1; 0 if nothing was sent'),
  result: maybe.text('A result of a run, a delivery status, or how it was marked'),
  status: maybe.count('HTTP status of the response; null if there was none'),
  detail: maybe.text('A sentence'),
  sender: maybe.word(SENDERS, "Sender of this delivery, if less certain than the event's; else null"),
})
export type AttemptRow = TypeOf<typeof AttemptRow>

export const EventGroupRow = allow.object('Events counted by a common value (--group-by)', {
  key: maybe.text('The common value; with --group-by hour, the start of the hour'),
  count: allow.count('Events'),
  first: allow.time('When the provider created the first one'),
  last: allow.time('When it created the last one'),
  statuses: allow.counts('Number of events by delivery status'),
  amounts: allow.amounts('Sum of their amounts'),
})
export type EventGroupRow = TypeOf<typeof EventGroupRow>

const Remedy = allow.word(
  REMEDIES,
  'replay: send it again; resolve: mark it as resolved; set-up: change a setting; by-hand: a person decides; none: nothing to do',
)

export const KnownDrift = allow.object('How the payment differed from the provider in the last comparison', {
  kind: allow.text('Kind of difference, as in payment reconcile'),
  detail: allow.text('A sentence'),
  comparedAt: allow.time('When that comparison was made'),
})
export type KnownDrift = TypeOf<typeof KnownDrift>

export const DiagnosisRow = allow.object('Why an event has its status', {
  ...ofEvent,
  status,
  answer,
  message,
  ...ofPayment,
  cause: allow.word(CAUSES, 'Cause of its status: storectl help causes'),
  remedy: Remedy,
  detail: allow.text('Explanation of the cause, the same for all its events'),
  evidence: allow.list(allow.text('A sentence'), 'Evidence for the cause'),
  sender: ofSender,
  next: maybe.text('Command to run next; null if there is nothing to do'),
  drift: allow.null(KnownDrift),
  ifSent: maybe.text(
    'If only its unverified sender holds it, what sending would do: "would apply"; else null',
  ),
  payment: allow.optional(maybe.text('With one id: command that shows the payment; null if there is none')),
})
export type DiagnosisRow = TypeOf<typeof DiagnosisRow>

export const CauseGroup = allow.object('Events with the same cause (without ids, or with --summary)', {
  cause: allow.word(CAUSES, 'Cause of their status: storectl help causes'),
  count: allow.count('Events'),
  amounts: allow.amounts('Sum of their amounts'),
  firstAt: allow.time('When the provider created the first one'),
  lastAt: allow.time('When it created the last one'),
  example: DiagnosisRow,
  remedy: Remedy,
  detail: allow.text('Explanation, true for all of them'),
  next: maybe.text('Command for all of them; null if there is nothing to do'),
  differ: allow.count('Events whose payment differed from the provider in the last comparison'),
  drift: allow.null(KnownDrift),
  ifSent: allow.counts('Events that only an unverified sender holds, by what sending them would do'),
})
export type CauseGroup = TypeOf<typeof CauseGroup>

export const ResolutionRow = allow.object('Result for an event', {
  id: ofEvent.id,
  result: allow.text(
    '"resolved", "was-resolved", "was-delivered", "not-found"; with --undo "reopened", "changed"',
  ),
  orderNumber: ofPayment.orderNumber,
  amount: ofPayment.amount,
})
export type ResolutionRow = TypeOf<typeof ResolutionRow>
