import type {ReportItem} from '../../../contract/run-rows.js'
import {escapeHtml} from '../../../output/escape-html.js'
import {readCauses} from '../replay-rules.js'
import type {ReportSummary} from '../report-summary.js'
import {renderChart} from './html-chart.js'
import {
  renderFacts,
  renderItemLines,
  renderItemTable,
  renderPageHead,
  renderTableHeadings,
  renderTableRow,
} from './html-page.js'
import {
  CAUSE_HEADINGS,
  describeListedPayments,
  formatResult,
  formatRunTitle,
  ITEM_HEADINGS,
  ITEM_NOUNS,
  listCauseCells,
  listItemCells,
  listPaymentCells,
  listTallyCells,
  PAYMENT_HEADINGS,
} from './report-cells.js'

/**
 * A self-contained page: the verdict, what was sent and what was not, the payments, and a table of all items that can be
 * filtered by result, by search and by a bar of the timeline. It contacts no other host.
 *
 * @param items all of them, failures first
 * @returns pieces of HTML; memory does not grow with the number of items
 */
export async function* renderHtmlReport(
  summary: ReportSummary,
  items: AsyncIterable<ReportItem>,
): AsyncGenerator<string, void, void> {
  const {run, verdict} = summary
  yield renderPageHead(`${formatRunTitle(run)}: ${verdict.text}`)
  yield `<body>\n<main>\n${renderVerdict(summary)}${renderResults(summary)}${renderCauses(summary)}`
  yield `${renderTimeline(summary)}${renderPayments(summary)}`
  yield renderItems(summary)
  yield renderAuditLog(summary)
  yield* renderItemLines(listLines(items))
}

/** What the script shows of an item, and by what it finds it. */
async function* listLines(items: AsyncIterable<ReportItem>) {
  for await (const item of items) yield [...listItemCells(item), item.transaction, item.contentHash]
}

function renderVerdict({run, verdict, verified}: ReportSummary): string {
  const damaged = verified.isWhole
    ? ''
    : '<p class="damaged">The audit log of this run is broken: it was damaged or changed.</p>\n'
  const stopped = run.stopReason === null ? '' : `<p class="why">${escapeHtml(run.stopReason)}</p>\n`
  return `<header class="${verdict.tone}">
<p class="run">${escapeHtml(formatRunTitle(run))}</p>
<h1>${escapeHtml(verdict.text)}</h1>
${stopped}</header>
${damaged}`
}

function renderResults({tallies, run, facts}: ReportSummary): string {
  const rows = tallies.map(tally => {
    const [name, count, amount] = listTallyCells(tally)
    return `<tr class="${tally.group}"><th scope="row">${escapeHtml(name)}</th><td class="number">${count}</td><td class="number">${escapeHtml(amount).replaceAll(', ', '<br>')}</td></tr>\n`
  })
  const noun = ITEM_NOUNS[run.kind]
  return `<section>
<h2>Results</h2>
<table class="results"><thead><tr><th scope="col">Result</th><th scope="col" class="number">${noun}</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
<section>
<h2>Run</h2>
${renderFacts(facts)}</section>
`
}

function renderCauses({run}: ReportSummary): string {
  const causes = readCauses(run.options) ?? []
  if (causes.length === 0) return ''
  const rows = causes.map(each => renderTableRow(CAUSE_HEADINGS, listCauseCells(each).map(escapeHtml)))
  return `<section>
<h2>Why the events had failed</h2>
<table class="wide"><thead><tr>${renderTableHeadings(CAUSE_HEADINGS)}</tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
`
}

function renderTimeline({timeline}: ReportSummary): string {
  return `<section>
<h2>Timeline</h2>
${renderChart(timeline)}</section>
`
}

function renderPayments(summary: ReportSummary): string {
  const {payments} = summary
  if (payments.length === 0) return ''
  const rows = payments.map(payment => {
    const [order, transaction, states, events] = listPaymentCells(payment)
    const lines = events.map(line => `<li>${escapeHtml(line)}</li>`).join('')
    return renderTableRow(
      PAYMENT_HEADINGS,
      [order, transaction, states].map(escapeHtml).concat(`<ul>${lines}</ul>`),
    )
  })
  return `<section>
<h2>Payments</h2>
<p>${describeListedPayments(summary)}</p>
<table class="wide"><thead><tr>${renderTableHeadings(PAYMENT_HEADINGS)}</tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
`
}

function renderItems({first, tallies, totals}: ReportSummary): string {
  return renderItemTable({
    ...{title: 'All items', headings: ITEM_HEADINGS, names: tallies.map(formatResult)},
    ...{first: first.map(listItemCells), total: Object.values(totals).reduce((sum, count) => sum + count, 0)},
  })
}

function renderAuditLog({evidence, writtenAt}: ReportSummary): string {
  return `<section>
<h2>Audit log</h2>
${renderFacts(evidence)}<details id="hashes" hidden><summary>SHA-256 of what was sent, for the items above</summary>
<table class="hashes"><thead><tr><th scope="col">Item</th><th scope="col">SHA-256</th></tr></thead><tbody></tbody></table>
</details>
<p>Written ${writtenAt.toISOString()} by storectl.</p>
</section>
`
}
