import {findProvider} from '../../providers/providers.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {isRecovered} from '../../runs/journal/recover-open-items.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {findAttemptEnd} from '../plan/unknown-result.js'

/** How long a refused event waits, milliseconds; an old one waits longer. */
const SHORTEST_WAIT_MS = 600_000

/** Events that are looked up together. */
const BATCH = 500

export interface RefusedEventsDeps {
  readonly store: Pick<RunStore, 'findLedgerEntries'>
  readonly target: string
  readonly provider: string | undefined
  /**
   * A lost call that ended this long ago counts as not applied, milliseconds; `undefined` for never: then an unknown
   * result waits from the start.
   */
  readonly presumeLostAfterMs: number | undefined
  readonly now: Date
  /** Called with the time at which an event left out is to be sent again. */
  readonly onWait: (until: Date) => void
}

/**
 * Leaves out events that the shop itself rejected lately, or whose result is still unknown although its time is over,
 * and those behind them under their ordering keys: one that fails each time would stop each run. They are sent again
 * after 10 minutes, and then each time after half of their age.
 *
 * @param events the oldest first
 */
export async function* leaveOutRefused(
  events: AsyncIterable<InboxEvent>,
  {store, target, provider, presumeLostAfterMs = 0, now, onWait}: RefusedEventsDeps,
): AsyncGenerator<InboxEvent, void, void> {
  const {wrongToken} = findProvider(provider).answers
  const waiting = new Set<string>()
  const isLeftOut = (event: InboxEvent, entry: LedgerEntry | undefined): boolean => {
    const isWithoutEnd = isRefused(entry, wrongToken) || isStillUnknown(event, entry, presumeLostAfterMs)
    const until = entry && isWithoutEnd ? findNextAttempt(event, entry) : undefined
    const isWaiting = until !== undefined && until > now
    if (isWaiting) onWait(until)
    return isWaiting || event.orderingKeys.some(key => waiting.has(key))
  }
  for await (const some of splitBatches(events, BATCH)) {
    const ids = some.map(({id}) => id)
    const ledger = await store.findLedgerEntries('replay', target, ids)
    for (const event of some) {
      if (!isLeftOut(event, ledger.get(event.id))) yield event
      else for (const key of event.orderingKeys) waiting.add(key)
    }
  }
}

/** When the next event in doubt counts as not applied, milliseconds since 1970; infinite for none. */
export async function findNextLost({
  inbox,
  target,
  store,
  presumeLostAfterMs,
  now,
}: Pick<RefusedEventsDeps, 'store' | 'target' | 'presumeLostAfterMs' | 'now'> & {
  readonly inbox: Pick<Inbox, 'list'>
}): Promise<number> {
  let nextMs = Number.POSITIVE_INFINITY
  if (presumeLostAfterMs === undefined) return nextMs
  for await (const events of splitBatches(inbox.list(target, {statuses: ['unknown']}), BATCH)) {
    const ids = events.map(({id}) => id)
    const ledger = await store.findLedgerEntries('replay', target, ids)
    for (const event of events) {
      const endedAt = findAttemptEnd(event, ledger.get(event.id)) ?? event.changedAt
      const lostMs = endedAt.getTime() + presumeLostAfterMs
      if (lostMs > now.getTime()) nextMs = Math.min(nextMs, lostMs)
    }
  }
  return nextMs
}

function isRefused(entry: LedgerEntry | undefined, wrongToken: string | null): boolean {
  if (entry?.resultClass !== 'failed') return false
  const {result, status, detail} = entry
  return result === 'rejected' || (status === 400 && detail !== wrongToken)
}

/** Whether it was looked up again when its call counted as lost, and nothing showed the effect. */
function isStillUnknown(event: InboxEvent, entry: LedgerEntry | undefined, lostAfterMs: number): boolean {
  if (entry?.resultClass !== 'unknown' || isRecovered(entry)) return false
  const endedAt = findAttemptEnd(event, entry) ?? entry.at
  return entry.at.getTime() >= endedAt.getTime() + lostAfterMs
}

function findNextAttempt({createdAt}: InboxEvent, {at}: LedgerEntry): Date {
  const atMs = at.getTime()
  return new Date(atMs + Math.max(SHORTEST_WAIT_MS, (atMs - createdAt.getTime()) / 2))
}
