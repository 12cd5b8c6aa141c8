import type {Transaction} from '../../payment/transactions.js'
import {memoize} from '../../platform/memoize.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {holdExpired, judgeOffline, type Known} from '../plan/action.js'
import type {Rules} from '../plan/judged.js'
import {findOpenResults, judgeByPayment} from '../plan/open-results.js'
import {isResultUnknown} from '../plan/unknown-result.js'
import type {CreateOutlook, ReplayOutlook} from './causes.js'

export interface OutlookDeps {
  readonly inbox: Pick<Inbox, 'findKnownResults'>
  readonly runs: Pick<RunStore, 'findLedgerEntries'>
  readonly target: string
  /** Of a replay without flags, but for the shop's versions. */
  readonly findRules: () => Promise<Rules>
  readonly now: Date
}

/** Forecasts what a replay would do with some events; local data is read once, at the first of them. */
export function createReplayOutlook(deps: OutlookDeps): CreateOutlook {
  return (events, findTransaction) => {
    const read = memoize(() => readResults(events, findTransaction, deps))
    return async (event, {transaction, versions}) => {
      const {rules, ...known} = await read()
      return judge(event, transaction, {...known, rules: {...rules, versions}, now: deps.now})
    }
  }
}

type Results = Awaited<ReturnType<typeof readResults>>

function judge(
  event: InboxEvent,
  transaction: Transaction | undefined,
  {rules, ledger, results, open, now}: Results & Pick<OutlookDeps, 'now'>,
): ReplayOutlook {
  const key = event.traits.keyText ?? ''
  const entry = ledger.get(event.id)
  const known: Known = {
    ...{now, isNamed: false, isUnsure: isResultUnknown(event, entry), ledger: entry},
    ...{transaction, deliveredUpTo: results.get(key)?.newest, captures: results.get(key)?.captures ?? []},
  }
  const [released, usual] = [true, false].map(includeOutOfOrder => {
    const some = {...rules, includeOutOfOrder, includeUnverified: true, includeWrongToken: true}
    const outlook = {rules: some, now: transaction, open: open.get(key)}
    return judgeOffline(event, some, known) ?? judgeByPayment(event, known, outlook)
  }) as [ReplayOutlook['released'], ReplayOutlook['released']]
  return {
    released,
    outOfOrder: usual.reason === 'out-of-order' ? (usual.detail ?? '') : undefined,
    isExpired: holdExpired(event, released, rules, now).reason === 'expired',
  }
}

async function readResults(
  events: readonly InboxEvent[],
  findTransaction: Parameters<CreateOutlook>[1],
  {inbox, runs, target, findRules, now}: OutlookDeps,
) {
  const rules = await findRules()
  const ids = events.map(({id}) => id)
  const keys = [...new Set(events.flatMap(({traits}) => traits.keyText ?? []))]
  const query = {sinceMs: Number.NEGATIVE_INFINITY, withUnknown: !rules.includeUnknown}
  const [ledger, results] = await Promise.all([
    runs.findLedgerEntries('replay', target, ids),
    inbox.findKnownResults(target, keys, query),
  ])
  // Requested together, they share a call to the shop.
  const named = await Promise.all(
    [...results].map(
      async ([
        key,
        {
          unknown: [one],
        },
      ]) => [key, one && (await findTransaction(one))] as const,
    ),
  )
  const transactions = new Map<string, Transaction | undefined>(named)
  const open = await findOpenResults(results, transactions, {target, rules, runs, at: now})
  return {rules, ledger, results, open}
}
