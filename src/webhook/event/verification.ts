/** What checking the provider's signature of an event came to. */
export const VERIFICATIONS = ['verified', 'forged', 'not-checked'] as const
export type VerificationResult = (typeof VERIFICATIONS)[number]

/** Why an event is `forged` or `not-checked`, as a person reads it. */
export const VERIFICATION_REASONS = {
  'foreign-certificate': "its certificate is not at the provider's address",
  'not-signed': "its signature was not made with the provider's key",
  'other-body': 'its transmission id came before, with another body',
  'no-signature': "it came without the provider's signature headers",
  'other-environment': 'its certificate is at another environment of the provider',
  'other-registration': 'no known webhook id matches: another registration, or changed on its way',
  'no-webhook-id': 'no webhook id of the shop is known',
  'no-certificate': 'its certificate could not be fetched',
  'invalid-certificate': 'the chain or the dates of its certificate are not valid',
  'other-algorithm': 'it is not signed with SHA256withRSA',
  'changed-bytes': 'its bytes may not be those that were sent',
  'not-confirmed': 'the provider did not confirm it for any known webhook id',
} as const

export type VerificationReason = keyof typeof VERIFICATION_REASONS

/** What a check came to. */
export interface Verification {
  readonly result: VerificationResult
  /** `null` for a verified event. */
  readonly reason: VerificationReason | null
}
