import type {Money} from '../../payment/amount-totals.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {Amounts, Counts, ResultTotals} from '../journal/worker.js'

/** Counts results and adds up their amounts; sums are exact, and the same in any order. */
export class ResultTotaler implements ResultTotals {
  readonly #counts = new Map<string, number>()
  readonly #amounts = new Map<string, Map<string, string>>()

  /** Counts an entry that is a result; others count for nothing. */
  addEntry(entry: Pick<JournalEntry, 'kind' | 'result' | 'facts'>): void {
    const {kind, result} = entry
    if (kind !== 'result' || result === undefined) return
    this.#addCount(result, 1)
    const amount = readMoney(entry)
    if (amount && PLAIN.test(amount.value)) this.#addAmount(result, amount)
  }

  /** Counts what somebody else has counted. */
  addTotals({counts, amounts}: ResultTotals): void {
    for (const [result, count] of Object.entries(counts)) this.#addCount(result, count)
    for (const [result, sums] of Object.entries(amounts))
      for (const [currency, value] of Object.entries(sums)) this.#addAmount(result, {value, currency})
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts)
  }

  get amounts(): Amounts {
    return Object.fromEntries([...this.#amounts].map(([result, sums]) => [result, Object.fromEntries(sums)]))
  }

  #addCount(result: string, count: number): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + count)
  }

  #addAmount(result: string, {value, currency}: Money): void {
    const sums = this.#amounts.get(result) ?? new Map<string, string>()
    this.#amounts.set(result, sums)
    sums.set(currency, addDecimals(sums.get(currency) ?? '0', value))
  }
}

/** The amount that an entry was written with. */
export function readMoney({facts}: Pick<JournalEntry, 'facts'>): Money | undefined {
  const {value, currency} = (facts?.amount ?? {}) as Partial<Record<keyof Money, unknown>>
  return typeof value === 'string' && typeof currency === 'string' ? {value, currency} : undefined
}

/** Amounts that are added up, as the provider writes them: `12.50`. */
const PLAIN = /^-?\d{1,15}(?:\.\d{1,4})?$/

/** @param a plain decimals of any length, as `b`. @returns their sum, with the digits of the longer one */
function addDecimals(a: string, b: string): string {
  const digits = Math.max(countDigits(a), countDigits(b))
  const sum = toUnits(a, digits) + toUnits(b, digits)
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${sum < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

function countDigits(value: string): number {
  const point = value.indexOf('.')
  return point < 0 ? 0 : value.length - point - 1
}

function toUnits(value: string, digits: number): bigint {
  return BigInt(value.replace('.', '') + '0'.repeat(digits - countDigits(value)))
}
