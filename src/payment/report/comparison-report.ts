import type {DriftRow} from '../../contract/payment-rows.js'
import {type Out, printRows} from '../../output/print.js'
import type {ReportFormat} from '../../runs/report/report-format.js'
import {DRIFT_VIEW, toDriftRow} from '../reconcile/drift-row.js'
import {type ComparisonSummary, type ReportedComparison, summarizeComparison} from './comparison-summary.js'

export type {ReportedComparison}

/** Writes the report of a comparison; memory does not grow with the differences. */
export async function writeComparisonReport(
  format: ReportFormat,
  reported: ReportedComparison,
  out: Out,
): Promise<void> {
  if (format === 'csv') return void (await printRows(listRows(reported), out, {view: DRIFT_VIEW, format}))
  const summary = await summarizeComparison(reported)
  for await (const piece of await renderReport(format, summary, reported)) await out.write(piece)
}

async function renderReport(
  format: Exclude<ReportFormat, 'csv'>,
  summary: ComparisonSummary,
  reported: ReportedComparison,
): Promise<AsyncIterable<string> | Iterable<string>> {
  if (format === 'json') return renderJson(summary, reported)
  if (format === 'html')
    return (await import('./comparison-html.js')).renderComparisonPage(summary, reported, listRows(reported))
  return (await import('./comparison-markdown.js')).renderComparisonMarkdown(summary, reported)
}

async function* listRows({readFound}: ReportedComparison): AsyncGenerator<DriftRow, void, void> {
  for await (const found of readFound()) for (const each of found) yield toDriftRow(each)
}

/** One JSON object. Keys are stable. */
async function* renderJson(
  {verdict, kinds}: ComparisonSummary,
  reported: ReportedComparison,
): AsyncGenerator<string, void, void> {
  const {comparison, progress, command, now} = reported
  const head = {verdict: verdict.text, totals: progress, kinds, comparison, command}
  yield `${JSON.stringify(head).slice(0, -1)},"payments":[`
  let separator = '\n'
  for await (const row of listRows(reported)) {
    yield `${separator}${JSON.stringify(row)}`
    separator = ',\n'
  }
  yield `\n],"writtenAt":"${now.toISOString()}"}\n`
}
