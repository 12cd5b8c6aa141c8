import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox, InboxQuery} from './inbox.js'

/** How long a change may go unnoticed: SQLite does not notify other processes, and an empty poll costs one index look-up. */
const LOOK_EVERY_MS = 500

/** Changes that are read together. */
const BATCH = 250

export interface FollowEventsDeps {
  readonly inbox: Pick<Inbox, 'list' | 'readLastPosition' | 'listChanges'>
  readonly target: string
  readonly clock: Pick<Clock, 'sleep'>
  /** Ends it, with its reason. */
  readonly signal: AbortSignal
  /** Brings events stored elsewhere into the inbox, before each poll. */
  readonly refresh: () => Promise<void>
  /** Called once about a database that others keep locked; it is polled until it is free. */
  readonly onBusy: (why: string) => Promise<void> | void
}

/**
 * The matching events, the oldest first, and then forever each that arrives or changes, as it is then.
 *
 * @param query of the existing events, the newest `limit` are returned, or all without one
 * @throws the reason of `signal`; StorectlError as the inbox does, except while it is locked
 */
export async function* follow(
  query: InboxQuery,
  deps: FollowEventsDeps,
): AsyncGenerator<InboxEvent, never, void> {
  const {inbox, target, clock, signal} = deps
  const patiently = createBusyRetry(deps)
  let seen = await patiently(async () => {
    await deps.refresh()
    return inbox.readLastPosition()
  })
  yield* listExisting(query, deps)
  for (;;) {
    signal.throwIfAborted()
    const changes = await patiently(async () => {
      await deps.refresh()
      return inbox.listChanges(target, query, {after: seen, size: BATCH})
    })
    for (const {position, event} of changes) {
      seen = position
      yield event
    }
    if (changes.length < BATCH) await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

async function* listExisting(
  query: InboxQuery,
  {inbox, target}: FollowEventsDeps,
): AsyncGenerator<InboxEvent, void, void> {
  if (query.limit === undefined) {
    yield* inbox.list(target, {...query, oldestFirst: true})
    return
  }
  const newest: InboxEvent[] = []
  for await (const event of inbox.list(target, query)) newest.push(event)
  yield* newest.reverse()
}

/** Retries while others lock the database. */
function createBusyRetry({
  clock,
  signal,
  onBusy,
}: FollowEventsDeps): <T>(look: () => Promise<T>) => Promise<T> {
  let isReported = false
  return async look => {
    for (;;) {
      try {
        return await look()
      } catch (error) {
        if (!(error instanceof StorectlError) || error.code !== 'unavailable.database_locked') throw error
        if (!isReported) await onBusy(error.message)
        isReported = true
        await clock.sleep(LOOK_EVERY_MS, signal)
        signal.throwIfAborted()
      }
    }
  }
}
