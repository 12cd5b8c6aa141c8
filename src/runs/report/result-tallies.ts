import type {ReportItem, ResultTally} from '../../contract/run-rows.js'
import {AmountTotals, type Money} from '../../language/amount-totals.js'
import {type GroupTotals, RESULT_GROUPS, type ResultGroup} from './result-groups.js'

/** Counts the items of a run by result and reason, with their amounts. */
export class ResultTallies {
  readonly #tallies = new Map<
    string,
    {group: ResultGroup; result: string; reason: string | null; count: number; totals: AmountTotals}
  >()
  readonly #worth = new AmountTotals()
  #count = 0

  add({group, result, reason, amount}: Pick<ReportItem, 'group' | 'result' | 'reason' | 'amount'>): void {
    const key = JSON.stringify([group, result, reason])
    const tally = this.#tallies.get(key) ?? {group, result, reason, count: 0, totals: new AmountTotals()}
    this.#tallies.set(key, tally)
    tally.count++
    this.#count++
    tally.totals.add(amount ?? undefined)
    this.#worth.add(amount ?? undefined)
  }

  /** Counts items without any entry as not sent. @param total of the whole run; `null` if not known */
  addMissing(total: number | null): void {
    const missing = (total ?? 0) - this.#count
    if (missing <= 0) return
    const key = JSON.stringify(['not-sent', 'not-sent', null])
    const none = {
      group: 'not-sent',
      result: 'not-sent',
      reason: null,
      count: 0,
      totals: new AmountTotals(),
    } as const
    const tally = this.#tallies.get(key) ?? {...none}
    this.#tallies.set(key, {...tally, count: tally.count + missing})
    this.#count += missing
  }

  /** Items that need attention first; within the same meaning, the most frequent first. */
  list(): ResultTally[] {
    return [...this.#tallies.values()]
      .map(({totals, ...tally}) => ({...tally, amounts: totals.list()}))
      .sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.result < b.result ? -1 : 1))
  }

  get worth(): readonly Money[] {
    return this.#worth.list()
  }

  get totals(): GroupTotals {
    const totals = {failed: 0, unknown: 0, 'not-sent': 0, held: 0, sent: 0, skipped: 0}
    for (const {group, count} of this.#tallies.values()) totals[group] += count
    return totals
  }
}

function rank({group}: {readonly group: ResultGroup}): number {
  return RESULT_GROUPS.indexOf(group)
}
