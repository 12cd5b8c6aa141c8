import {type ExitName, StorectlError} from '../../errors.js'
import {findUrl} from '../../language/find-url.js'
import {formatCount} from '../../output/cell.js'
import {describeShown} from '../../output/describe-shown.js'
import type {Presenter} from '../../output/presenter.js'
import type {View, Row as ViewRow} from '../../output/view.js'
import type {Counts} from '../journal/worker.js'
import type {Run} from '../run.js'
import {withExit} from '../run-summary.js'
import {
  describeInFlight,
  nameItemsInFlight,
  type RunProgress,
  type RunProgressOutput,
  showProgress,
} from './progress-reporter.js'

/** Where a run is printed. */
export interface RunOutput extends RunProgressOutput {
  /** Prints the rows as they come. */
  print(rows: AsyncIterable<readonly ViewRow[]>, view: View): Promise<unknown>
  /** Prints examples of each group, and counts all; `undefined` if nobody reads a table, or all rows were requested. */
  readonly printGrouped?: Presenter['printGrouped'] | undefined
  wasInterrupted(): boolean
  /** Whether a person reads a table and did not request all rows. */
  readonly isBrief: boolean
}

/**
 * Starts a run and prints it to its end: a row for each item, its progress, and a summary.
 *
 * @returns the exit that it ends with
 * @throws StorectlError that stopped it, unless a person did
 */
export async function presentRun(run: Run<unknown>, output: RunOutput): Promise<ExitName> {
  const {id, presentation, summary} = run
  const omission = await printRows(run, output)
  await presentation.printBelow?.(output.note)
  const isIdle = id === null && omission !== undefined
  if (omission !== undefined && !isIdle) await output.note(omission)
  summary.addPeers(run.peerCounts)
  const wasInterrupted = output.wasInterrupted()
  const text = isIdle ? omission : presentation.summarize(run)
  for (const note of listEndNotes(run, text, wasInterrupted)) await output.note(note)
  const {halt} = run
  const exit = summary.chooseExit(wasInterrupted ? undefined : halt)
  if (!halt || wasInterrupted) return presentation.chooseExit?.(exit, run) ?? exit
  const stopped = withExit(halt, exit)
  throw (id !== null && presentation.explainHalt?.(stopped, id)) || stopped
}

/** Most rows that a person reads; of a longer list, only rows that need attention are printed. */
const MOST_ROWS = 100

/** Prints the rows as they come. @returns what was left out; `undefined` where nothing was */
async function printRows(run: Run<unknown>, output: RunOutput): Promise<string | undefined> {
  const {id, total, summary, presentation} = run
  const {view, isGrouped} = presentation
  const rows = startRun(run, output)
  if (isGrouped && output.printGrouped) {
    const {shown, total: all} = await output.printGrouped(rows, view, total)
    if (shown === all) return undefined
    return describeShown(shown, all, view.noun, undefined) + (id === null ? '' : `, or ${listCommand(id)}`)
  }
  const omitted: Omitted = {count: 0}
  const isBrief = output.isBrief && id !== null && total > MOST_ROWS
  await output.print(isBrief ? omitDone(rows, summary, omitted) : rows, view)
  return omitted.count > 0 ? describeOmitted(omitted, run) : undefined
}

function listCommand(id: string): string {
  return `storectl run show ${id} --results`
}

/** Rows that were left out. */
interface Omitted {
  count: number
}

/** Rows of what failed or was held. @param omitted counts the others */
async function* omitDone(
  rows: AsyncIterable<readonly ViewRow[]>,
  summary: Run<unknown>['summary'],
  omitted: Omitted,
): AsyncGenerator<readonly ViewRow[], void, void> {
  for await (const group of rows) {
    const shown = group.filter(row => summary.needsAttention(String(row.result ?? row.status)))
    omitted.count += group.length - shown.length
    if (shown.length > 0) yield shown
  }
}

function describeOmitted({count}: Omitted, {id}: Run<unknown>): string {
  return `${formatCount(count)} without a problem are not listed; ${listCommand(String(id))} (or --all next time)`
}

/** Starts the run at the first read, once its progress is shown. */
async function* startRun(
  run: Run<unknown>,
  output: RunOutput,
): AsyncGenerator<readonly ViewRow[], void, void> {
  const {id, presentation} = run
  const hideProgress = id === null ? undefined : showProgress(watchRun(run, id), output)
  try {
    yield* presentation.show(run.start(), run)
  } catch (error) {
    throw id === null ? error : nameRunInError(error, run, id)
  } finally {
    hideProgress?.()
  }
}

/** The error that made a run fail, with its requests in flight and how to resume it. Bugs are returned unchanged. */
function nameRunInError(error: unknown, {inFlight, presentation}: Run<unknown>, id: string): unknown {
  if (!(error instanceof StorectlError)) return error
  const {code, message, nextSteps, cause} = error
  return new StorectlError(code, `${message} Run ${id} stopped; ${nameItemsInFlight(inFlight)}.`, {
    nextSteps: [...nextSteps, presentation.resumeCommand(id)],
    cause,
  })
}

function watchRun(run: Run<unknown>, id: string): RunProgress {
  const {presentation, summary, total, unsentTotal} = run
  return {
    total: total - unsentTotal,
    countDone: () => Math.max(0, summary.ended + sumCounts(run.peerCounts) - unsentTotal),
    listParts: () => listProgressParts(run, id),
    describeEnd: () =>
      describeInFlight(run.inFlight, id, presentation.resumeCommand(id)) +
      (presentation.describeLoss?.() ?? ''),
  }
}

/** The text beside a run's bar, after count, rate and time left. */
function listProgressParts(
  {summary, target, inDoubt, peerCounts, control}: Run<unknown>,
  id: string,
): string[] {
  const peers = sumCounts(peerCounts)
  return [
    ...(control?.isPaused ? [`paused by ${control.askedBy}`] : []),
    ...(inDoubt === undefined ? [] : [inDoubt]),
    ...(summary.failed > 0 ? [`${summary.failed} failed`] : []),
    ...(summary.held > 0 ? [`${summary.held} held`] : []),
    ...(summary.retries > 0 ? [`${summary.retries} retries`] : []),
    ...(peers > 0 ? [`${peers} by other workers`] : []),
    ...[`run ${id}`, findUrl(target)?.host ?? target],
  ]
}

/** The last lines of a run, for people. @param text its results */
function listEndNotes(run: Run<unknown>, text: string, wasInterrupted: boolean): string[] {
  const {id, left, presentation, summary} = run
  const lines = [id === null ? `${text}; nothing was sent` : `${text} (run ${id})`]
  if (summary.unknown.length > 0) lines.push(presentation.describeUnknown(summary))
  if (run.changes.length > 0) lines.push(`changed while it ran: ${run.changes.join(', ')}`)
  if (summary.peers > 0) lines.push(`other workers of the run ended ${summary.peers}`)
  if (run.hasActivePeers) lines.push(`other workers continue with ${left}: storectl run show ${id} --follow`)
  else if (id !== null && left > 0) {
    const how = wasInterrupted ? 'interrupted' : 'stopped'
    lines.push(`${how}; ${left} not sent; to resume: ${presentation.resumeCommand(id)}`)
  }
  return [lines.join('\n'), ...(presentation.listNotes?.(run) ?? [])]
}

function sumCounts(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
