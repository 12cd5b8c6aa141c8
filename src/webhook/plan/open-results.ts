import type {Transaction} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {isPresumedLost} from '../../runs/pool/grace-period.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownResults} from '../inbox/inbox.js'
import {judgeByState, type Known} from './action.js'
import {hold, type Judged, type Rules} from './judged.js'
import {findAttemptEnd, holdUnknown, isResultOpen} from './unknown-result.js'

/** Events of a payment that may have been applied, if nothing shows whether they were. */
export interface OpenResults {
  readonly oldest: Pick<InboxEvent, 'id' | 'createdAt'>
  readonly ids: ReadonlySet<string>
  /** One of them that the shop may still be working on: nothing of the payment is sent meanwhile. */
  readonly atWork: Pick<InboxEvent, 'id' | 'createdAt'> | undefined
}

/**
 * Finds events that hold the rest of their payment, whether or not they were selected.
 *
 * @param results of the inbox, by key of the payment
 * @param transactions as they are, by the same key; empty if states are not checked
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
      // The replay itself checks events in flight.
      return endedAt && !event.isInFlight && !isPresumedLost(endedAt, at, rules.presumeLostAfterMs)
    })
    open.set(key, {oldest, atWork, ids: new Set(left.map(({id}) => id))})
  }
  return open
}

/** The results of a payment and its present state, by which to judge one of its events. */
export interface PaymentOutlook {
  readonly rules: Rules
  /** The transaction as it is, without the plan's effects. */
  readonly now: Transaction | undefined
  readonly open: Pick<OpenResults, 'oldest' | 'atWork'> | undefined
}

/** The decision by the payment's state and the results of its events, whatever the event's age. */
export function judgeByPayment(event: InboxEvent, known: Known, {rules, now, open}: PaymentOutlook): Judged {
  const byState = judgeByState(event, rules, known)
  return holdAfter(
    event,
    open,
    holdUnknown(event, byState, {ledger: known.ledger, rules, now, at: known.now}),
  )
}

function holdAfter({id, createdAt}: InboxEvent, open: PaymentOutlook['open'], judged: Judged): Judged {
  const by = open?.oldest
  if (judged.action !== 'send' || !by || by.id === id) return judged
  if (by.createdAt <= createdAt) return describeBlock(by.id)
  const {atWork} = open
  if (!atWork || atWork.id === id) return judged
  return hold('blocked', `the shop may still be at work on ${atWork.id}, another event of its payment`)
}

/** Holds the events after one with an unknown result. @param id that event */
export function describeBlock(id: string): Judged {
  return hold('blocked', `the result of ${id}, an earlier event, is unknown`)
}
