/**
 * Why an event is where it is: what is known here, then what the receiver looks at in its order, then what a replay would
 * hold it for, then what was in the way of its last delivery.
 *
 * @see protocol.md §4.2 to §4.6
 */
export const CAUSES = [
  'delivered',
  'resolved',
  'conflict',
  'forged',
  'token-mismatch',
  'malformed',
  'no-handler',
  'wrong-resource',
  'no-transaction',
  'unknown-transaction',
  'ambiguous',
  'missing-field',
  'already-final',
  'invalid-transition',
  'unknown-version',
  'already-applied',
  'other-authorization',
  'in-flight',
  'other-provider',
  'amount-differs',
  'unknown-result',
  'blocked',
  'wrong-token',
  'unverified',
  'out-of-order',
  'maybe-applied',
  'access-denied',
  'wrong-address',
  'content-type',
  'shop-unavailable',
  'not-sent',
  'temporary',
  'not-diagnosed',
] as const
export type Cause = (typeof CAUSES)[number]
