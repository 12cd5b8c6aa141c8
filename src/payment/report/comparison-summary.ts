import type {ComparisonReport, DriftRow} from '../../contract/payment-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {formatCount, formatCounted} from '../../output/cell.js'
import {DRIFT_KINDS} from '../drift/drift.js'
import {DRIFT_MEANINGS} from '../drift/drift-meanings.js'
import {toMoney} from '../drift/money.js'
import {sumMovements} from '../drift/sum-movements.js'
import type {ReconcileProgress, StoredComparison} from '../reconcile/comparison.js'
import {type FoundDrift, toDriftRow} from '../reconcile/drift-row.js'

/** A complete comparison, as a report needs it. */
export interface ReportedComparison {
  readonly comparison: StoredComparison
  readonly progress: ReconcileProgress
  /** The shop's name in messages. */
  readonly shopName: string
  /** As typed. */
  readonly command: string
  readonly now: Date
  /** The differences; may be read several times. */
  readFound(): AsyncIterable<readonly FoundDrift[]>
}

/** The beginning of a report. */
export interface ComparisonSummary {
  readonly verdict: {readonly tone: 'good' | 'attention'; readonly text: string}
  readonly kinds: ComparisonReport['kinds']
  readonly facts: readonly (readonly [string, string])[]
  /** The first payments that differ. */
  readonly first: readonly DriftRow[]
}

/** Payments that a page shows without scripts. */
const MOST_FIRST = 200

/** Counts the differences of a comparison; memory does not grow with them. */
export async function summarizeComparison(reported: ReportedComparison): Promise<ComparisonSummary> {
  const first: DriftRow[] = []
  const kinds = await tallyKinds(reported.readFound(), each => {
    if (first.length < MOST_FIRST) first.push(toDriftRow(each))
  })
  return {verdict: describeVerdict(reported.progress), kinds, facts: listFacts(reported), first}
}

/** Counts payments by kind, in the manual's order. @param look is called with each of them */
export async function tallyKinds(
  all: AsyncIterable<readonly FoundDrift[]>,
  look: (found: FoundDrift) => void = () => {},
): Promise<ComparisonReport['kinds']> {
  const tallies = new Map(DRIFT_KINDS.map(kind => [kind, {count: 0, amounts: new AmountTotals()}]))
  for await (const found of all) {
    for (const each of found) {
      const tally = tallies.get(each.drift.kind)
      if (tally) tally.count++
      tally?.amounts.add(readMoney(each))
      look(each)
    }
  }
  return [...tallies].flatMap(([kind, {count, amounts}]) =>
    count === 0 ? [] : [{kind, count, amounts: amounts.list(), ...DRIFT_MEANINGS[kind]}],
  )
}

function readMoney({facts: {shop, provider}}: FoundDrift) {
  if (shop) return shop.doubt === undefined ? toMoney(shop.units, shop.currency) : undefined
  const {captured, refunded, captures} = sumMovements(provider.movements)
  const currency = captures[0]?.currency
  return currency === undefined ? undefined : toMoney(captured - refunded, currency)
}

function describeVerdict({payments, found}: ReconcileProgress): ComparisonSummary['verdict'] {
  const all = formatCounted(payments, ['payment', 'payments'])
  if (found === 0) return {tone: 'good', text: `No difference: ${all} compared with the provider.`}
  const differ = found === 1 ? '1 payment differs' : `${formatCount(found)} payments differ`
  return {tone: 'attention', text: `${differ} from the provider; ${all} compared.`}
}

function listFacts({comparison, progress, shopName, command, now}: ReportedComparison) {
  const {id, startedAt, completedAt, since, until, salesChannel, where} = comparison
  const filters = [
    ...(salesChannel === null ? [] : [`sales channel ${salesChannel}`]),
    ...(where ? [where] : []),
  ]
  const facts: [string, string][] = [
    ['Shop', shopName],
    ['Period', `${since} to ${until}`],
    ...(filters.length > 0 ? ([['Only', filters.join(', ')]] as [string, string][]) : []),
    [
      'Compared',
      `${formatCount(progress.payments)} payments with ${formatCount(progress.movements)} movements`,
    ],
    ['Looked up', `${formatCount(progress.asked)} one by one at the provider`],
    ['Begun', startedAt],
    ['Complete', completedAt ?? now.toISOString()],
    ['Comparison', id],
    ['Command', command],
  ]
  return facts
}

/** Headings of the table of payments, in the order of `listDriftCells`. */
export const DRIFT_HEADINGS = ['Kind', 'Order', 'Transaction', 'State', 'Amount', 'Both sides', 'Begun']

/** A payment as a row of a report. */
export function listDriftCells({kind, orderNumber, transaction, state, amount, detail, createdAt}: DriftRow) {
  const money = amount && `${amount.value} ${amount.currency}`
  return [kind, orderNumber, transaction, state, money, detail, createdAt]
}
