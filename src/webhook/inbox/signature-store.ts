import type {Headers} from '../event/headers.js'
import type {Verification} from '../event/verification.js'

/** A check of one event, to be stored with it. */
export interface CheckedEvent extends Verification {
  readonly id: string
  /** Of the body that was checked. */
  readonly sha256: string
  /** The headers and the body that were checked. */
  readonly headers: Headers
  readonly body: Uint8Array
  /** The provider's id of this transmission. */
  readonly transmissionId: string
}

/** The signatures in the inbox. Every write is durable once its promise resolves. */
export interface SignatureStore {
  /**
   * Stores checks with their events. `verified` stays for good; any other result is stored only where the event has the
   * very headers that were checked, so that a copy with other headers changes nothing. A transmission id that was
   * verified with a body makes every other body under it `forged`.
   *
   * @returns each check as it counts now, in their order
   */
  store(target: string, checks: readonly CheckedEvent[]): Promise<Verification[]>
  /** Every webhook id that was ever registered or seen, the newest first. */
  listWebhookIds(target: string): Promise<string[]>
  /** Remembers webhook ids for good. */
  addWebhookIds(target: string, webhookIds: readonly string[], at: Date): Promise<void>
}
