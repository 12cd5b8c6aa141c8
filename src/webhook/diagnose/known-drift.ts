import type {KnownDrift} from '../../contract/event-rows.js'
import {formatUtcMinute} from '../../output/cell.js'

/** The argument of `payment show` for a payment; `null` if it takes none. @param keyText as traits have it */
export function readPaymentWord(keyText: string | null): string | null {
  return /^(?:id|order):(.+)$/.exec(keyText ?? '')?.[1] ?? null
}

/** `capture-missed: provider: 12.00 EUR captured; shop: open, 12.00 EUR (compared 2026-11-24 06:00 UTC)`. */
export function describeKnownDrift({kind, detail, comparedAt}: KnownDrift): string {
  return `${kind}: ${detail} (compared ${formatUtcMinute(comparedAt)})`
}
