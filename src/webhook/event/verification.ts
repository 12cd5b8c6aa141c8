/** The result of checking an event by its signature, or by the provider's own answer. */
export const VERIFICATIONS = ['verified', 'forged', 'not-checked'] as const
export type VerificationResult = (typeof VERIFICATIONS)[number]

/** Why an event has its result, for people; a good signature needs no reason. */
export const VERIFICATION_REASONS = {
  'foreign-certificate': "certificate URL is not the provider's",
  'not-signed': "signature does not match the provider's key",
  'other-body': 'transmission id already used with another body',
  'no-signature': 'no signature headers of the provider',
  'other-environment': 'certificate is from another environment of the provider',
  'other-registration': 'no known webhook id matches: another registration, or changed in transit',
  'no-webhook-id': 'no webhook id of the shop is known',
  'no-certificate': 'certificate could not be fetched',
  'invalid-certificate': 'certificate chain or dates are not valid',
  'other-algorithm': 'not signed with SHA256withRSA',
  'other-time': 'signed before the event was created, or after it arrived',
  'changed-bytes': 'stored bytes may differ from the bytes sent',
  listed: "the provider's own list has it with this content",
  'not-confirmed': 'the provider did not confirm it for any known webhook id',
} as const

export type VerificationReason = keyof typeof VERIFICATION_REASONS

/** The result of a check. */
export interface Verification {
  readonly result: VerificationResult
  /** `null` for a good signature. */
  readonly reason: VerificationReason | null
}
