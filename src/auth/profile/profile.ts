/** Where to talk to, and what kind of place it is; secrets are kept apart. */
export interface Profile {
  /** `local` is the bundled shop; an unnamed one, made of `--url` or `STORECTL_URL` alone, is called `url`. */
  readonly name: string
  /** Base URL, path included: two shops can share an origin. It ends without a slash unless it is an origin alone. */
  readonly url: URL
  /** Path segment of the payment provider in the webhook route: `paypal`. */
  readonly provider: string
  /** `sw` gives the query parameter `sw-token`. */
  readonly tokenPrefix: string
  readonly grant: Grant
  /** `SWIA…` for the client-credentials grant. */
  readonly clientId?: string
  /** For the password grant. */
  readonly username?: string
  /** A write needs `--confirm NAME`. */
  readonly protected: boolean
  /** Base URL of the payment provider's own API; `undefined` stands for the one that goes with no sandbox. */
  readonly providerUrl?: URL
  /** What signs in there, with a secret of its own. */
  readonly providerClientId?: string
}

export type Grant = 'client_credentials' | 'password'

/** The bundled shop: always there, never stored. */
export const LOCAL = 'local'

/** The name of a place that is known by its URL alone. */
export const UNNAMED = 'url'

export const DEFAULT_PROVIDER = 'paypal'
export const DEFAULT_TOKEN_PREFIX = 'sw'
