import {describeChosenShop, describeNothingFound} from '../auth/profile/describe-shop.js'
import type {ReconcileFlags} from '../flags/payment-flags.js'
import {formatDuration} from '../output/cell.js'
import {describeSpan} from '../output/describe-shown.js'
import type {StoredComparison} from '../payment/reconcile/comparison.js'
import type {FoundDrift} from '../payment/reconcile/drift-row.js'
import {Reconciliation} from '../payment/reconcile/reconcile.js'
import {
  describeComparison,
  findComparison,
  readReconcileOptions,
} from '../payment/reconcile/reconcile-options.js'
import type {RepairPlanner} from '../payment/repair/repair-plan.js'
import type {ReportedComparison} from '../payment/report/comparison-report.js'
import {createRunId} from '../runs/journal/run-id.js'
import {selectReportFormat} from '../runs/report/report-format.js'
import type {Adapters} from './adapters/adapters.js'
import {openComparisons} from './adapters/comparisons.js'
import type {Host} from './host.js'

/** A comparison of the chosen shop with its provider, which can be resumed. */
export interface OpenReconciliation {
  readonly reconciliation: Reconciliation
  readonly comparison: StoredComparison
  /** Notes before it begins. */
  readonly notes: readonly string[]
  /** Adds a payment to the file of `--plan`. @returns its repair; `undefined` without the flag */
  readonly describeRepair: ((found: FoundDrift) => Promise<string>) | undefined
  /** Stores that everything was compared, and writes plan and report. @returns notes about them */
  complete(): Promise<readonly string[]>
}

/**
 * Begins a comparison of the chosen shop with its provider, or opens a stored one.
 *
 * @param openPlanner opens the file of `--plan`, once both sides are open
 * @throws StorectlError as `findComparison` and `describeComparison` do, `unavailable.locked`, `usage.report_format`,
 *   and as `openOutput` does
 */
export async function buildReconciliation(
  host: Host,
  adapters: Adapters,
  flags: ReconcileFlags,
  openPlanner: (host: Host, adapters: Adapters, flags: ReconcileFlags) => Promise<RepairPlanner | undefined>,
): Promise<OpenReconciliation> {
  const {clock, interruption} = host
  const now = clock.now()
  const {files, target} = await openComparisons(host, adapters)
  await files.removeOld(now)
  const stored = files.list(target)
  const chosen =
    flags.resume === undefined
      ? describeComparison(flags, {id: createRunId(now, Math.random), target, now})
      : findComparison(stored, flags.resume)
  const options = readReconcileOptions(chosen)
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  const held = await files.hold(chosen)
  adapters.closeAtEnd(() => held.close())
  const deps = {shop, provider, store: held.store, clock, signal: interruption.stopping}
  const reconciliation = new Reconciliation(options, deps)
  const planner = await openPlanner(host, adapters, flags)
  const writeReport = await openComparisonReport(host, adapters, flags)
  return {
    reconciliation,
    comparison: chosen,
    notes: flags.resume === undefined ? listUnfinished(stored, now) : [describeStored(chosen, now)],
    describeRepair: planner?.add,
    complete: async () => {
      if (chosen.completedAt === null) await held.complete(clock.now())
      const {progress} = reconciliation
      const what = `${describeSpan(['payment', 'payments'], chosen)} at`
      const notes = progress.payments > 0 ? [] : [describeNothingFound(what, await adapters.chooseProfile())]
      if (planner) notes.push(...(await planner.end()))
      const readFound = () => held.store.readFound()
      if (writeReport) notes.push(await writeReport({comparison: chosen, progress, readFound}))
      return notes
    },
  }
}

function listUnfinished(stored: readonly StoredComparison[], now: Date): string[] {
  const [last] = stored
  if (!last || last.completedAt !== null) return []
  return [
    `comparison ${last.id}, begun ${formatAgo(last.startedAt, now)}, is not complete: --resume ${last.id}`,
  ]
}

function describeStored({id, startedAt, completedAt}: StoredComparison, now: Date): string {
  return completedAt === null
    ? `comparison ${id} resumes; it began ${formatAgo(startedAt, now)}`
    : `comparison ${id} was complete ${formatAgo(completedAt, now)}; no requests are sent again`
}

function formatAgo(at: string, now: Date): string {
  return `${formatDuration(Math.max(0, now.getTime() - Date.parse(at)))} ago`
}

/**
 * Opens the file of `--report`; `undefined` without one.
 *
 * @returns a function that writes the report of a complete comparison, and returns a note
 * @throws StorectlError `usage.report_format`, and as `openOutput` does
 */
async function openComparisonReport(
  {clock}: Host,
  adapters: Adapters,
  {report: file, force}: Pick<ReconcileFlags, 'report' | 'force'>,
) {
  if (file === undefined) return undefined
  const format = selectReportFormat(undefined, file)
  const output = await adapters.files.openOutput(file, force)
  const shopName = describeChosenShop(await adapters.chooseProfile())
  return async (
    compared: Pick<ReportedComparison, 'comparison' | 'progress' | 'readFound'>,
  ): Promise<string> => {
    const {writeComparisonReport} = await import('../payment/report/comparison-report.js')
    const command = adapters.commandLine
    const reported = {...compared, shopName, command, now: clock.now()}
    await writeComparisonReport(format, reported, output.sink)
    await output.keep()
    return `Written: ${file}`
  }
}
