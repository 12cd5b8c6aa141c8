import {findProvider} from '../../providers/providers.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'

/** How long an event waits that the shop itself refused, milliseconds; later refusals of an old event let it wait longer. */
const SHORTEST_WAIT_MS = 600_000

/** Events that are looked up together. */
const BATCH = 500

export interface RefusedEventsDeps {
  readonly store: Pick<RunStore, 'findLedgerEntries'>
  readonly target: string
  readonly provider: string | undefined
  readonly now: Date
  /** Told when an event that was left out is to be sent again. */
  readonly onWait: (until: Date) => void
}

/**
 * Leaves out events that the shop refused lately for what they are, and those behind them under their ordering keys: one
 * that fails each time would stop each run. They come again after 10 minutes, and then after half of their age each time.
 *
 * @param events the oldest first
 */
export async function* leaveOutRefused(
  events: AsyncIterable<InboxEvent>,
  {store, target, provider, now, onWait}: RefusedEventsDeps,
): AsyncGenerator<InboxEvent, void, void> {
  const {wrongToken} = findProvider(provider).answers
  const waiting = new Set<string>()
  const isLeftOut = (event: InboxEvent, entry: LedgerEntry | undefined): boolean => {
    const until = findNextAttempt(event, entry, wrongToken)
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

/** @returns `undefined` for an event that the shop did not refuse for what it is */
function findNextAttempt(
  {createdAt}: InboxEvent,
  entry: LedgerEntry | undefined,
  wrongToken: string | null,
): Date | undefined {
  if (entry?.resultClass !== 'failed') return undefined
  const {result, status, detail, at} = entry
  const isRefused = result === 'rejected' || (status === 400 && detail !== wrongToken)
  if (!isRefused) return undefined
  const atMs = at.getTime()
  return new Date(atMs + Math.max(SHORTEST_WAIT_MS, (atMs - createdAt.getTime()) / 2))
}
