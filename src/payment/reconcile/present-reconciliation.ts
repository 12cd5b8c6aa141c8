import type {ExitName} from '../../errors.js'
import type {Rows} from '../../output/print.js'
import type {View} from '../../output/view.js'
import {type ProgressOutput, showWork} from '../../platform/terminal/progress.js'
import {DRIFT_VIEW, type DriftRow, type FoundDrift, toDriftRow} from './drift-row.js'
import type {ReconcileProgress, Reconciliation} from './reconcile.js'

/** Where a reconciliation is printed, and how far it is. */
export interface ReconcileOutput extends ProgressOutput {
  print(rows: Rows, view: View): Promise<unknown>
}

/**
 * Prints the payments that differ as they are found, and what was compared below them.
 *
 * @param describeRepair tells how a plan repairs one
 * @returns `partial` where any differs
 */
export async function presentReconciliation(
  reconciliation: Reconciliation,
  output: ReconcileOutput,
  describeRepair?: (found: FoundDrift) => Promise<string>,
): Promise<ExitName> {
  const {progress} = reconciliation
  const kinds = new Map<string, number>()
  const stop = showWork(
    {
      total: undefined,
      unit: 'payments compared',
      countDone: () => progress.payments,
      listParts: () => [`${progress.found} differ`, `${progress.movements} movements of the provider`],
    },
    output,
  )
  const readRows = async function* () {
    for await (const found of reconciliation.run()) {
      for (const {drift} of found) kinds.set(drift.kind, (kinds.get(drift.kind) ?? 0) + 1)
      const rows: DriftRow[] = []
      for (const each of found) rows.push(toDriftRow(each, await describeRepair?.(each)))
      yield rows
    }
  }
  await output.print(readRows(), DRIFT_VIEW).finally(stop)
  await output.note(describeResult(progress, kinds))
  return progress.found > 0 ? 'partial' : 'ok'
}

function describeResult(
  {payments, movements, asked, found}: ReconcileProgress,
  kinds: ReadonlyMap<string, number>,
): string {
  const compared = `${formatCount(payments, 'payment')} compared with ${formatCount(movements, 'movement')} of the provider`
  const singly = asked > 0 ? `, ${asked} looked up one by one` : ''
  const each = [...kinds].sort(([, one], [, other]) => other - one).map(([kind, count]) => `${count} ${kind}`)
  return `${compared}${singly}: ${found === 0 ? 'no difference' : `${found} differ (${each.join(', ')})`}`
}

function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
