/**
 * The remedy of a cause:
 *
 * - `replay`: send it again, if necessary after something else is set up
 * - `resolve`: remove it from the failed list, since a replay would not send it
 * - `set-up`: a setting of ours or of the shop
 * - `by-hand`: a person decides; the command helps and decides nothing
 * - `none`: nothing to do
 */
export const REMEDIES = ['replay', 'resolve', 'set-up', 'by-hand', 'none'] as const
export type Remedy = (typeof REMEDIES)[number]

/** What a cause means, and the one remedy that it has. */
export interface CauseRow {
  readonly remedy: Remedy
  /** Applies to each event with the cause; differences among them are evidence. */
  readonly detail: string
  /** The command that helps, with `ID` for the event's; default: the usual one of the remedy. */
  readonly next?: string
  /** The command to run before a replay. */
  readonly before?: string
  /** Flags of the replay, each behind a blank. */
  readonly flags?: string
}

/** Checks the senders of all events. */
export const VERIFY = 'storectl webhook verify'

/**
 * The causes: what is known here, then what the receiver checks, in its order, then why a replay would hold the event,
 * then what prevented its last delivery. docs/webhooks.md has a line for each.
 *
 * @see protocol.md §4.2 to §4.6
 */
const ROWS = {
  delivered: {remedy: 'none', detail: 'The shop accepted it.'},
  resolved: {remedy: 'none', detail: 'Resolved by hand.', next: 'storectl webhook show ID --attempts'},
  conflict: {
    remedy: 'by-hand',
    detail: 'Several bodies have its id. A person must decide, unless webhook verify finds the true one.',
    next: VERIFY,
  },
  forged: {remedy: 'resolve', detail: 'The provider did not send it. A replay never sends it.'},
  'token-mismatch': {
    remedy: 'replay',
    detail: 'The shop refused the webhook token: it was changed, or belongs to another shop.',
  },
  malformed: {remedy: 'resolve', detail: 'The shop cannot parse the body.'},
  'no-handler': {
    remedy: 'resolve',
    detail: 'The shop has no handler for its type: it answers 200 and changes nothing.',
  },
  'wrong-resource': {
    remedy: 'resolve',
    detail: 'Its resource_version and resource_type do not match its type.',
  },
  'no-transaction': {
    remedy: 'resolve',
    detail: 'It names no transaction of the shop; the order may be from another shop.',
  },
  'unknown-transaction': {
    remedy: 'resolve',
    detail:
      'The shop does not know its transaction: another shop of the same provider account, or a copy of it.',
  },
  ambiguous: {
    remedy: 'by-hand',
    detail: 'Several transactions match, and the shop uses one of them. A person must compare them.',
  },
  'missing-field': {remedy: 'resolve', detail: 'The body lacks a field that the shop requires.'},
  'already-final': {
    remedy: 'resolve',
    detail: 'Impossible transition: its payment was refunded or failed, and the event changes nothing.',
  },
  'invalid-transition': {
    remedy: 'by-hand',
    detail: 'Impossible transition from the present state. A person must decide about the payment.',
  },
  'unknown-version': {
    remedy: 'set-up',
    detail: "What it would do depends on the shop's version.",
    next: 'storectl profile set NAME --shop-version VERSION --plugin-version VERSION',
  },
  'already-applied': {
    remedy: 'resolve',
    detail: 'Its payment is in that state already; sending it changes nothing.',
  },
  'other-authorization': {
    remedy: 'resolve',
    detail: 'It voids another authorization than that of its payment; sending it changes nothing.',
  },
  'in-flight': {remedy: 'none', detail: 'A capture is forwarding it to the shop now.'},
  'other-provider': {
    remedy: 'by-hand',
    detail: "Another provider than the profile's sent it. A person must choose the profile.",
    next: 'storectl profile set NAME --provider NAME',
  },
  'amount-differs': {
    remedy: 'by-hand',
    detail: "It does not add up to the payment's amount or currency. A person must compare them.",
  },
  'unknown-result': {
    remedy: 'by-hand',
    detail: 'An earlier attempt may have been applied, and nothing shows whether. A person must check.',
  },
  blocked: {
    remedy: 'by-hand',
    detail: 'An event of its payment has an unknown result. A person must decide about that one first.',
  },
  'wrong-token': {
    remedy: 'by-hand',
    detail:
      "It came with a webhook token that is not this shop's. A person must decide, unless webhook verify can.",
    next: VERIFY,
  },
  unverified: {
    remedy: 'by-hand',
    detail: 'Nothing establishes its sender. A person must decide, unless webhook verify can.',
    next: VERIFY,
  },
  'out-of-order': {
    remedy: 'replay',
    detail: 'It would pass, but after a newer event, or it would move the payment backwards.',
    flags: ' --include-out-of-order',
  },
  'maybe-applied': {
    remedy: 'replay',
    detail: 'Its payment is in that state already, not surely by this event: it may be another part of it.',
  },
  'access-denied': {
    remedy: 'replay',
    detail: 'A proxy before the webhook route refused it: it requires credentials or headers.',
    before: 'printf "Authorization: Basic …" | storectl profile set NAME --header-stdin',
  },
  'wrong-address': {
    remedy: 'replay',
    detail: "No webhook route at its address: the base URL or the provider's name was wrong.",
    before: 'storectl profile set NAME --provider NAME',
  },
  'content-type': {
    remedy: 'replay',
    detail: 'The shop ignored the body, because its content type is wrong.',
    flags: ' --via provider',
  },
  'shop-unavailable': {
    remedy: 'replay',
    detail: 'The shop or its proxy was unavailable. The event would pass now.',
  },
  'not-sent': {remedy: 'replay', detail: 'It was not sent yet, and would pass now.'},
  temporary: {
    remedy: 'replay',
    detail: 'The cause was temporary, perhaps a deadlock or an outage of the provider. It would pass now.',
  },
  'not-diagnosed': {
    remedy: 'set-up',
    detail: 'The payment could not be checked. All other checks passed.',
  },
} as const satisfies Readonly<Record<string, CauseRow>>

export type Cause = keyof typeof ROWS
export const CAUSE_ROWS: Readonly<Record<Cause, CauseRow>> = ROWS
export const CAUSES = Object.keys(ROWS) as readonly Cause[]
