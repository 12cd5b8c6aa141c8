import type {ReportItem} from '../../contract/run-rows.js'
import {type Out, printRows} from '../../output/print.js'
import type {View} from '../../output/view.js'
import type {RunRow} from '../journal/run-store.js'
import type {ReportFormat} from './report-format.js'
import {listReportItems} from './report-items.js'
import {findOpenItems, type ReportSummary, type SummaryDeps, summarizeRun} from './report-summary.js'
import {ResultTallies} from './result-tallies.js'
import type {toRunRow} from './run-view.js'
import {describeVerdict, type Verdict} from './verdict.js'

/** The sources of a report; all are read at one moment, while the run may continue. */
export interface Reported extends SummaryDeps {
  readonly run: RunRow
  readonly row: ReturnType<typeof toRunRow>
  readonly now: Date
}

/**
 * Writes a report, no faster than its reader takes it; memory does not grow with the number of results.
 *
 * @returns its verdict
 */
export async function writeReport(format: ReportFormat, reported: Reported, out: Out): Promise<Verdict> {
  const {run, row, now} = reported
  if (format === 'csv') return writeCsv(reported, out)
  const summary = await summarizeRun(run, row, reported, now)
  for await (const piece of gatherPieces(await renderReport(format, summary, reported)))
    await out.write(piece)
  return summary.verdict
}

async function writeCsv(reported: Reported, out: Out): Promise<Verdict> {
  const {run, row, runs} = reported
  const tallies = new ResultTallies()
  const items = listReportItems(run, row.state, reported, await findOpenItems(run, runs))
  await printRows(countItems(items, tallies), out, {view: CSV, format: 'csv'})
  tallies.addMissing(run.total)
  return describeVerdict(row, tallies.totals)
}

async function* countItems(items: AsyncIterable<ReportItem>, tallies: ResultTallies) {
  for await (const item of items) {
    tallies.add(item)
    yield item
  }
}

async function renderReport(
  format: Exclude<ReportFormat, 'csv'>,
  summary: ReportSummary,
  reported: Reported,
): Promise<AsyncIterable<string> | Iterable<string>> {
  const {run, row} = reported
  const listItems = () => listReportItems(run, row.state, reported, summary.open)
  switch (format) {
    case 'html':
      return (await import('./formats/html-report.js')).renderHtmlReport(summary, listItems())
    case 'json':
      return (await import('./formats/json-report.js')).renderJsonReport(summary, row, listItems())
    default:
      return (await import('./formats/markdown-report.js')).renderMarkdownReport(summary)
  }
}

const CSV: View = {
  noun: ['result', 'results'],
  id: 'item',
  columns: [
    ...['result', 'reason', 'order', 'item', 'type', 'amount.value', 'amount.currency', 'transaction'],
    ...['status', 'attempts', 'detail', 'before', 'after', 'id', 'at', 'contentHash'],
  ].map(path => ({path})),
}

const PIECE_CHARACTERS = 32_768

/** Few long pieces out of many short ones. */
async function* gatherPieces(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string, void, void> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < PIECE_CHARACTERS) continue
    yield text
    text = ''
  }
  yield text
}
