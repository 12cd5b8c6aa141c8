import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import {StorectlError} from '../../errors.js'
import {memoize} from '../../platform/memoize.js'
import {showCount} from '../../platform/terminal/progress.js'
import {requireCapability} from '../../providers/capabilities.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {hasFilters} from '../../webhook/plan/event-selection.js'
import {askSenders} from '../../webhook/provider/ask-senders.js'
import {type VerificationRow, type VerifyDeps, verifyEvents} from '../../webhook/verify/verify-inbox.js'
import {parseWebhookIds} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {OpenInbox} from '../adapters/inbox.js'
import type {Host} from '../host.js'

/** Dependencies of `webhook verify`. */
export interface OpenVerify extends VerifyDeps {
  readonly inbox: OpenInbox['inbox']
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** What a check is to do. */
interface VerifyRequest {
  readonly offline?: boolean
  readonly 'webhook-id'?: readonly string[] | undefined
}

/**
 * Dependencies of `webhook verify`; webhook ids that a flag names are stored first.
 *
 * @param note a line for the person
 * @throws StorectlError `usage.webhook_id`, `usage.provider_cannot`
 */
export async function buildVerifyDeps(
  host: Host,
  adapters: Adapters,
  flags: VerifyRequest,
  note: (text: string) => Promise<void>,
): Promise<OpenVerify> {
  const webhookIds = parseWebhookIds(flags['webhook-id'] ?? [])
  const {profile} = await adapters.chooseProfile()
  requireCapability(profile?.provider ?? DEFAULT_PROVIDER, 'signature')
  const {inbox, target} = await adapters.openInbox()
  const {signatures} = await adapters.openRecords()
  if (webhookIds.length > 0) await signatures.addWebhookIds(target, webhookIds, host.clock.now())
  const opened = {inbox, target, note, signal: host.interruption.stopping}
  return {
    verifier: await adapters.openVerifier(flags.offline ? 'cached' : 'asked'),
    askSenders: flags.offline ? undefined : createQuestion(host, adapters, opened, note),
    ...opened,
  }
}

/** Asks the provider batch by batch; once it does not answer, that is said, and nobody is asked any more. */
function createQuestion(
  {clock}: Host,
  adapters: Adapters,
  {inbox, target, signal}: Pick<OpenVerify, 'inbox' | 'target' | 'signal'>,
  note: (text: string) => Promise<void>,
): (events: readonly InboxEvent[]) => Promise<boolean> {
  const open = memoize(() => adapters.openProvider())
  let isOver = false
  const giveUp = (error: StorectlError) => {
    isOver = true
    return note(`The provider was not asked for the senders: ${error.message}`)
  }
  return async events => {
    if (isOver) return false
    try {
      const provider = await open()
      const now = () => clock.now()
      const {error, left} = await askSenders(events, {provider, inbox, targets: [target], now, signal})
      if (error && !signal.aborted) await giveUp(error)
      return left.size === 0
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      await giveUp(error)
      return false
    }
  }
}

/** How far a check of all events has come, in the inbox. */
const SOURCE = 'webhook verify'

/** Checks the events that ids or filters choose, or all. */
export async function verifyChosen(
  events: AsyncIterable<InboxEvent>,
  {words, flags}: {readonly words: readonly string[]; readonly flags: Parameters<typeof hasFilters>[0]},
  deps: OpenVerify,
  progress: Parameters<typeof showCount>[1],
): Promise<AsyncIterable<VerificationRow>> {
  const isAll = words.length === 0 && !hasFilters(flags)
  return isAll ? verifyAll(events, deps, progress) : verifyEvents(events, deps)
}

/** Checks all events, with progress; goes on where an earlier check was interrupted. */
async function verifyAll(
  events: AsyncIterable<InboxEvent>,
  deps: OpenVerify,
  progress: Parameters<typeof showCount>[1],
): Promise<AsyncIterable<VerificationRow>> {
  const left = await resumeVerification(events, deps)
  if (left.isResumed) await deps.note('resumed where an earlier check ended')
  const {onProgress, stop} = showCount('events', progress)
  let count = 0
  let isWhole = true
  const askSenders: OpenVerify['askSenders'] =
    deps.askSenders &&
    (async asked => {
      isWhole = (await deps.askSenders?.(asked)) === true && isWhole
      return isWhole
    })
  const onDone = async (done: readonly InboxEvent[]) => {
    count += done.length
    onProgress(count)
    if (isWhole) await left.onDone(done)
  }
  return (async function* () {
    try {
      yield* verifyEvents(left.events, {...deps, askSenders, onDone})
      if (isWhole) await left.end()
    } finally {
      stop()
    }
  })()
}

/**
 * Goes on with a check of all events where an earlier one was interrupted.
 *
 * @returns the events that are left, in the order of their receipt, and what is told of each batch that is done
 */
async function resumeVerification(
  events: AsyncIterable<InboxEvent>,
  {inbox, target}: Pick<OpenVerify, 'inbox' | 'target'>,
): Promise<{
  readonly events: AsyncIterable<InboxEvent>
  readonly isResumed: boolean
  readonly onDone: (done: readonly InboxEvent[]) => Promise<void>
  readonly end: () => Promise<void>
}> {
  let position = await inbox.readPosition(target, SOURCE)
  const begun = position || ''
  const save = async (to: string) => {
    if (await inbox.addObserved(target, {source: SOURCE, from: position, to}, [])) position = to
  }
  return {
    isResumed: begun !== '',
    events: skipUpTo(events, begun),
    onDone: async done => {
      const last = done.at(-1)
      if (last) await save(formatPosition(last))
    },
    end: async () => {
      if (position) await save('')
    },
  }
}

async function* skipUpTo(events: AsyncIterable<InboxEvent>, position: string) {
  for await (const event of events) if (formatPosition(event) > position) yield event
}

/** Sorts as the events do. */
function formatPosition({receivedAt, id}: InboxEvent): string {
  return `${receivedAt.toISOString()} ${id}`
}
