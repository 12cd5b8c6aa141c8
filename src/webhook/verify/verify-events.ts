import type {Clock} from '../../platform/clock.js'
import {SIGNATURE_ALGORITHM} from '../../wire/signed-message.js'
import type {EventContent, WebhookEvent} from '../event/event.js'
import type {Verification, VerificationReason} from '../event/verification.js'
import type {CheckedEvent, SignatureStore} from '../inbox/signature-store.js'
import {classifyCertificateUrl} from './certificate-address.js'
import type {Certificates} from './certificates.js'
import {matchSignature, readSignatureHeaders, type SignatureHeaders} from './signature.js'

/** The parts of an event that are checked. */
export type SignedEvent = Pick<WebhookEvent, 'id' | 'sha256' | 'createdAt' | 'receivedAt'> &
  EventContent & {
    /** Whether the bytes may differ from those that were sent, as files contain text. */
    readonly mayDiffer?: boolean | undefined
  }

export interface VerifierDeps {
  readonly signatures: SignatureStore
  readonly certificates: Pick<Certificates, 'find'>
  /** Base URL of the provider's own API. */
  readonly providerUrl: URL
  /** The present webhook ids of shop and provider; requested if no stored id matches. Never throws. */
  readonly fetchWebhookIds: () => Promise<string[]>
  /** Asks the provider's API about an event that cannot be checked here; `undefined` if it is not asked. */
  readonly askProvider: AskProvider | undefined
  readonly clock: Pick<Clock, 'now'>
}

/** Asks the provider whether it signed a body for a webhook id. @returns `undefined` when it does not answer */
export type AskProvider = (
  headers: SignatureHeaders,
  body: Uint8Array,
  webhookId: string,
) => Promise<boolean | undefined>

/** Webhook ids are requested again after this, if an event matches none. */
const ASK_AGAIN_MS = 60_000

/** The provider's API is asked only about the newest ids. */
const MOST_ASKED_IDS = 5

const VERIFIED: Verification = {result: 'verified', reason: null}

/** Checks the provider's signatures of events, and stores the results with them. */
export class EventVerifier {
  #askedMs: number | undefined

  constructor(private readonly deps: VerifierDeps) {}

  /**
   * Checks events and stores the results. One without signature headers is not stored: it is not checked anyway.
   *
   * @param target the shop's name in the inbox
   * @returns a result each, in their order
   * @throws StorectlError as the inbox does
   */
  async verify(target: string, events: readonly SignedEvent[]): Promise<Verification[]> {
    const {signatures} = this.deps
    const read = events.map(event => ({event, headers: readSignatureHeaders(event.headers)}))
    const webhookIds = new Set<string>()
    if (read.some(({headers}) => headers)) {
      for (const id of await signatures.listWebhookIds(target)) webhookIds.add(id)
    }
    const results: Verification[] = []
    const checked: {readonly at: number; readonly check: CheckedEvent}[] = []
    for (const [at, {event, headers}] of read.entries()) {
      const verification = headers
        ? await this.#check(target, event, headers, webhookIds)
        : leaveUnchecked('no-signature')
      results.push(verification)
      if (headers) checked.push({at, check: toChecked(event, headers.transmissionId, verification)})
    }
    if (checked.length === 0) return results
    const stored = await signatures.store(
      target,
      checked.map(({check}) => check),
    )
    for (const [index, {at}] of checked.entries()) results[at] = stored[index] as Verification
    return results
  }

  async #check(
    target: string,
    event: SignedEvent,
    headers: SignatureHeaders,
    webhookIds: Set<string>,
  ): Promise<Verification> {
    const verification = await this.#checkWith(event, headers, webhookIds)
    if (verification.reason !== 'other-registration' && verification.reason !== 'no-webhook-id')
      return verification
    if (!(await this.#addWebhookIds(target, webhookIds))) return verification
    return this.#checkWith(event, headers, webhookIds)
  }

  async #checkWith(
    event: SignedEvent,
    headers: SignatureHeaders,
    webhookIds: ReadonlySet<string>,
  ): Promise<Verification> {
    const {providerUrl, certificates} = this.deps
    const kind = classifyCertificateUrl(headers.certificateUrl, providerUrl)
    if (kind === 'foreign') return {result: 'forged', reason: 'foreign-certificate'}
    if (kind === 'other-environment') return leaveUnchecked('other-environment')
    if (headers.algorithm !== SIGNATURE_ALGORITHM)
      return this.#ask(event, headers, webhookIds, 'other-algorithm')
    const sentAt = new Date(headers.transmissionTime)
    const found = await certificates.find(headers.certificateUrl, sentAt)
    if (found.kind === 'absent') return this.#ask(event, headers, webhookIds, 'no-certificate')
    if (found.kind === 'invalid') return this.#ask(event, headers, webhookIds, 'invalid-certificate')
    const match = matchSignature(headers, event.body, found.key, [...webhookIds])
    if (match === 'verified') return acceptSignature(headers, event)
    if (match === 'not-signed') return {result: 'forged', reason: 'not-signed'}
    if (event.mayDiffer) return leaveUnchecked('changed-bytes')
    return leaveUnchecked(webhookIds.size === 0 ? 'no-webhook-id' : 'other-registration')
  }

  async #ask(
    event: SignedEvent,
    headers: SignatureHeaders,
    webhookIds: ReadonlySet<string>,
    why: VerificationReason,
  ): Promise<Verification> {
    const {askProvider} = this.deps
    const {body, mayDiffer} = event
    if (!askProvider) return leaveUnchecked(why)
    if (webhookIds.size === 0) return leaveUnchecked('no-webhook-id')
    for (const webhookId of [...webhookIds].slice(0, MOST_ASKED_IDS)) {
      const isConfirmed = await askProvider(headers, body, webhookId)
      if (isConfirmed === undefined) return leaveUnchecked(why)
      if (isConfirmed) return acceptSignature(headers, event)
    }
    return leaveUnchecked(mayDiffer ? 'changed-bytes' : 'not-confirmed')
  }

  /** @returns whether there are new ones */
  async #addWebhookIds(target: string, webhookIds: Set<string>): Promise<boolean> {
    const {signatures, fetchWebhookIds, clock} = this.deps
    const at = clock.now()
    if (this.#askedMs !== undefined && at.getTime() - this.#askedMs < ASK_AGAIN_MS) return false
    this.#askedMs = at.getTime()
    const fresh = (await fetchWebhookIds()).filter(id => !webhookIds.has(id))
    if (fresh.length === 0) return false
    await signatures.addWebhookIds(target, fresh, at)
    for (const id of fresh) webhookIds.add(id)
    return true
  }
}

/** Clocks of provider and shop differ by less. */
const CLOCKS_MS = 5 * 60_000

/**
 * The result of a good signature: it is made with the event, or days later if the provider resends it. Headers of an
 * earlier event pass with a body built to the same CRC-32.
 *
 * @see protocol.md §4.7
 */
function acceptSignature(
  {transmissionTime}: SignatureHeaders,
  {createdAt, receivedAt}: SignedEvent,
): Verification {
  const ms = Date.parse(transmissionTime)
  const isInTime = ms >= createdAt.getTime() - CLOCKS_MS && ms <= receivedAt.getTime() + CLOCKS_MS
  return isInTime ? VERIFIED : leaveUnchecked('other-time')
}

function leaveUnchecked(reason: VerificationReason): Verification {
  return {result: 'not-checked', reason}
}

function toChecked(
  {id, sha256, headers, body}: SignedEvent,
  transmissionId: string,
  verification: Verification,
): CheckedEvent {
  return {id, sha256, headers, body, transmissionId, ...verification}
}
