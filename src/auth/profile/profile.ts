import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'

/** A change that a person is asked about. */
export interface Change {
  /** As in a question: `send 12 orders to production`. */
  readonly what: string
  /** Lines above the question. */
  readonly facts?: readonly string[]
  /** What did not happen if nobody agrees; default `changed`. */
  readonly verb?: 'sent' | 'changed'
}

/** A shop's address and kind; secrets are stored separately. */
export interface Profile {
  /** `local` is the bundled shop; an unnamed one, made of `--url` or `STORECTL_URL` alone, is called `url`. */
  readonly name: string
  /** Base URL, path included: two shops can share an origin. It ends without a slash unless it is an origin alone. */
  readonly url: URL
  /** Name of the payment provider, and its path segment in the webhook route. */
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
  /** Base URL of the payment provider's own API; `undefined` means live. */
  readonly providerUrl?: URL
  /** What signs in there, with a secret of its own. */
  readonly providerClientId?: string
  /** For a shop that does not report its version: `6.6.7.1`. */
  readonly shopVersion?: string
  /** Of the payment provider's plugin: `9.6.2`. */
  readonly pluginVersion?: string
  /** A lost call that ended this long ago counts as not applied without an effect, milliseconds; `undefined`: never. */
  readonly presumeLostAfterMs: number | undefined
}

/** Default of that time. */
export const PRESUME_LOST_MS = 600_000

/** The same as typed. */
export const PRESUME_LOST_AFTER = '10m'

export type Grant = 'client_credentials' | 'password'

/** The kind of a secret store. */
export const STORES = ['file', 'keyring'] as const

export type StoreName = (typeof STORES)[number]

/** The bundled shop: always there, never stored. */
export const LOCAL = 'local'

/** The name of a shop given only by its URL. */
export const UNNAMED = 'url'

export const DEFAULT_TOKEN_PREFIX = 'sw'

/** The default webhook route of a profile. */
export const DEFAULT_ROUTE = {provider: DEFAULT_PROVIDER, tokenPrefix: DEFAULT_TOKEN_PREFIX} as const

/** The shop that a command uses: its address, and calls with the required headers. */
export interface Connection {
  readonly profile: Profile
  /** Adds the access token and the profile's extra headers; signs in first if necessary, and once more after a 401. */
  readonly signed: HttpClient
  /** `signed` with retries after 429, 5xx or no answer; for calls that change nothing. */
  readonly patient: HttpClient
  /** The same base URL and extra headers, no access token: for the webhook route. */
  readonly unsigned: HttpClient
  /**
   * The token that the webhook route expects; empty if the provider's plugin expects none.
   *
   * @throws StorectlError `auth.no_webhook_token`
   */
  webhookToken(): Promise<string>
  /**
   * Resolves when the person agrees to the change; asks if possible.
   *
   * @param change as in a question: `send 12 orders to production`
   * @throws StorectlError `stopped.not_confirmed`, `stopped.declined`, `usage.needs_yes`
   */
  confirmWrite(change: string | Change): Promise<void>
  /**
   * The error for an unexpected answer, with the shop's message.
   *
   * @param doing the request, to follow "refused": `the search`
   * @returns code by status: `auth.…` 401 and 403, `unavailable.…` 429 and 5xx, `usage.…` 3xx and a route that is not
   *   there, `rejected.…` every other
   */
  refusal(answer: HttpResponse, doing: string): StorectlError
}
