import {AmountTotals, formatAmounts, type Money} from '../language/amount-totals.js'
import {formatTableCell} from '../output/cell.js'
import type {RunStore} from '../runs/journal/run-store.js'
import {splitBatches} from '../runs/pool/batches.js'
import type {InboxEvent} from '../webhook/event/event.js'
import {NEEDS_DOING} from '../webhook/event/event-status.js'
import type {Inbox} from '../webhook/inbox/inbox.js'

export interface TallySources {
  readonly inbox: Pick<Inbox, 'list'>
  readonly runs: Pick<RunStore, 'findHeldDetails'>
  /** The shop's name in the inbox. */
  readonly target: string
}

/** Events whose newest results are looked up at once. */
const AT_ONCE = 250

/**
 * The events of a shop that are not delivered, by their status: `waiting` are `pending` and what a capture is forwarding
 * at this moment, `inDoubt` other `unknown` ones, `held` those of all that their newest run held. Memory does not grow
 * with their number.
 */
export async function tallyEvents({inbox, runs, target}: TallySources) {
  const [waiting, failed, held, inDoubt] = [new Tally(), new Tally(), new Tally(), new Tally()]
  const open = inbox.list(target, {statuses: NEEDS_DOING, oldestFirst: true})
  for await (const events of splitBatches(open, AT_ONCE)) {
    const ids = events.map(({id}) => id)
    const holds = await runs.findHeldDetails({kind: 'replay', target, run: null}, ids)
    for (const event of events) {
      const {status, isInFlight} = event
      const isInDoubt = status === 'unknown' && !isInFlight
      const tally = status === 'failed' ? failed : isInDoubt ? inDoubt : waiting
      tally.add(event)
      if (holds.has(event.id)) held.add(event)
    }
  }
  return {waiting: waiting.row, failed: failed.row, held: held.row, inDoubt: inDoubt.row}
}

class Tally {
  #count = 0
  #oldestAt: string | null = null
  readonly #amounts = new AmountTotals()

  /** The oldest comes first. */
  add({createdAt, traits}: InboxEvent): void {
    this.#count++
    this.#oldestAt ??= createdAt.toISOString()
    this.#amounts.add(traits.amount)
  }

  get row() {
    return {count: this.#count, oldestAt: this.#oldestAt, amounts: this.#amounts.list()}
  }
}

/** `, 1,200.50 EUR`; empty for none. */
export function nameAmounts(amounts: readonly Money[]): string {
  const text = formatAmounts(amounts)
  return text === '' ? '' : `, ${text}`
}

/** `12m ago`. @param at ISO 8601 */
export function formatAge(at: string, now: Date): string {
  return formatTableCell(at, {path: 'at', kind: 'time'}, now)
}
