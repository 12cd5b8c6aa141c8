import type {Transaction} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {isPresumedLost} from '../../runs/pool/grace-period.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownResults} from '../inbox/inbox.js'
import {judgeByState, type Known} from './action.js'
import {hold, type Judged, type Rules} from './judged.js'
import {findAttemptEnd, holdUnknown, isResultOpen} from './unknown-result.js'

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

/** What the results of a payment and its present state are, to judge one of its events by. */
export interface PaymentOutlook {
  readonly rules: Rules
  /** The transaction as it is, without what a plan will make of it. */
  readonly now: Transaction | undefined
  readonly open: Pick<OpenResults, 'oldest' | 'atWork'> | undefined
}

/** What the state of its payment and the results of the payment's events say; whatever its age. */
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

/** Holds what comes after an event with an unknown result. @param id that event */
export function describeBlock(id: string): Judged {
  return hold('blocked', `the result of ${id}, an earlier event, is unknown`)
}
