import type {StorectlError} from '../../errors.js'
import type {Answer, Caller} from '../../http/http.js'
import type {Profile} from './profile.js'

/** A shop that a command talks to: where it is, and calls that carry what it wants to see. */
export interface Connection {
  readonly profile: Profile
  /** Adds the access token and the profile's extra headers; signs in first where it must, and once more after a 401. */
  readonly signed: Caller
  /** `signed`, and it asks again after 429, 5xx or no answer; for calls that change nothing. */
  readonly patient: Caller
  /** The same base URL and extra headers, no access token: for the webhook route. */
  readonly unsigned: Caller
  /**
   * The token that the webhook route wants in its query.
   *
   * @throws StorectlError `auth.no_webhook_token`
   */
  webhookToken(): Promise<string>
  /**
   * Resolves when the person agrees to the change, and asks where that is possible.
   *
   * @param what the change as a question reads it: `send 12 orders to production`
   * @throws StorectlError `guard.not_confirmed`, `guard.declined`, `usage.needs_yes`
   */
  confirmWrite(what: string): Promise<void>
  /**
   * The error for an answer other than the one that was wanted, with what the shop says about it.
   *
   * @param doing what was asked for, to follow "refused": `the search`
   * @returns code by status: `auth.…` 401 and 403, `unavailable.…` 429 and 5xx, `usage.…` 3xx and a route that is not
   * there, `rejected.…` every other
   */
  refusal(answer: Answer, doing: string): StorectlError
}
