import {CAUSES, REMEDIES} from '../webhook/event/cause.js'
import {STATUSES} from '../webhook/event/event-status.js'
import {SENDERS} from '../webhook/event/sender.js'
import {VERIFICATION_REASONS, VERIFICATIONS, type VerificationReason} from '../webhook/event/verification.js'
import {allow, maybe, type TypeOf} from './members.js'

const REASONS_OF_CHECK = Object.keys(VERIFICATION_REASONS) as VerificationReason[]

/** What names an event, in all rows about one. */
export const ofEvent = {
  id: allow.text("The provider's id of the event; the same for every attempt to deliver it"),
  type: allow.text('Type of the event: "PAYMENT.CAPTURE.COMPLETED"'),
  createdAt: allow.time('When the provider created it; when it was received where its body does not say'),
}

/** What an event is about. */
export const ofPayment = {
  transaction: maybe.text(
    'What the event names its payment by: "id:…" of the order transaction, "order:…" or "payment:…" of the provider; null where it names none',
  ),
  orderNumber: maybe.text("Number of the shop's order; null until its payment was looked up"),
  amount: maybe.money('Amount that the event names; null where it names none'),
}

export const ofSender = allow.word(SENDERS, 'Who sent it, by what establishes that')
const status = allow.word(STATUSES, 'Delivery status')
const answer = maybe.count('HTTP status of the last answer; null where nothing answered')
const message = maybe.text('Message of the last answer, or what went wrong')

const eventMembers = {
  ...ofEvent,
  status,
  answer,
  message,
  receivedAt: allow.time('When it was stored in the inbox'),
  changedAt: allow.time('When its status changed last'),
  attempts: allow.count('Known attempts to deliver it'),
  ...ofPayment,
  resourceType: maybe.text('Type of its resource: "capture"; null where its body does not say'),
  source: allow.text('Where it came from: "capture", "shop", "file events.ndjson"'),
  sizeBytes: allow.count('Size of the body, bytes'),
  sha256: allow.text('SHA-256 of the body, lower-case hex'),
  conflict: allow.flag('Whether another body came under the same id'),
  sender: ofSender,
  verification: allow.word(
    VERIFICATIONS,
    "Result of checking the provider's signature, or of asking the provider",
  ),
  verificationReason: maybe.word(REASONS_OF_CHECK, 'Why; null for a good signature, and before any check'),
  cause: maybe.word(
    CAUSES,
    'Why it failed, as the last diagnosis found; null where there was none since its last change',
  ),
  resolvedAt: maybe.time('When it was resolved by hand; null where it is not'),
  resolvedBy: maybe.text('Who resolved it'),
  resolvedReason: maybe.text('The reason that they gave; null for none'),
  resolvedRun: maybe.text('The run that resolved it'),
}

export const EventRow = allow.object('An event of the inbox', eventMembers)
export type EventRow = TypeOf<typeof EventRow>

export const EventRecord = allow.object('One event with its body', {
  ...eventMembers,
  state: maybe.text("The payment's state in the shop; null where it was not found, see stateWhy"),
  stateWhy: maybe.text('Why the state is not known; null where it is'),
  headers: allow.optional(
    allow.record(
      allow.either([
        allow.text('Its value'),
        allow.list(allow.text('Its value'), 'Where it came more than once'),
      ]),
      'With --headers: the request headers',
    ),
  ),
  body: allow.anything('The body as JSON; a text where it cannot be parsed'),
})
export type EventRecord = TypeOf<typeof EventRecord>

export const AttemptRow = allow.object('Something that happened to an event (--attempts), the oldest first', {
  at: allow.time('When it was recorded'),
  by: allow.word(
    ['run', 'delivery', 'person'],
    'run: sent again by storectl; delivery: a call of another sender; person: marked by hand',
  ),
  run: maybe.text('The run that sent or marked it; null for a delivery'),
  attempt: maybe.count('Number of the attempt in its run, from 1; 0 where nothing was sent'),
  result: maybe.text('What it came to: a result of a run, a delivery status, or the kind of marking'),
  status: maybe.count('HTTP status of the response; null where nothing answered'),
  detail: maybe.text('A sentence'),
  sender: maybe.word(SENDERS, "Of the call, where it is weaker than the event's; else null"),
})
export type AttemptRow = TypeOf<typeof AttemptRow>

export const EventGroupRow = allow.object('Events counted by what they have in common (--group-by)', {
  key: maybe.text('What the events have in common; the beginning of an hour for --group-by hour'),
  count: allow.count('Events'),
  first: allow.time('When the provider created the first of them'),
  last: allow.time('When it created the last of them'),
  statuses: allow.counts('Events by delivery status'),
  amounts: allow.amounts('What they are worth'),
})
export type EventGroupRow = TypeOf<typeof EventGroupRow>

const Remedy = allow.word(
  REMEDIES,
  'replay: send it again; resolve: take it off the list; set-up: a setting; by-hand: a person decides; none: nothing to do',
)

export const KnownDrift = allow.object(
  'How a payment differed from the provider when it was compared the last time',
  {
    kind: allow.text('How the payment differs, as payment reconcile names it'),
    detail: allow.text('A sentence'),
    comparedAt: allow.time('When it was compared'),
  },
)
export type KnownDrift = TypeOf<typeof KnownDrift>

export const DiagnosisRow = allow.object('Why one event is where it is', {
  ...ofEvent,
  status,
  answer,
  message,
  ...ofPayment,
  cause: allow.word(CAUSES, 'Why it is where it is; storectl help causes'),
  remedy: Remedy,
  detail: allow.text('A sentence, the same for all events of the cause'),
  evidence: allow.list(allow.text('A sentence'), 'What the cause rests on'),
  sender: ofSender,
  next: maybe.text('A command to paste; null where there is nothing to do'),
  drift: allow.null(KnownDrift),
  ifSent: maybe.text(
    'What sending it would come to, where only its unknown sender holds it: "would apply"; else null',
  ),
  payment: allow.optional(maybe.text('With one id: the command that shows its payment; null for none')),
})
export type DiagnosisRow = TypeOf<typeof DiagnosisRow>

export const CauseGroup = allow.object('Events of one cause (without ids, or with --summary)', {
  cause: allow.word(CAUSES, 'Why they are where they are; storectl help causes'),
  count: allow.count('Events'),
  amounts: allow.amounts('What they are worth'),
  firstAt: allow.time('When the provider created the first of them'),
  lastAt: allow.time('When it created the last of them'),
  example: DiagnosisRow,
  remedy: Remedy,
  detail: allow.text('A sentence, true of all of them'),
  next: maybe.text('The command for all of them; null where there is nothing to do'),
  differ: allow.count('Events whose payment differed from the provider when it was compared the last time'),
  drift: allow.null(KnownDrift),
  ifSent: allow.counts(
    'Events by what sending them would come to, where only their unknown senders hold them',
  ),
})
export type CauseGroup = TypeOf<typeof CauseGroup>

export const ResolutionRow = allow.object('What became of one event', {
  id: ofEvent.id,
  result: allow.text(
    '"resolved", "was-resolved", "was-delivered", "not-found"; with --undo "reopened", "changed"',
  ),
  orderNumber: ofPayment.orderNumber,
  amount: ofPayment.amount,
})
export type ResolutionRow = TypeOf<typeof ResolutionRow>
