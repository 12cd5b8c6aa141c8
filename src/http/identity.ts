/** A certificate with its private key, both PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}
