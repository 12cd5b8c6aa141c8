import {createHash} from 'node:crypto'
import type {ReportItem} from '../report-items.js'
import type {Facts, ReportSummary} from '../report-summary.js'
import {escapeHtml, escapeScriptJson} from './escape-html.js'
import {renderChart} from './html-chart.js'
import style from './page/report.css?raw'
import script from './page/report.js?raw'
import {
  formatResult,
  formatRunTitle,
  ITEM_HEADINGS,
  ITEM_NOUNS,
  listItemCells,
  listPaymentCells,
  listTallyCells,
  PAYMENT_HEADINGS,
} from './report-cells.js'

/**
 * A page that needs nothing but itself: the verdict, what was sent and what was not, the payments, and a table of all items
 * that narrows by result, by search and by a bar of the timeline. It asks no other host, and runs no script but its own.
 *
 * @param items all of them, failures first
 * @returns pieces of HTML; memory does not grow with the number of items
 */
export async function* renderHtmlReport(
  summary: ReportSummary,
  items: AsyncIterable<ReportItem>,
): AsyncGenerator<string, void, void> {
  yield renderHead(summary)
  yield `<body>\n<main>\n${renderVerdict(summary)}${renderResults(summary)}`
  yield `${renderTimeline(summary)}${renderPayments(summary)}`
  yield renderItems(summary)
  yield renderAuditLog(summary)
  yield '</main>\n<script type="application/x-ndjson" id="lines">\n'
  for await (const item of items)
    yield `${escapeScriptJson([...listItemCells(item), item.transaction, item.contentHash])}\n`
  yield `</script>\n<script>${script}</script>\n</body>\n</html>\n`
}

function renderHead({run, verdict}: ReportSummary): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashContent(style)}; script-src ${hashContent(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${formatRunTitle(run)}: ${verdict.text}`)}</title>
<style>${style}</style>
</head>
`
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

function renderFacts(facts: Facts): string {
  const lines = facts.map(
    ([name, value]) =>
      `<div><dt>${escapeHtml(name)}</dt><dd${name === 'Command' ? ' class="code"' : ''}>${escapeHtml(value)}</dd></div>\n`,
  )
  return `<dl class="facts">\n${lines.join('')}</dl>\n`
}

function renderResults({tallies, run, facts}: ReportSummary): string {
  const rows = tallies.map(tally => {
    const [name, count, amount] = listTallyCells(tally)
    return `<tr class="${tally.group}"><th scope="row">${escapeHtml(name)}</th><td class="number">${count}</td><td class="number">${escapeHtml(amount).replaceAll(', ', '<br>')}</td></tr>\n`
  })
  const noun = ITEM_NOUNS[run.kind] ?? 'Items'
  return `<section>
<h2>Results</h2>
<table class="results"><thead><tr><th scope="col">Result</th><th scope="col" class="number">${noun}</th><th scope="col" class="number">Money</th></tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
<section>
<h2>Run</h2>
${renderFacts(facts)}</section>
`
}

function renderTimeline({timeline}: ReportSummary): string {
  return `<section>
<h2>Timeline</h2>
${renderChart(timeline)}</section>
`
}

function renderPayments({payments, paymentCount}: ReportSummary): string {
  if (payments.length === 0) return ''
  const rows = payments.map(payment => {
    const [order, transaction, states, events] = listPaymentCells(payment)
    const lines = events.map(line => `<li>${escapeHtml(line)}</li>`).join('')
    return renderRow(
      PAYMENT_HEADINGS,
      [order, transaction, states].map(escapeHtml).concat(`<ul>${lines}</ul>`),
    )
  })
  const shown =
    payments.length === Number(paymentCount) ? paymentCount : `${payments.length} of ${paymentCount}`
  return `<section>
<h2>Payments</h2>
<p>${shown}, those that need attention first.</p>
<table class="wide"><thead><tr>${renderHeadings(PAYMENT_HEADINGS)}</tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
`
}

function renderHeadings(names: readonly string[]): string {
  return names.map(name => `<th scope="col">${name}</th>`).join('')
}

/** @param cells HTML */
function renderRow(headings: readonly string[], cells: readonly string[]): string {
  const all = cells.map((cell, index) => `<td data-label="${headings[index]}">${cell}</td>`)
  return `<tr>${all.join('')}</tr>\n`
}

/** The first items are there without a script as well. */
function renderItems({first, tallies, totals}: ReportSummary): string {
  const noun = Object.values(totals).reduce((sum, count) => sum + count, 0)
  const boxes = tallies.map(tally => {
    const name = escapeHtml(formatResult(tally))
    return `<label><input type="checkbox" checked data-result="${name}"> ${name}</label>\n`
  })
  const rows = first.map(item =>
    renderRow(
      ITEM_HEADINGS,
      listItemCells(item).map(cell => escapeHtml(String(cell ?? ''))),
    ),
  )
  return `<section>
<h2>All items</h2>
<div class="filters" role="group" aria-label="Filter items">
${boxes.join('')}<input type="search" id="find" placeholder="Filter items" aria-label="Filter items">
<span id="count" role="status">${first.length} of ${noun}</span>
</div>
<table class="wide" id="items"><thead><tr>${renderHeadings(ITEM_HEADINGS)}</tr></thead>
<tbody id="rows">
${rows.join('')}</tbody></table>
<p><button id="more" hidden>Show more</button></p>
<noscript><p>All ${noun} items are at the end of this file, one a line.</p></noscript>
</section>
`
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

/** What a policy allows by its own text. @see CSP Level 3, 2.3.1 */
function hashContent(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
