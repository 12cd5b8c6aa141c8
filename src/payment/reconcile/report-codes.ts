import type {MovementKind, MovementStatus, ProviderMovement} from '../drift/payment-facts.js'

/** The meaning of a report row for a payment. */
export interface RowMeaning {
  readonly kind: MovementKind
  readonly status: MovementStatus
  readonly reversed?: ProviderMovement['reversed']
}

/** The sign of rows about payments to this account: money comes in by a payment, and leaves by a refund. */
const SIGNS: Partial<Record<MovementKind, 1 | -1>> = {capture: 1, refund: -1}

const DISPUTE_OPEN = new Set(['T1110', 'T1201', 'T0106', 'T0114'])
const DISPUTE_ENDED = new Set(['T1111', 'T1202'])
const REFUNDS = new Set(['T1106', 'T1107'])

/** Fees given back, and the release of a general hold: nothing of a payment moves. */
const NOTHING = new Set(['T1105', 'T1108', 'T1109'])
const AUTHORIZATIONS = new Set(['T1300', 'T1301'])

const DONE: Readonly<Record<string, MovementStatus>> = {S: 'done', P: 'pending', D: 'declined'}

/** A payment that was given back, in full or in part, was still captured. */
const CAPTURED: Readonly<Record<string, Omit<RowMeaning, 'kind'>>> = {
  V: {status: 'done', reversed: 'all'},
  F: {status: 'done', reversed: 'part'},
}

/**
 * The movement in a row of the report.
 *
 * @param units of its amount, with the sign; `undefined` if it cannot be read
 * @returns `undefined` if it moves no payment; `other` if only a look-up of the order explains it
 * @see provider.md §3
 */
export function interpretRow(
  code: string,
  status: string,
  units: number | undefined,
): RowMeaning | undefined {
  const meaning = interpretCode(code, status)
  const sign = meaning && SIGNS[meaning.kind]
  if (!meaning || sign === undefined) return meaning
  if (units === undefined) return OTHER
  return units * sign < 0 ? undefined : meaning
}

const OTHER: RowMeaning = {kind: 'other', status: 'done'}

function interpretCode(code: string, status: string): RowMeaning | undefined {
  if (DISPUTE_OPEN.has(code)) return {kind: 'dispute', status: 'pending'}
  if (DISPUTE_ENDED.has(code)) return {kind: 'dispute', status: 'done'}
  if (code === 'T1302') return {kind: 'authorization', status: 'declined'}
  if (AUTHORIZATIONS.has(code)) return interpretAuthorization(status)
  if (code.startsWith('T00')) return interpretPayment(status)
  if (NOTHING.has(code) || !code.startsWith('T11')) return undefined
  const known = REFUNDS.has(code) ? DONE[status] : undefined
  return known ? {kind: 'refund', status: known} : OTHER
}

/** A fully reversed one no longer counts. */
function interpretAuthorization(status: string): RowMeaning {
  const end = status === 'V' ? 'declined' : DONE[status]
  return end ? {kind: 'authorization', status: end} : OTHER
}

function interpretPayment(status: string): RowMeaning {
  const known = DONE[status]
  const captured = known ? {status: known} : CAPTURED[status]
  return captured ? {kind: 'capture', ...captured} : OTHER
}
