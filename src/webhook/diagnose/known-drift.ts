import {formatUtcMinute} from '../../output/cell.js'

/** How a payment differed from the provider when it was compared the last time. Keys are stable. */
export interface KnownDrift {
  readonly kind: string
  readonly detail: string
  /** ISO 8601, UTC. */
  readonly comparedAt: string
}

/** The argument of `payment show` for a payment; `null` if it takes none. @param keyText as traits have it */
export function readPaymentWord(keyText: string | null): string | null {
  return /^(?:id|order):(.+)$/.exec(keyText ?? '')?.[1] ?? null
}

/** `capture-missed: provider: 12.00 EUR captured; shop: open, 12.00 EUR (compared 2026-11-24 06:00 UTC)`. */
export function describeKnownDrift({kind, detail, comparedAt}: KnownDrift): string {
  return `${kind}: ${detail} (compared ${formatUtcMinute(comparedAt)})`
}
