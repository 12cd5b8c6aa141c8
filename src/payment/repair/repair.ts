import type {PlannedRepair} from '../../contract/payment-rows.js'

/** Whether a payment moves backwards in the shop: the provider has no money for it. Only the kind decides. */
export function movesBack({kind}: Pick<PlannedRepair, 'kind'>): boolean {
  return kind === 'unknown-at-provider'
}

/** `replay WH-1`, `transition paid`, `by hand: …`. */
export function describeRepair({kind, repair}: Pick<PlannedRepair, 'kind' | 'repair'>): string {
  switch (repair.way) {
    case 'replay':
    case 'resend':
      return `${repair.way} ${repair.event}`
    case 'transition':
      return `transition ${repair.action}${movesBack({kind}) ? ' (moves money back)' : ''}`
    case 'by-hand':
      return `by hand: ${repair.why}`
  }
}

/** What the journal stores about a payment besides its result, for reports. */
export function listPaymentFacts({orderNumber, amount}: PlannedRepair): Readonly<Record<string, unknown>> {
  return {
    ...(orderNumber === null ? {} : {order: orderNumber}),
    ...(amount === null ? {} : {amount}),
  }
}
