import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import {isTrusted} from '../event/sender.js'
import {VERIFICATION_REASONS, type Verification} from '../event/verification.js'
import type {Inbox} from '../inbox/inbox.js'
import type {EventVerifier} from './verify-events.js'

export interface VerifyDeps {
  readonly inbox: Pick<Inbox, 'readContents' | 'find'>
  readonly target: string
  readonly verifier: Pick<EventVerifier, 'verify'>
  /**
   * Asks the provider who sent events, and stores its answer; `undefined` if it is not asked.
   *
   * @returns whether it was asked about all of them
   */
  readonly askSenders: ((events: readonly InboxEvent[]) => Promise<boolean>) | undefined
  /** Called for each finished batch. */
  readonly onDone?: ((events: readonly InboxEvent[]) => Promise<void>) | undefined
  readonly signal: AbortSignal
}

/** Who sent one event, and the result of its check. Keys are stable. */
export interface VerificationRow {
  readonly id: string
  readonly sender: InboxEvent['sender']
  readonly verification: Verification['result']
  readonly reason: Verification['reason']
  /** A sentence for people; `null` for a good signature. */
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
 * Checks events of the inbox, first by their signature, then by the provider's own answer, and stores the results with
 * them. An event that was verified before is not checked again. Memory does not grow with their number.
 *
 * @throws StorectlError as the inbox does
 */
export async function* verifyEvents(
  events: AsyncIterable<InboxEvent>,
  {inbox, target, verifier, askSenders, onDone, signal}: VerifyDeps,
): AsyncGenerator<VerificationRow, void, void> {
  for await (const some of splitBatches(events, BATCH)) {
    signal.throwIfAborted()
    const open = some.filter(({verification}) => verification !== 'verified')
    const results = await checkStoredSignatures(open, {inbox, target, verifier})
    const checked = await readAgain(some, {inbox, target})
    const unknown = checked.filter(({sender}) => !isTrusted(sender))
    const isDone = unknown.length === 0 || !askSenders || (await askSenders(unknown))
    signal.throwIfAborted()
    const now = unknown.length > 0 && askSenders ? await readAgain(some, {inbox, target}) : checked
    for (const event of now) yield toVerificationRow(event, results.get(event.id))
    if (isDone) await onDone?.(some)
  }
}

/** Checks the signatures of stored events, and stores the results with them. @returns the result of each, by id */
export async function checkStoredSignatures(
  events: readonly InboxEvent[],
  {
    inbox,
    target,
    verifier,
  }: {readonly inbox: Pick<Inbox, 'readContents'>} & Pick<VerifyDeps, 'target' | 'verifier'>,
): Promise<ReadonlyMap<string, Verification>> {
  if (events.length === 0) return new Map()
  const contents = await inbox.readContents(
    target,
    events.map(({id}) => id),
  )
  const there = events.flatMap(event => {
    const content = contents.get(event.id)
    return content ? [{...event, ...content}] : []
  })
  if (there.length === 0) return new Map()
  const results = await verifier.verify(target, there)
  return new Map(there.map(({id}, at) => [id, results[at] as Verification]))
}

async function readAgain(
  events: readonly InboxEvent[],
  {inbox, target}: Pick<VerifyDeps, 'inbox' | 'target'>,
): Promise<InboxEvent[]> {
  const now = await inbox.find(
    target,
    events.map(({id}) => id),
  )
  return events.map(event => now.get(event.id) ?? event)
}

function toVerificationRow(event: InboxEvent, checked: Verification | undefined): VerificationRow {
  const {id, type, status, createdAt, sender} = event
  const isStored = event.verification !== 'not-checked' || checked === undefined
  const {result, reason} = isStored ? {result: event.verification, reason: event.verificationReason} : checked
  const detail = reason === null ? null : VERIFICATION_REASONS[reason]
  return {
    ...{id, sender, verification: result, reason, detail, type, status},
    createdAt: createdAt.toISOString(),
  }
}
