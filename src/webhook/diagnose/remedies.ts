import type {Cause} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import {readPaymentWord} from './known-drift.js'

/**
 * What ends a cause:
 *
 * - `replay`: sent again, where needed once something else is set up
 * - `resolve`: taken off the failed list, since a replay would not send it
 * - `set-up`: a setting of ours or of the shop
 * - `by-hand`: a person decides; the command helps and decides nothing
 * - `none`: there is nothing to do
 */
export const REMEDIES = ['replay', 'resolve', 'set-up', 'by-hand', 'none'] as const
export type Remedy = (typeof REMEDIES)[number]

interface CauseText {
  readonly remedy: Remedy
  /** True of each event that has the cause; what differs among them is evidence. */
  readonly detail: string
}

/** What a cause means, and the one remedy that it has. */
const TEXTS: Readonly<Record<Cause, CauseText>> = {
  delivered: {remedy: 'none', detail: 'The shop accepted it.'},
  resolved: {remedy: 'none', detail: 'Resolved by hand.'},
  conflict: {
    remedy: 'by-hand',
    detail: 'Several bodies have its id. A person must decide unless a check finds the true one.',
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
  'unknown-version': {remedy: 'set-up', detail: "What it would do depends on the shop's version."},
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
    detail: "It came with a webhook token that is not this shop's. A person must decide unless a check does.",
  },
  unverified: {
    remedy: 'by-hand',
    detail: 'Nothing establishes its sender. A person must decide unless a check does.',
  },
  'out-of-order': {
    remedy: 'replay',
    detail: 'It would pass, but after a newer event, or it would move the payment backwards.',
  },
  'maybe-applied': {
    remedy: 'replay',
    detail: 'Its payment is in that state already, not surely by this event: it may be another part of it.',
  },
  'access-denied': {
    remedy: 'replay',
    detail: 'A proxy before the webhook route refused it: it requires credentials or headers.',
  },
  'wrong-address': {
    remedy: 'replay',
    detail: "No webhook route at its address: the base URL or the provider's name was wrong.",
  },
  'content-type': {
    remedy: 'replay',
    detail: 'The shop ignored the body, because its content type is wrong.',
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
}

/** Releases what is too old, at the end of a replay's command. */
export const MAX_AGE = ' --max-age none'

/** Checks the senders of all events. */
export const VERIFY = 'storectl webhook verify'

/** What a replay of an event needs beside its id. */
export interface ReplayWords {
  /** What is to be set up before, as a command. */
  readonly after?: string | undefined
  /** Flags, each behind a blank. */
  readonly flags?: string
}

/** Why one event is where it is. */
export interface Diagnosis {
  readonly cause: Cause
  readonly remedy: Remedy
  /** A sentence for people, the same for all events of the cause. */
  readonly detail: string
  /** What it rests on. */
  readonly evidence: readonly string[]
  /** What would make it pass, end it, or help to decide: a command. `null` where there is nothing to do. */
  readonly next: string | null
}

/** A diagnosis with the remedy of its cause. @param how the words of a replay, or another command */
export function diagnoseAs(
  cause: Cause,
  event: InboxEvent,
  evidence: readonly string[],
  how: ReplayWords | string | null = {},
): Diagnosis {
  const {detail, remedy: usual} = TEXTS[cause]
  // A token that is still another one is set up first, for whatever came with it.
  const remedy = usual === 'replay' && typeof how === 'string' ? 'set-up' : usual
  const next = typeof how === 'string' || how === null ? how : writeCommand(remedy, event, how)
  return {cause, remedy, detail, evidence, next}
}

function writeCommand(remedy: Remedy, event: InboxEvent, {after, flags = ''}: ReplayWords): string | null {
  const {id, traits} = event
  if (remedy === 'resolve') return `storectl webhook resolve ${id} --reason TEXT`
  if (remedy === 'replay') {
    const first = after === undefined ? '' : `${after}, then `
    return `${first}storectl webhook replay ${id}${flags}`
  }
  if (remedy !== 'by-hand') return null
  const word = readPaymentWord(traits.keyText)
  return word === null ? `storectl webhook show ${id}` : `storectl payment show ${word}`
}
