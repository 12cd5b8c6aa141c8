/** What something is worth, as the provider writes it: `12.50`, `EUR`. */
export interface Money {
  readonly value: string
  readonly currency: string
}

/** Money that an event says was captured of a payment. */
export interface CapturedMoney {
  /** Of the event. */
  readonly id: string
  /** `undefined` where the event does not say it. */
  readonly amount: Money | undefined
}

/** Digits behind the point that sums are exact to; currencies have three at most. */
const DIGITS = 4
const UNIT = 10 ** DIGITS

/** Digits before the point of one amount; sums may have more. */
const MOST_WHOLE_DIGITS = 15

/**
 * A plain decimal as a whole number of ten-thousandths, exactly: `227.9` and `227.90` are the same.
 *
 * @returns `undefined` for any other text, and for more than 15 digits before the point
 */
export function parseDecimal(text: string): bigint | undefined {
  return parseUnits(text, MOST_WHOLE_DIGITS)
}

function parseUnits(text: string, mostWholeDigits: number): bigint | undefined {
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === undefined || whole.length > mostWholeDigits) return undefined
  const units = BigInt(whole) * BigInt(UNIT) + BigInt(part.padEnd(DIGITS, '0'))
  return sign === '-' ? -units : units
}

/** Sums of events by currency, exact where amounts are plain decimals; what is none is left out. */
export class AmountTotals {
  readonly #units = new Map<string, bigint>()
  readonly #digits = new Map<string, number>()

  /** @param amount of an event, as its body has it @param count events with this amount */
  add(amount: Money | undefined, count = 1): void {
    if (amount) this.#add(amount, MOST_WHOLE_DIGITS, count)
  }

  /** @param sums as `list` gives them */
  addSums(sums: Iterable<Money>): void {
    for (const sum of sums) this.#add(sum, Number.POSITIVE_INFINITY)
  }

  #add({value, currency}: Money, mostWholeDigits: number, count = 1): void {
    const units = parseUnits(value, mostWholeDigits)
    if (units === undefined || currency === undefined) return
    const digits = value.split('.')[1]?.length ?? 0
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + units * BigInt(count))
    this.#digits.set(currency, Math.max(this.#digits.get(currency) ?? 0, digits))
  }

  clear(): void {
    this.#units.clear()
    this.#digits.clear()
  }

  /** By currency, as plain decimals; empty where there is none. */
  list(): Money[] {
    return this.#sorted.map(([currency, units]) => ({
      value: formatUnits(units, this.#digits.get(currency) ?? 0),
      currency,
    }))
  }

  get #sorted(): [string, bigint][] {
    return [...this.#units].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** `1,200.50 EUR, 300 JPY`, by currency; empty where there is none. */
  format(): string {
    return this.#sorted
      .map(
        ([currency, units]) => `${formatUnits(units, this.#digits.get(currency) ?? 0, 'en-US')} ${currency}`,
      )
      .join(', ')
  }
}

/** Sums as `AmountTotals.list` gives them, for people: `1,200.50 EUR, 300 JPY`. */
export function formatAmounts(sums: Iterable<Money>): string {
  const totals = new AmountTotals()
  totals.addSums(sums)
  return totals.format()
}

/** @param locale whose separators stand between thousands; none where absent */
function formatUnits(units: bigint, digits: number, locale?: string): string {
  const size = units < 0n ? -units : units
  const whole = locale ? (size / BigInt(UNIT)).toLocaleString(locale) : String(size / BigInt(UNIT))
  const part = (size % BigInt(UNIT)).toString().padStart(DIGITS, '0').slice(0, digits)
  return `${units < 0n ? '-' : ''}${whole}${digits > 0 ? `.${part}` : ''}`
}
