import type {Transaction} from '../../payment/transactions.js'
import {memoize} from '../../platform/memoize.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {ShopVersions} from '../../versions/version-range.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {holdExpired, type Judged, judgeOffline, type Known, type Rules} from '../plan/action.js'
import {findOpenResults, judgeByPayment} from '../plan/open-results.js'
import {isResultUnknown} from '../plan/unknown-result.js'

/** What a replay would do with an event now. */
export interface ReplayOutlook {
  /** With every flag that releases a hold without a risk of applying an event twice. */
  readonly released: Judged
  /** Why it would be held without `--include-out-of-order`; `undefined` where it would not. */
  readonly outOfOrder: string | undefined
  /** Whether `--max-age` would hold it. */
  readonly isExpired: boolean
}

export interface OutlookDeps {
  readonly inbox: Pick<Inbox, 'findKnownResults'>
  readonly runs: Pick<RunStore, 'findLedgerEntries'>
  readonly target: string
  /** Of a replay without flags. */
  readonly findRules: () => Promise<Rules>
  readonly now: Date
  /** The transaction that an event names; `undefined` where none is known. */
  readonly findTransaction: (event: InboxEvent) => Promise<Transaction | undefined>
}

/** Tells of some events what a replay would do with them; what is known here is read once, when the first is asked about. */
export function createReplayOutlook(
  events: readonly InboxEvent[],
  deps: OutlookDeps,
): (
  event: InboxEvent,
  found: {readonly transaction: Transaction | undefined; readonly versions: ShopVersions | undefined},
) => Promise<ReplayOutlook> {
  const read = memoize(() => readResults(events, deps))
  return async (event, {transaction, versions}) => {
    const {usualRules, ledger, results, open} = await read()
    const {now} = deps
    const rules = {...usualRules, versions}
    const key = event.traits.keyText ?? ''
    const entry = ledger.get(event.id)
    const known: Known = {
      ...{now, isNamed: false, isUnsure: isResultUnknown(event, entry), ledger: entry},
      ...{transaction, deliveredUpTo: results.get(key)?.newest},
    }
    const judge = (with_: Partial<Rules>) => {
      const some = {...rules, includeUnverified: true, includeWrongToken: true, ...with_}
      const outlook = {rules: some, now: transaction, open: open.get(key)}
      return judgeOffline(event, some, known) ?? judgeByPayment(event, known, outlook)
    }
    const released = judge({includeOutOfOrder: true})
    const usual = judge({})
    return {
      released,
      outOfOrder: usual.reason === 'out-of-order' ? (usual.detail ?? '') : undefined,
      isExpired: holdExpired(event, released, rules, now).reason === 'expired',
    }
  }
}

async function readResults(events: readonly InboxEvent[], deps: OutlookDeps) {
  const {inbox, runs, target, findRules, now, findTransaction} = deps
  const rules = await findRules()
  const ids = events.map(({id}) => id)
  const keys = [...new Set(events.flatMap(({traits}) => traits.keyText ?? []))]
  const query = {sinceMs: Number.NEGATIVE_INFINITY, withUnknown: !rules.includeUnknown}
  const [ledger, results] = await Promise.all([
    runs.findLedgerEntries('replay', target, ids),
    inbox.findKnownResults(target, keys, query),
  ])
  const transactions = new Map<string, Transaction | undefined>()
  for (const [key, {unknown}] of results) {
    const [one] = unknown
    if (one) transactions.set(key, await findTransaction(one))
  }
  const open = await findOpenResults(results, transactions, {target, rules, runs, at: now})
  return {usualRules: rules, ledger, results, open}
}
