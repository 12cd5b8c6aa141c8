import type {DriftKind} from './drift.js'

/** The meaning of a kind of drift, and its repair. */
interface DriftMeaning {
  readonly meaning: string
  readonly repair: string
}

const EVENT = 'its event, else a transition of the shop'
const BY_HAND = 'by hand, at the provider'

export const DRIFT_MEANINGS: Readonly<Record<DriftKind, DriftMeaning>> = {
  unclear: {
    meaning: 'an answer is about another payment, or an amount cannot be read',
    repair: 'by hand: compare both sides',
  },
  disputed: {meaning: 'in dispute at the provider', repair: 'none: answer the dispute at the provider'},
  'capture-missed': {meaning: 'captured, and the shop still waits for the money', repair: EVENT},
  'refund-missed': {
    meaning: 'refunded in full, and the shop still has the money or waits for it',
    repair: EVENT,
  },
  'partial-missed': {meaning: 'captured or refunded in part, and the shop does not know', repair: EVENT},
  'cancelled-late': {
    meaning: 'captured, and the shop has given up on the payment',
    repair: `${EVENT}; by hand if the order is cancelled too`,
  },
  'cancelled-at-provider': {
    meaning: 'declined or cancelled, and the shop waits for the money',
    repair: EVENT,
  },
  'amount-differs': {meaning: 'captured with another amount or currency', repair: BY_HAND},
  'captured-twice': {meaning: 'captured more than once for one order', repair: BY_HAND},
  'unknown-at-provider': {
    meaning: 'nothing captured, and the shop has the payment as paid or refunded',
    repair: 'a transition that moves money back, only with --allow-backwards',
  },
  'unknown-in-shop': {meaning: 'captured for a transaction that the shop does not have', repair: BY_HAND},
  pending: {meaning: 'held back by the provider', repair: BY_HAND},
  'authorization-expiring': {
    meaning: 'authorized and not captured, and the authorization ends soon',
    repair: 'by hand: capture it, or cancel the order',
  },
  'refund-owed': {
    meaning: 'the order was cancelled or returned, and the provider still has the money',
    repair: BY_HAND,
  },
}
