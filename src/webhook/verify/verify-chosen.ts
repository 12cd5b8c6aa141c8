import {showCount} from '../../platform/terminal/progress.js'
import type {NarrowEvents} from '../choose/chosen-events.js'
import {hasFilters} from '../choose/event-selection.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {type VerificationRow, type VerifyDeps, verifyEvents} from './verify-inbox.js'

/** Dependencies of `webhook verify`. */
export interface OpenVerify extends VerifyDeps {
  readonly inbox: Inbox
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
  /** Filters by cause; `undefined` for all causes. */
  readonly narrow: NarrowEvents | undefined
}

/** The progress of a check of all events, in the inbox. */
const SOURCE = 'webhook verify'

/** Checks the events that ids or filters choose, or all. */
export async function verifyChosen(
  events: AsyncIterable<InboxEvent>,
  {words, flags}: {readonly words: readonly string[]; readonly flags: Parameters<typeof hasFilters>[0]},
  deps: OpenVerify,
  progress: Parameters<typeof showCount>[1],
): Promise<AsyncIterable<VerificationRow>> {
  const isAll = words.length === 0 && !hasFilters(flags)
  return isAll ? verifyAll(events, deps, progress) : verifyEvents(deps.narrow?.(events) ?? events, deps)
}

/** Checks all events, with progress; resumes an interrupted check. */
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
 * Resumes a check of all events where an earlier one was interrupted.
 *
 * @returns the events that are left, in the order of their receipt, and a callback for each finished batch
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

/** Sorts like the events. */
function formatPosition({receivedAt, id}: InboxEvent): string {
  return `${receivedAt.toISOString()} ${id}`
}
