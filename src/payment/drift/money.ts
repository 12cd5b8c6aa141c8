/**
 * Decimals that the provider takes for a currency, if not two. It takes none for HUF and TWD, although the currencies
 * have them.
 *
 * @see ISO 4217, and the provider's table of currencies
 */
const DIGITS: Readonly<Record<string, number>> = {
  ...{BIF: 0, CLP: 0, DJF: 0, GNF: 0, HUF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, TWD: 0, UGX: 0},
  ...{VND: 0, VUV: 0, XAF: 0, XOF: 0, XPF: 0},
  ...{BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3},
}

/** Decimals of a currency. @param currency ISO 4217, capitals */
export function countDigits(currency: string): number {
  return (Object.hasOwn(DIGITS, currency) ? DIGITS[currency] : undefined) ?? 2
}

/** Whether a text has the form of an ISO 4217 currency code. */
export function isCurrency(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Z]{3}$/.test(text)
}

/** A plain decimal, as the provider writes amounts: no exponent, no other base. */
const DECIMAL = /^(-?)(\d{1,16})(?:\.(\d{1,20}))?$/

/**
 * An amount in the smallest units of its currency, half a unit away from zero.
 *
 * @param amount a decimal string of the provider, which is read exactly, or a double of the shop
 * @returns `undefined` if it is not a number, and for more units than a number holds exactly (2^53)
 */
export function parseUnits(amount: unknown, currency: string): number | undefined {
  const digits = countDigits(currency)
  const units = typeof amount === 'number' ? roundDouble(amount, digits) : roundDecimal(amount, digits)
  return Number.isSafeInteger(units) ? units : undefined
}

function roundDouble(value: number, digits: number): number {
  // A double may be slightly off: 1.005 * 100 is 100.49999999999999.
  const units = Math.round(Math.abs(value) * 10 ** digits * (1 + Number.EPSILON))
  return value < 0 ? -units : units
}

function roundDecimal(text: unknown, digits: number): number | undefined {
  const [, sign, whole, part = ''] = DECIMAL.exec(typeof text === 'string' ? text.trim() : '') ?? []
  if (whole === undefined) return undefined
  const up = Number(part[digits]) >= 5 ? 1n : 0n
  const units = Number(BigInt(whole + part.slice(0, digits).padEnd(digits, '0')) + up)
  return sign === '-' ? -units : units
}

/** `12.90 EUR`, `1200 JPY`, `3.500 KWD`. @param units smallest units of the currency */
export function formatMoney(units: number, currency: string): string {
  return `${formatUnits(units, currency)} ${currency}`
}

/** As JSON prints it. @param units smallest units of the currency */
export function toMoney(units: number, currency: string): {value: string; currency: string} {
  return {value: formatUnits(units, currency), currency}
}

/** `12.90`: a decimal string with the digits of the currency. */
export function formatUnits(units: number, currency: string): string {
  const digits = countDigits(currency)
  const text = String(Math.abs(units)).padStart(digits + 1, '0')
  const sign = units < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
