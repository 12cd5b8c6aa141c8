import type {RuleFault} from './order-rules.js'
import {lostZeros} from './postal-codes.js'

const POINTER = '/shipTo/postalCode'

/** The faults, and what a postal code has lost where a program took it for a number. */
export function withLostZeros(faults: RuleFault[], order: unknown): RuleFault[] {
  const {postalCode, country} = addressOf(order)
  if (typeof country !== 'string') return faults
  if (typeof postalCode === 'string') {
    const lost = lostZeros(country, postalCode)
    if (!lost) return faults
    const {digits, meant} = lost
    const message = `has lost leading zeros: postal codes in ${country} have ${digits} digits${meantBy(meant)}`
    return [...faults, {pointer: POINTER, message, value: postalCode}]
  }
  if (typeof postalCode !== 'number') return faults
  const meant = lostZeros(country, String(postalCode))?.meant ?? String(postalCode)
  return faults.map(fault =>
    fault.pointer === POINTER ? {...fault, message: fault.message + meantBy(meant)} : fault,
  )
}

function meantBy(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}

function addressOf(order: unknown): {postalCode?: unknown; country?: unknown} {
  const shipTo =
    typeof order === 'object' && order !== null ? (order as {shipTo?: unknown}).shipTo : undefined
  return typeof shipTo === 'object' && shipTo !== null ? shipTo : {}
}
