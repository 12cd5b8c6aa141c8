import {AmountTotals, type Money} from '../../language/amount-totals.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {Amounts, Counts, ResultTotals} from '../journal/worker.js'

/** Counts results and adds up their amounts; sums are exact, and the same in any order. */
export class ResultTotaler implements ResultTotals {
  readonly #counts = new Map<string, number>()
  readonly #amounts = new Map<string, AmountTotals>()

  /** Counts an entry that is a result; others do not count. */
  addEntry(entry: Pick<JournalEntry, 'kind' | 'result' | 'facts'>): void {
    const {kind, result} = entry
    if (kind !== 'result' || result === undefined) return
    this.#addCount(result, 1)
    this.#findAmounts(result).add(readMoney(entry))
  }

  /** Adds the counts of somebody else. */
  addTotals({counts, amounts}: ResultTotals): void {
    for (const [result, count] of Object.entries(counts)) this.#addCount(result, count)
    for (const [result, sums] of Object.entries(amounts))
      this.#findAmounts(result).addSums(Object.entries(sums).map(([currency, value]) => ({currency, value})))
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts)
  }

  get amounts(): Amounts {
    const all = [...this.#amounts].map(([result, totals]) => [result, totals.list()] as const)
    return Object.fromEntries(
      all
        .filter(([, sums]) => sums.length > 0)
        .map(([result, sums]) => [
          result,
          Object.fromEntries(sums.map(({currency, value}) => [currency, value])),
        ]),
    )
  }

  #addCount(result: string, count: number): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + count)
  }

  #findAmounts(result: string): AmountTotals {
    const known = this.#amounts.get(result) ?? new AmountTotals()
    this.#amounts.set(result, known)
    return known
  }
}

/** The amount stored with an entry. */
export function readMoney({facts}: Pick<JournalEntry, 'facts'>): Money | undefined {
  const {value, currency} = (facts?.amount ?? {}) as Partial<Record<keyof Money, unknown>>
  return typeof value === 'string' && typeof currency === 'string' ? {value, currency} : undefined
}
