import type {VerificationReason, VerificationResult} from './verification.js'

/**
 * Who sent an event, or what establishes that:
 *
 * - `verified`: a good signature, or the provider's own answer has this id with this content
 * - `token`: it came with a webhook token of this shop
 * - `not-needed`: the call carries only an id, and the shop asks the provider itself
 * - `wrong-token`: it came with another token
 * - `unverified`: nothing establishes it
 * - `forged`: the check shows that the provider did not send it
 */
export const SENDERS = ['verified', 'token', 'not-needed', 'wrong-token', 'unverified', 'forged'] as const
export type EventSender = (typeof SENDERS)[number]

/** What an event came with, before anything is checked. */
export const ARRIVALS = ['token', 'not-needed', 'wrong-token', 'unverified'] as const
export type ArrivedWith = (typeof ARRIVALS)[number]

/** Whether a call had a token that only provider and shop know, or needs none. */
export function isProven(arrivedWith: ArrivedWith): boolean {
  return arrivedWith === 'token' || arrivedWith === 'not-needed'
}

/** What is known about an event's sender. */
export interface SenderEvidence {
  readonly arrivedWith: ArrivedWith
  readonly verification: VerificationResult
}

/** The sender of an event: the check decides; if it decides nothing, what the event came with does. */
export function findSender({arrivedWith, verification}: SenderEvidence): EventSender {
  return verification === 'not-checked' ? arrivedWith : verification
}

/** The token of a call, and the shop's answer to it. */
export interface ShownToken {
  /** Whether the provider's calls carry a token at all. */
  readonly isNeeded: boolean
  /** Whether it is one of this shop's; `undefined` if the call has none that can be read. */
  readonly isOwn: boolean | undefined
  /** Whether the shop answered that it is invalid. */
  readonly isRefused: boolean
}

/** What an event came with, by the token of its call. The first that fits counts. */
export function classifyArrival({isNeeded, isOwn, isRefused}: ShownToken): ArrivedWith {
  if (!isNeeded) return 'not-needed'
  if (isOwn) return 'token'
  return isOwn === false || isRefused ? 'wrong-token' : 'unverified'
}

/** Compares the strength of two senders: of two bodies under one id, the stronger sender's stays. */
const STRENGTHS: Readonly<Record<EventSender, number>> = {
  ...{verified: 3, token: 2, 'not-needed': 2},
  ...{unverified: 1, 'wrong-token': 1, forged: 0},
}

/** @returns more than 0 where the first is the stronger, less than 0 where the other is */
export function compareSenders(one: EventSender, other: EventSender): number {
  return STRENGTHS[one] - STRENGTHS[other]
}

/** Whether a replay sends events of this sender without a flag. */
export function isTrusted(sender: EventSender): boolean {
  return STRENGTHS[sender] >= STRENGTHS.token
}

/** Whether a signature vouches for an event, and not the provider's list. */
export function isSignedEvent(event: {
  readonly verification: VerificationResult
  readonly verificationReason: VerificationReason | null
}): boolean {
  return event.verification === 'verified' && event.verificationReason === null
}
