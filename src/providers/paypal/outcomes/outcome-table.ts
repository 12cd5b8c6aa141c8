import type {VersionPair, VersionRange} from '../../../shopware/versions/version-range.js'

/** Kinds of events that a receiver distinguishes. */
export type EventKind =
  | 'no-handler'
  | 'wrong-resource'
  | 'authorization-voided-v1'
  | 'authorization-voided-v2'
  /** It names an authorization other than the payment's. */
  | 'other-authorization-voided'
  | 'capture-final'
  | 'capture-part'
  | 'capture-denied'
  /** For a payment upon invoice whose instructions are not stored yet. */
  | 'invoice-capture'
  | 'invoice-capture-again'
  | 'refund-whole'
  | 'refund-part'
  | 'sale-completed'
  | 'sale-denied'
  | 'sale-refunded'
  | 'token'

/** States of a payment, in the order of the cells of a row. */
export const STATES = [
  ...['open', 'in_progress', 'authorized', 'reminded', 'paid_partially', 'paid'],
  ...['refunded_partially', 'refunded', 'cancelled', 'failed', 'chargeback', 'unconfirmed'],
] as const

/** A shop version with a plugin version. The first three were measured. */
const SHOP_65: VersionRange = {from: '6.5', below: '6.6'}
const SHOP_66: VersionRange = {from: '6.6', below: '6.7'}
const SHOP_67: VersionRange = {from: '6.7', below: '6.8'}

const PAIRS = {
  '6.5+8': {
    ...{shop: SHOP_65, plugin: {from: '8.0', below: '9'}, isMeasured: true},
    source: 'measured: 6.5.8.14 with SwagPayPal 8.6.2',
  },
  '6.6+9': {
    ...{shop: SHOP_66, plugin: {from: '9.0', below: '10'}, isMeasured: true},
    source: 'measured: 6.6.7.1 with SwagPayPal 9.6.2',
  },
  '6.7+10': {
    ...{shop: SHOP_67, plugin: {from: '10.0', below: '10.9'}, isMeasured: true},
    source: 'measured: 6.7.5.0 with SwagPayPal 10.6.2',
  },
  '6.5+7': {
    ...{shop: SHOP_65, plugin: {from: '7.0', below: '8'}, isMeasured: false},
    source: 'src/Webhook/Handler@7.4.0',
  },
} satisfies Record<string, VersionPair>

type PairName = keyof typeof PAIRS

/** One kind of event for some pairs, one cell for each state. */
export interface OutcomeRow {
  readonly kind: EventKind
  readonly pairs: readonly VersionPair[]
  /**
   * Cells in the order of `STATES`. `=`: 200, nothing changes. `400`: refused, nothing changes. A state: 200, and the
   * payment moves there; with `!`, and the response is 400. `|`: depends on the provider's response.
   */
  readonly cells: readonly string[]
}

const EVERYWHERE: readonly PairName[] = ['6.5+8', '6.6+9', '6.7+10', '6.5+7']
const UNTIL_66: readonly PairName[] = ['6.5+8', '6.6+9', '6.5+7']

const SHORT: Readonly<Record<string, string>> = {
  ...{A: 'authorized', C: 'cancelled', F: 'failed', P: 'paid'},
  ...{PP: 'paid_partially', R: 'refunded', RP: 'refunded_partially'},
}

/** @param narrowed plugin versions, or a source, for this row only */
function defineRow(
  kind: EventKind,
  names: readonly PairName[],
  cells: string,
  narrowed: Partial<Record<PairName, Partial<VersionPair>>> = {},
): OutcomeRow {
  const parts = cells.replace(/[ACFPR]+/g, short => SHORT[short] ?? short).split(/\s+/)
  return {
    kind,
    pairs: names.map(name => ({...PAIRS[name], ...narrowed[name]})),
    cells: parts.length === 1 ? STATES.map(() => parts[0] as string) : parts,
  }
}

/** Handlers with the plugin's rule for payments upon invoice. @see shop-6.5.md 2.2 */
const INVOICE: Partial<Record<PairName, Partial<VersionPair>>> = {
  '6.5+8': {plugin: {from: '8.2', below: '9'}},
  '6.6+9': {
    plugin: {from: '9.2', below: '10'},
    isMeasured: false,
    source: 'Handler/CaptureCompleted.php@9.6.2',
  },
}
const INVOICE_PAIRS: readonly PairName[] = ['6.5+8', '6.6+9']

/** @see the pull request 659 of the plugin, in 10.6.2 */
const BEFORE_OTHER_VOIDS: Partial<Record<PairName, Partial<VersionPair>>> = {
  '6.7+10': {
    plugin: {from: '10.0', below: '10.6.2'},
    isMeasured: false,
    source: 'Handler/AuthorizationVoided.php, first form of 10.x',
  },
}
const SINCE_OTHER_VOIDS: Partial<Record<PairName, Partial<VersionPair>>> = {
  '6.7+10': {plugin: {from: '10.6.2', below: '10.9'}},
}

const CANCELS = 'C C C C C C C C = C C C'
const CANCELS_67 = 'C C C C C C C 400 = 400 C C'

/** What each version does with each kind of event, by the state of the payment. Read it with `findCells`. */
export const OUTCOMES: readonly OutcomeRow[] = [
  //                             open in_pr auth remind pp paid rp refunded cancelled failed charge unconf
  defineRow('no-handler', EVERYWHERE, '='),
  defineRow('wrong-resource', EVERYWHERE, '400'),
  defineRow('authorization-voided-v1', UNTIL_66, CANCELS),
  defineRow('authorization-voided-v1', ['6.7+10'], CANCELS_67),
  defineRow('authorization-voided-v2', UNTIL_66, CANCELS),
  defineRow('authorization-voided-v2', ['6.7+10'], CANCELS_67),
  defineRow('other-authorization-voided', UNTIL_66, CANCELS),
  defineRow('other-authorization-voided', ['6.7+10'], CANCELS_67, BEFORE_OTHER_VOIDS),
  defineRow('other-authorization-voided', ['6.7+10'], '=', SINCE_OTHER_VOIDS),
  defineRow('capture-denied', UNTIL_66, CANCELS),
  defineRow('capture-denied', ['6.7+10'], CANCELS_67),
  defineRow('sale-denied', UNTIL_66, CANCELS),
  defineRow('sale-denied', ['6.7+10'], CANCELS_67),
  defineRow('capture-final', UNTIL_66, 'P P P 400 P = P 400 P P P P'),
  defineRow('capture-final', ['6.7+10'], 'P P P P P = P 400 P P P P'),
  defineRow('capture-part', UNTIL_66, 'PP PP PP 400 = 400 PP 400 400 PP PP PP'),
  defineRow('capture-part', ['6.7+10'], 'PP PP PP PP = 400 PP 400 400 PP PP PP'),
  defineRow(
    ...['invoice-capture' as const, INVOICE_PAIRS],
    'P|400|A!|F! P|400|A!|F! P|400|F! 400|A! 400 =|400 400 400 P|400 P|400 P|400 P|400|A!|F!',
    INVOICE,
  ),
  defineRow('invoice-capture-again', INVOICE_PAIRS, '=', INVOICE),
  defineRow('refund-whole', EVERYWHERE, '400 400 400 400 R R R = R 400 400 400'),
  defineRow('refund-part', EVERYWHERE, '400 400 400 400 RP RP = = RP 400 400 400'),
  defineRow('sale-completed', UNTIL_66, 'P P P 400 400 = 400 400 P P P P'),
  defineRow('sale-completed', ['6.7+10'], 'P P P P P = 400 400 P P P P'),
  defineRow('sale-refunded', EVERYWHERE, '400 400 400 400 R|RP R|RP R|= =|400 R|RP 400 400 400'),
  defineRow('token', EVERYWHERE, '='),
]
