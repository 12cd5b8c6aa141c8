/** An amount, as the provider writes it: `12.50`, `EUR`. */
export interface Money {
  readonly value: string
  readonly currency: string
}

/** Money that an event says was captured of a payment. */
export interface CapturedMoney {
  /** Of the event. */
  readonly id: string
  /** `undefined` if the event does not have it. */
  readonly amount: Money | undefined
}

/** Decimals to which sums are exact; currencies have at most three. */
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

/** Sums of events by currency, exact for plain decimals; other amounts are left out. */
export class AmountTotals {
  readonly #units = new Map<string, bigint>()
  readonly #digits = new Map<string, number>()

  /** @param amount of an event, as in its body @param count events with this amount */
  add(amount: Money | undefined, count = 1): void {
    if (amount) this.#add(amount, MOST_WHOLE_DIGITS, count)
  }

  /** @param sums as `list` returns them */
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

  /** By currency, as plain decimals; empty for none. */
  list(): Money[] {
    return this.#sorted.map(([currency, units]) => ({
      value: formatUnits(units, this.#digits.get(currency) ?? 0),
      currency,
    }))
  }

  get #sorted(): [string, bigint][] {
    return [...this.#units].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** `1,200.50 EUR, 300 JPY`, by currency; empty for none. */
  format(): string {
    return this.#sorted
      .map(
        ([currency, units]) => `${formatUnits(units, this.#digits.get(currency) ?? 0, 'en-US')} ${currency}`,
      )
      .join(', ')
  }
}

/** Sums from `AmountTotals.list`, for people: `1,200.50 EUR, 300 JPY`. */
export function formatAmounts(sums: Iterable<Money>): string {
  const totals = new AmountTotals()
  totals.addSums(sums)
  return totals.format()
}

/** @param locale of the thousands separators; absent: none */
function formatUnits(units: bigint, digits: number, locale?: string): string {
  const size = units < 0n ? -units : units
  const whole = locale ? (size / BigInt(UNIT)).toLocaleString(locale) : String(size / BigInt(UNIT))
  const part = (size % BigInt(UNIT)).toString().padStart(DIGITS, '0').slice(0, digits)
  return `${units < 0n ? '-' : ''}${whole}${digits > 0 ? `.${part}` : ''}`
}
