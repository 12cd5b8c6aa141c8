import type {PlanTotal} from '../../contract/replay-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'
import type {InboxEvent} from '../event/event.js'
import {type Counted, FailureCauses} from './failure-causes.js'
import {formatAction} from './judged.js'

/** Senders of events that may be invented, and about which the provider can be asked. */
const STRANGERS: ReadonlySet<string> = new Set(['unverified', 'wrong-token'])

/** Whether asking the provider may change what a plan does with an event. */
export function isAskable({event: {sender, hasConflict}, action, reason}: Counted): boolean {
  return STRANGERS.has(sender) && (action === 'send' || reason === sender || hasConflict)
}

/** Counts events of a plan, with their amounts, by sender, action and reason. */
export class PlanTotals {
  readonly #groups = new Map<string, {readonly of: Counted; count: number; readonly amounts: AmountTotals}>()
  /** Events about which to ask the provider. */
  askable = 0

  add(entry: Counted): void {
    const {event, action, reason} = entry
    const key = `${event.sender} ${action} ${reason ?? ''}`
    const group = this.#groups.get(key) ?? {of: entry, count: 0, amounts: new AmountTotals()}
    this.#groups.set(key, group)
    group.count++
    group.amounts.add(event.traits.amount)
    if (isAskable(entry)) this.askable++
  }

  clear(): void {
    this.#groups.clear()
    this.askable = 0
  }

  /** The most frequent first. */
  list(): PlanTotal[] {
    return [...this.#groups.values()]
      .map(({of: {event, action, reason}, count, amounts}) => ({
        ...{sender: event.sender, action, reason, count},
        amounts: amounts.list(),
      }))
      .sort((one, other) => other.count - one.count)
  }

  /** The number and amounts of a sender's events that are sent: `3 unverified, 30.00 EUR`; empty for none. */
  describeSent(sender: InboxEvent['sender']): string {
    const group = this.#groups.get(`${sender} send `)
    if (!group) return ''
    const amount = group.amounts.format()
    return `${group.count.toLocaleString('en-US')} ${sender}${amount === '' ? '' : `, ${amount}`}`
  }
}

/** The totals of a plan. */
export function createTally() {
  return {
    /** Counts by action and reason. */
    counts: new Map<string, number>(),
    /** Amounts of the events to send. */
    amounts: new AmountTotals(),
    totals: new PlanTotals(),
    /** Why they had failed. */
    causes: new FailureCauses(),
  }
}

type Tally = ReturnType<typeof createTally>

/** Counts all entries of a plan again. */
export async function countAgain(entries: AsyncIterable<Counted>, tally: Tally): Promise<void> {
  tally.counts.clear()
  tally.amounts.clear()
  tally.totals.clear()
  tally.causes.clear()
  for await (const entry of entries) countAction(entry, tally)
}

/** Counts one entry of a plan. */
export function countAction(entry: Counted, {counts, amounts, totals, causes}: Tally): void {
  const action = formatAction(entry)
  if (entry.action === 'send') amounts.add(entry.event.traits.amount)
  counts.set(action, (counts.get(action) ?? 0) + 1)
  totals.add(entry)
  causes.add(entry)
}
