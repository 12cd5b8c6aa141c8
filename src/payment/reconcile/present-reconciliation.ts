import type {DriftRow} from '../../contract/payment-rows.js'
import {type ExitName, StorectlError} from '../../errors.js'
import type {Rows} from '../../output/print.js'
import type {View} from '../../output/view.js'
import {Stopped} from '../../platform/interruption.js'
import {type ProgressOutput, showWork} from '../../platform/terminal/progress.js'
import type {ReconcileProgress} from './comparison.js'
import {DRIFT_VIEW, type FoundDrift, toDriftRow} from './drift-row.js'
import type {Reconciliation} from './reconcile.js'

/** Where a reconciliation and its progress are printed. */
export interface ReconcileOutput extends ProgressOutput {
  print(rows: Rows, view: View): Promise<unknown>
  /** Whether a person reads a table: the counts of each kind come first, once all are known. */
  readonly isBrief: boolean
  /** Registers a message for an immediate end by a second signal. @returns a function that removes it */
  setLastMessage(words: () => string): () => void
}

/** A reconciliation with its files. */
export interface ShownReconciliation {
  readonly reconciliation: Pick<Reconciliation, 'run' | 'progress' | 'isComplete'>
  /** The command that resumes it. */
  readonly resumeCommand: string
  /** Returns the planned repair of a payment. */
  readonly describeRepair?: ((found: FoundDrift) => Promise<string>) | undefined
  /** Ends a complete comparison, with its files. @returns notes about them */
  readonly complete: () => Promise<readonly string[]>
}

/** Most payments that a person is shown; a file suits more. */
const MOST_SHOWN = 1000

const KINDS: View = {
  noun: ['kind', 'kinds'],
  id: 'kind',
  columns: [{path: 'kind'}, {path: 'count', header: 'PAYMENTS', kind: 'number'}],
}

/**
 * Prints the payments that differ as they are found, and what was compared below them. A person sees them when the
 * comparison has ended, so that leaving the pager ends nothing else. An interrupted one names its resume command.
 *
 * @returns `partial` if any differs
 * @throws StorectlError as the reconciliation does, with that command
 */
export async function presentReconciliation(
  {reconciliation, resumeCommand, describeRepair, complete}: ShownReconciliation,
  output: ReconcileOutput,
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
  const takeBack = output.setLastMessage(() => describeCutOff(progress, resumeCommand))
  const readRows = async function* () {
    for await (const found of endWhenStopped(reconciliation.run(), output)) {
      for (const {drift} of found) kinds.set(drift.kind, (kinds.get(drift.kind) ?? 0) + 1)
      const rows: DriftRow[] = []
      for (const each of found) rows.push(toDriftRow(each, await describeRepair?.(each)))
      yield rows
    }
  }
  const addCommand = (error: unknown) => {
    throw nameComparison(error, resumeCommand)
  }
  const end = async () => (reconciliation.isComplete ? await complete() : [])
  const printHeld = async (held: readonly DriftRow[]) => {
    // A row without values is the empty line between the two tables.
    if (held.length > 0) await output.print([...listKinds(kinds), {}], KINDS)
    await output.print(held, DRIFT_VIEW)
  }
  const readAll = async () => {
    const held = await holdRows(readRows())
    stop()
    const notes = await end()
    await printHeld(held).catch(passOverLeaving)
    return notes
  }
  const printAll = output.isBrief ? readAll() : output.print(readRows(), DRIFT_VIEW).then(end)
  const notes = await printAll.catch(addCommand).finally(stop).finally(takeBack)
  if (reconciliation.isComplete) await output.note(describeResult(progress, kinds))
  else await output.note(describeCutOff(progress, resumeCommand))
  for (const note of [...describeLeftOut(output, progress, resumeCommand), ...notes]) await output.note(note)
  return progress.found > 0 ? 'partial' : 'ok'
}

/** A person who left the pager has seen enough rows, but not the result. */
function passOverLeaving(error: unknown): void {
  if (!(error instanceof Stopped) || error.stopCause !== 'output-closed') throw error
}

async function holdRows(rows: AsyncIterable<readonly DriftRow[]>): Promise<DriftRow[]> {
  const held: DriftRow[] = []
  for await (const some of rows) held.push(...some.slice(0, MOST_SHOWN - held.length))
  return held
}

/** The most frequent first. */
function listKinds(kinds: ReadonlyMap<string, number>) {
  return [...kinds].map(([kind, count]) => ({kind, count})).sort((one, other) => other.count - one.count)
}

function describeLeftOut({isBrief}: ReconcileOutput, {found}: ReconcileProgress, command: string): string[] {
  const more = found - MOST_SHOWN
  return isBrief && more > 0 ? [`${formatCount(more, 'more payment')} not shown: ${command} -o csv`] : []
}

/** Differences found before a signal are still printed; calls that it aborts are not failures. */
async function* endWhenStopped<Item>(
  items: AsyncIterable<Item>,
  {stopping}: ReconcileOutput,
): AsyncGenerator<Item, void, void> {
  try {
    yield* items
  } catch (error) {
    if (!stopping.aborted) throw error
  }
}

function nameComparison(error: unknown, resumeCommand: string): unknown {
  if (!(error instanceof StorectlError)) return error
  const {code, message, nextSteps, cause} = error
  return new StorectlError(code, message, {nextSteps: [...nextSteps, resumeCommand], cause})
}

function describeCutOff(progress: ReconcileProgress, resumeCommand: string): string {
  return `interrupted: ${describeSoFar(progress)}\nto resume: ${resumeCommand}`
}

/** The provider's report is read before any payment is compared. */
function describeSoFar({payments, movements, found}: ReconcileProgress): string {
  const read = `${formatCount(movements, 'movement')} of the provider`
  if (payments === 0) return `${read} read, no payment compared yet`
  return `${formatCount(payments, 'payment')} compared with ${read}, ${found} differ so far`
}

function describeResult(
  {payments, movements, asked, found, hasNoDeliveries}: ReconcileProgress,
  kinds: ReadonlyMap<string, number>,
): string {
  const compared = `${formatCount(payments, 'payment')} compared with ${formatCount(movements, 'movement')} of the provider`
  const singly = asked > 0 ? `, ${asked} looked up one by one` : ''
  const each = listKinds(kinds).map(({kind, count}) => `${count} ${kind}`)
  const result = payments + movements === 0 ? 'nothing to compare' : 'no difference'
  const without = hasNoDeliveries
    ? '\nreturned orders were not looked for: the role lacks order_delivery:read'
    : ''
  return `${compared}${singly}: ${found === 0 ? result : `${found} differ (${each.join(', ')})`}${without}`
}

function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
