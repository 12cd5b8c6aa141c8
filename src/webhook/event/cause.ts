/**
 * Why an event is where it is. Those of a call in the order in which the receiver looks.
 *
 * @see protocol.md §4.2 to §4.6
 */
export const CAUSES = [
  'delivered',
  'resolved',
  'conflict',
  'forged',
  'wrong-token',
  'access-denied',
  'wrong-address',
  'token-mismatch',
  'content-type',
  'malformed',
  'no-handler',
  'wrong-resource',
  'no-transaction',
  'unknown-transaction',
  'ambiguous',
  'missing-field',
  'already-final',
  'invalid-transition',
  'already-applied',
  'out-of-order',
  'amount-differs',
  'shop-unavailable',
  'not-sent',
  'temporary',
  'not-diagnosed',
] as const
export type Cause = (typeof CAUSES)[number]
