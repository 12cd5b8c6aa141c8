import {StorectlError} from '../../errors.js'
import type {InboxEvent, WebhookEvent} from '../event/event.js'
import {readEvent} from '../event/read-event.js'
import type {Inbox} from '../inbox/inbox.js'
import {fetchEvent, fetchEventPages, type Provider} from './provider.js'

export interface AskSendersDeps {
  readonly provider: Provider
  readonly inbox: Pick<Inbox, 'add' | 'find'>
  /** Names under which the events are stored: the shop's, and that of staged files. */
  readonly targets: readonly string[]
  readonly now: () => Date
  readonly signal: AbortSignal
  /** The latest end. */
  readonly until?: Date | undefined
}

/** The result of asking the provider about the senders of events. */
export interface AskedSenders {
  /** Ids of events that the provider's own answer has. */
  readonly listed: ReadonlySet<string>
  /** Ids that were not asked about, because time was up or the provider did not answer. */
  readonly left: ReadonlySet<string>
  /** Why it did not answer. */
  readonly error?: StorectlError | undefined
}

/** A listing is not quite in the order of its times. */
const SLACK_MS = 60_000

/** A listing with more pages is abandoned: the rest is requested by id. */
const MOST_PAGES = 20

/**
 * Asks the provider for events, by its list over their time span, then one by one, and stores the result: if its list or
 * detail has the id with this content, the provider sent it. An id that it does not know proves nothing: its list
 * reaches back 30 days.
 *
 * @see provider.md §1
 */
export async function askSenders(
  events: readonly Pick<InboxEvent, 'id' | 'createdAt'>[],
  deps: AskSendersDeps,
): Promise<AskedSenders> {
  const left = new Set(events.map(({id}) => id))
  const listed = new Set<string>()
  const take = async (bytes: Uint8Array) => {
    const event = readEvent(bytes, `provider ${deps.provider.url.host}`, deps.now())
    if ('unusable' in event || !left.delete(event.id)) return
    listed.add(event.id)
    await storeListed(event, deps)
  }
  try {
    await askList(events, left, deps, take)
    for (const id of [...left]) {
      if (isOver(deps)) break
      const bytes = await fetchEvent(id, deps.provider, deps.signal)
      if (bytes) await take(bytes)
      left.delete(id)
    }
    return {listed, left}
  } catch (error) {
    if (error instanceof StorectlError) return {listed, left, error}
    if (!deps.signal.aborted) throw error
    return {listed, left}
  }
}

/** A single event is requested directly by its id. */
async function askList(
  events: readonly Pick<InboxEvent, 'createdAt'>[],
  left: ReadonlySet<string>,
  deps: AskSendersDeps,
  take: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  if (events.length < 2) return
  const times = events.map(({createdAt}) => createdAt.getTime())
  const query = {
    since: new Date(times.reduce((one, other) => Math.min(one, other)) - SLACK_MS),
    until: new Date(times.reduce((one, other) => Math.max(one, other)) + SLACK_MS),
  }
  let pages = 0
  for await (const page of fetchEventPages(query, deps.provider, deps.signal)) {
    for (const body of page.events) await take(body)
    pages++
    if (left.size === 0 || pages >= MOST_PAGES || isOver(deps)) return
  }
}

function isOver({now, until, signal}: AskSendersDeps): boolean {
  return signal.aborted || (until !== undefined && now() >= until)
}

async function storeListed(event: WebhookEvent, {inbox, targets}: AskSendersDeps): Promise<void> {
  for (const target of targets) {
    const there = await inbox.find(target, [event.id])
    if (there.has(event.id)) await inbox.add(target, [{...event, isListed: true}])
  }
}
