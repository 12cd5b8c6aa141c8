import type {Transaction} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {isPresumedLost} from '../../runs/pool/grace-period.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownResults} from '../inbox/inbox.js'
import type {Rules} from './action.js'
import {findAttemptEnd, isResultOpen} from './unknown-result.js'

/** Events of a payment that may have been applied, where nothing shows whether. */
export interface OpenResults {
  readonly oldest: Pick<InboxEvent, 'id' | 'createdAt'>
  readonly ids: ReadonlySet<string>
  /** One of them that the shop may still be at work on: nothing of the payment is sent meanwhile. */
  readonly atWork: Pick<InboxEvent, 'id' | 'createdAt'> | undefined
}

/**
 * Finds what holds the rest of its payment, whether it was selected or not.
 *
 * @param results of the inbox, by what names a payment
 * @param transactions as they are, by the same; empty where states are not checked
 */
export async function findOpenResults(
  results: ReadonlyMap<string, KnownResults>,
  transactions: ReadonlyMap<string, Transaction | undefined>,
  {
    target,
    rules,
    runs,
    at,
  }: {target: string; rules: Rules; runs: Pick<RunStore, 'findLedgerEntries'>; at: Date},
): Promise<Map<string, OpenResults>> {
  const ids = [...results.values()].flatMap(({unknown}) => unknown.map(({id}) => id))
  const ledger = ids.length > 0 ? await runs.findLedgerEntries('replay', target, ids) : new Map()
  const open = new Map<string, OpenResults>()
  for (const [key, {unknown}] of results) {
    const now = transactions.get(key)
    const left = unknown.filter(event => isResultOpen(event, {ledger: ledger.get(event.id), rules, now, at}))
    const [first] = left
    if (!first) continue
    const oldest = left.reduce((one, other) => (other.createdAt < one.createdAt ? other : one), first)
    const atWork = left.find(event => {
      const endedAt = findAttemptEnd(event, ledger.get(event.id))
      // What is in flight is for the replay itself to see.
      return endedAt && !event.isInFlight && !isPresumedLost(endedAt, at, rules.presumeLostAfterMs)
    })
    open.set(key, {oldest, atWork, ids: new Set(left.map(({id}) => id))})
  }
  return open
}
