import type {ReportItem} from '../../../contract/run-rows.js'
import {omitWords} from '../../../output/view.js'
import type {ReportSummary} from '../report-summary.js'
import {RUN, type toRunRow} from '../run-view.js'
import {toVerifiedRow} from '../verify-runs.js'

/**
 * A report for programs, one JSON object. Keys are stable.
 *
 * @param row the run as it is printed
 * @param items all of them, failures first
 * @returns pieces of JSON; memory does not grow with the number of items
 */
export async function* renderJsonReport(
  summary: ReportSummary,
  row: ReturnType<typeof toRunRow>,
  items: AsyncIterable<ReportItem>,
): AsyncGenerator<string, void, void> {
  const {verdict, totals, worth, tallies, payments, timeline, verified, writtenAt} = summary
  const head = {
    ...{verdict: verdict.text, totals, amounts: worth},
    ...{results: tallies, payments, run: omitWords(row, RUN), timeline},
  }
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`
  let separator = '\n'
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}`
    separator = ',\n'
  }
  const tail = {auditLog: toVerifiedRow(verified, row.state), writtenAt: writtenAt.toISOString()}
  yield `\n],${JSON.stringify(tail).slice(1)}\n`
}
