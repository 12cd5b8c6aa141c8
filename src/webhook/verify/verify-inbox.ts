import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import {VERIFICATION_REASONS, type Verification} from '../event/verification.js'
import type {Inbox} from '../inbox/inbox.js'
import type {EventVerifier} from './verify-events.js'

export interface VerifyDeps {
  readonly inbox: Pick<Inbox, 'readContents'>
  readonly target: string
  readonly verifier: Pick<EventVerifier, 'verify'>
  readonly signal: AbortSignal
}

/** What the signature of one event says. Keys are stable. */
export interface VerificationRow {
  readonly id: string
  readonly verification: Verification['result']
  readonly reason: Verification['reason']
  /** A sentence for people; `null` for a verified event. */
  readonly detail: string | null
  readonly type: string
  readonly status: string
  /** UTC, ISO 8601. */
  readonly createdAt: string
  readonly [key: string]: unknown
}

/** Events that are checked together. */
const BATCH = 250

/**
 * Checks events of the inbox, and stores the results with them. An event that was verified before is not checked again.
 * Memory does not grow with their number.
 *
 * @throws StorectlError as the inbox does
 */
export async function* verifyEvents(
  events: AsyncIterable<InboxEvent>,
  {inbox, target, verifier, signal}: VerifyDeps,
): AsyncGenerator<VerificationRow, void, void> {
  for await (const some of splitBatches(events, BATCH)) {
    signal.throwIfAborted()
    const open = some.filter(({verification}) => verification !== 'verified')
    const ids = open.map(({id}) => id)
    const contents = ids.length > 0 ? await inbox.readContents(target, ids) : new Map()
    const there = open.flatMap(({id, sha256}) => {
      const content = contents.get(id)
      return content ? [{...content, id, sha256}] : []
    })
    const results = await verifier.verify(target, there)
    const found = new Map(there.map(({id}, at) => [id, results[at]]))
    for (const event of some) yield toVerificationRow(event, found.get(event.id))
  }
}

function toVerificationRow(event: InboxEvent, checked: Verification | undefined): VerificationRow {
  const {id, type, status, createdAt} = event
  const {result, reason} = checked ?? {result: event.verification, reason: event.verificationReason}
  const detail = reason === null ? null : VERIFICATION_REASONS[reason]
  return {
    ...{id, verification: result, reason, detail, type, status},
    createdAt: createdAt.toISOString(),
  }
}
